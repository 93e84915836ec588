/** Schema nodes from OpenAPI: of built-in kinds by their definitions' names, of custom resources from their own schema. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../ground/json.js';
import { fieldElement } from '../patch/path-element.js';
import {
  DEDUCED,
  FieldShape,
  ListShape,
  MapShape,
  type ScalarKind,
  SchemaNode,
  UNTYPED,
} from './schema-node.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

const NOTHING = new SchemaNode({});
const SCALARS: Readonly<Record<ScalarKind, SchemaNode>> = {
  numeric: new SchemaNode({ scalar: 'numeric' }),
  string: new SchemaNode({ scalar: 'string' }),
  boolean: new SchemaNode({ scalar: 'boolean' }),
  untyped: new SchemaNode({ scalar: 'untyped' }),
};

/**
 * The schemas of one API version. Definitions are resolved when they are first walked and then shared by all kinds.
 *
 * Source: kube-openapi schemaconv/openapi.go and smd.go.
 */
export class SchemaTree {
  readonly #definitionOf: (name: string) => JsonObject | undefined;
  readonly #named = new Map<string, SchemaNode>();

  /** @param definitionOf a definition in the folded form of `openapi/`, where `$ref` is a name. */
  constructor(definitionOf: (name: string) => JsonObject | undefined) {
    this.#definitionOf = definitionOf;
  }

  /** The node of a definition; undefined when there is none. */
  definition(name: string): SchemaNode | undefined {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const schema = this.#definitionOf(name);
    if (schema === undefined) return undefined;
    const node = name === QUANTITY ? SCALARS.untyped : name === RAW ? UNTYPED : this.#node(schema, false);
    this.#named.set(name, node);
    return node;
  }

  /**
   * The node of a custom resource in one version.
   *
   * @param schema `openAPIV3Schema`; undefined where the version has none, or one that is not structural.
   */
  custom(schema: JsonObject | undefined): SchemaNode {
    return schema === undefined ? DEDUCED : this.#node(asResource(schema), false);
  }

  /** A schema in place, or the definition that it refers to, with the reference's own word on how maps are owned. */
  #at(schema: JsonObject, preserving: boolean): SchemaNode {
    const name = stringMember(schema, '$ref');
    if (name === undefined) return this.#node(schema, preserving);
    const node = this.definition(name) ?? NOTHING;
    const own = mapRelationship(schema);
    return own === undefined ? node : overridden(node, own);
  }

  #node(schema: JsonObject, above: boolean): SchemaNode {
    const preserving = above || schema['x-kubernetes-preserve-unknown-fields'] === true;
    const type = stringMember(schema, 'type') ?? '';
    switch (type) {
      case 'object':
        return new SchemaNode({ map: this.#map(schema, preserving) });
      case 'array':
        return new SchemaNode({ list: this.#list(schema, preserving) });
      case '':
        return new SchemaNode({
          scalar: 'untyped',
          list: this.#list(schema, preserving),
          map: this.#map(schema, preserving),
        });
      default:
        return SCALARS[scalarOf(type, stringMember(schema, 'format') ?? '')];
    }
  }

  #map(schema: JsonObject, preserving: boolean): MapShape {
    const fields = new Map<string, FieldShape>();
    const properties = objectMember(schema, 'properties') ?? {};
    for (const name of Object.keys(properties)) {
      const property = member(properties, name);
      if (!isJsonObject(property)) continue;
      const fallback = member(property, 'default');
      fields.set(
        name,
        new FieldShape(fieldElement(name), fallback === null ? undefined : fallback, () =>
          this.#at(withEmbedded(property), preserving),
        ),
      );
    }
    const additional = member(schema, 'additionalProperties') ?? null;
    const others =
      additional === null
        ? preserving || fields.size === 0
          ? (): SchemaNode => DEDUCED
          : undefined
        : isJsonObject(additional)
          ? (): SchemaNode => this.#at(withEmbedded(additional), preserving)
          : additional === true
            ? (): SchemaNode => DEDUCED
            : undefined;
    return new MapShape(
      mapRelationship(schema) ?? 'separable',
      fields,
      others,
      fields.size === 0 && (isJsonObject(additional) ? takesAnyScalar(additional) : others !== undefined),
    );
  }

  #list(schema: JsonObject, preserving: boolean): ListShape {
    const items = objectMember(schema, 'items');
    const { relationship, keys } = listRelationship(schema);
    return new ListShape(relationship, keys, () =>
      items === undefined ? UNTYPED : this.#at(withEmbedded(items), preserving),
    );
  }
}

/** Whether it is a schema in place, not a definition's, of scalars that may be anything. */
const takesAnyScalar = (schema: JsonObject): boolean => {
  if (stringMember(schema, '$ref') !== undefined) return false;
  const type = stringMember(schema, 'type') ?? '';
  return (
    type === '' || (type === 'string' && scalarOf(type, stringMember(schema, 'format') ?? '') === 'untyped')
  );
};

const TEXT: JsonObject = { type: 'string' };

/** What every object has: of the object itself, and of one that is embedded in another. */
const asResource = (schema: JsonObject): JsonObject => ({
  ...schema,
  properties: {
    ...objectMember(schema, 'properties'),
    apiVersion: TEXT,
    kind: TEXT,
    metadata: { $ref: META },
  },
});

const withEmbedded = (schema: JsonObject): JsonObject =>
  schema['x-kubernetes-embedded-resource'] === true ? asResource(schema) : schema;

function overridden(node: SchemaNode, relationship: MapShape['relationship']): SchemaNode {
  const { scalar, list, map } = node;
  if (map !== undefined) return new SchemaNode({ scalar, list, map: map.owned(relationship) });
  if (list === undefined || relationship !== 'atomic') return node;
  return new SchemaNode({ scalar, list: new ListShape('atomic', list.keys, () => list.items), map });
}

function scalarOf(type: string, format: string): ScalarKind {
  switch (type) {
    case 'integer':
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'string':
      return format === '' || format === 'byte' ? 'string' : 'untyped';
    default:
      return 'untyped';
  }
}

function mapRelationship(schema: JsonObject): MapShape['relationship'] | undefined {
  const type = stringMember(schema, 'x-kubernetes-map-type');
  return type === 'atomic' ? 'atomic' : type === 'granular' ? 'separable' : undefined;
}

function listRelationship(schema: JsonObject): Pick<ListShape, 'relationship' | 'keys'> {
  const type = stringMember(schema, 'x-kubernetes-list-type');
  if (type === 'set') return { relationship: 'associative', keys: [] };
  if (type === 'map')
    return {
      relationship: 'associative',
      keys: texts(arrayMember(schema, 'x-kubernetes-list-map-keys') ?? []),
    };
  const strategy = stringMember(schema, 'x-kubernetes-patch-strategy');
  if (type !== undefined || (strategy !== 'merge' && strategy !== 'merge,retainKeys'))
    return { relationship: 'atomic', keys: [] };
  const key = stringMember(schema, 'x-kubernetes-patch-merge-key');
  return { relationship: 'associative', keys: key === undefined ? [] : [key] };
}

const texts = (list: readonly JsonValue[]): string[] =>
  list.filter((one): one is string => typeof one === 'string');
