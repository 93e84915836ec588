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
  type FieldShape,
  type ListShape,
  type MapShape,
  type ScalarKind,
  type SchemaNode,
  DEDUCED,
  UNTYPED,
} from './schema-node.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

const QUANTITY_NODE: SchemaNode = { scalar: 'untyped', list: undefined, map: undefined };
const NOTHING: SchemaNode = { scalar: undefined, list: undefined, map: undefined };

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
    const node =
      name === QUANTITY ? QUANTITY_NODE : name === RAW ? UNTYPED : this.#node(schema, false);
    this.#named.set(name, node);
    return node;
  }

  /**
   * The node of a custom resource in one version.
   *
   * @param schema `openAPIV3Schema`; undefined where the version has none, or one that is not structural.
   */
  custom(schema: JsonObject | undefined): SchemaNode {
    if (schema === undefined) return DEDUCED;
    const text: JsonObject = { type: 'string' };
    return this.#node(
      {
        ...schema,
        properties: {
          ...objectMember(schema, 'properties'),
          apiVersion: text,
          kind: text,
          metadata: { $ref: META },
        },
      },
      false,
    );
  }

  /** A schema in place, or the definition that it refers to, with the reference's own word on how maps are owned. */
  #at(schema: JsonObject, preserving: boolean): SchemaNode {
    const name = stringMember(schema, '$ref');
    if (name === undefined) return this.#node(schema, preserving);
    const own = mapRelationship(schema);
    const named = (): SchemaNode => this.definition(name) ?? NOTHING;
    return own === undefined ? lazily(named) : lazily(() => overridden(named(), own));
  }

  #node(schema: JsonObject, above: boolean): SchemaNode {
    const preserving = above || schema['x-kubernetes-preserve-unknown-fields'] === true;
    const type = stringMember(schema, 'type') ?? '';
    switch (type) {
      case 'object':
        return lazily(() => ({ scalar: undefined, list: undefined, map: this.#map(schema, preserving) }));
      case 'array':
        return lazily(() => ({ scalar: undefined, list: this.#list(schema, preserving), map: undefined }));
      case '':
        return lazily(() => ({
          scalar: 'untyped',
          list: this.#list(schema, preserving),
          map: this.#map(schema, preserving),
        }));
      default:
        return { scalar: scalarOf(type, stringMember(schema, 'format') ?? ''), list: undefined, map: undefined };
    }
  }

  #map(schema: JsonObject, preserving: boolean): MapShape {
    const fields = new Map<string, FieldShape>();
    const properties = objectMember(schema, 'properties') ?? {};
    for (const name of Object.keys(properties)) {
      const property = member(properties, name);
      if (!isJsonObject(property)) continue;
      const fallback = member(property, 'default');
      fields.set(name, {
        element: fieldElement(name),
        node: withEmbedded(property, (whole) => this.#at(whole, preserving)),
        default: fallback === null ? undefined : fallback,
      });
    }
    const others = this.#others(schema, fields.size, preserving);
    return {
      relationship: mapRelationship(schema) ?? 'separable',
      fields,
      others,
      deduced: fields.size === 0 && (others === DEDUCED || takesAnyScalar(member(schema, 'additionalProperties'))),
    };
  }

  #others(schema: JsonObject, declared: number, preserving: boolean): SchemaNode | undefined {
    const additional = member(schema, 'additionalProperties');
    if (additional === undefined || additional === null)
      return preserving || declared === 0 ? DEDUCED : undefined;
    if (isJsonObject(additional)) return withEmbedded(additional, (whole) => this.#at(whole, preserving));
    return additional === true ? DEDUCED : undefined;
  }

  #list(schema: JsonObject, preserving: boolean): ListShape {
    const items = objectMember(schema, 'items');
    return {
      ...listRelationship(schema),
      items: items === undefined ? UNTYPED : withEmbedded(items, (whole) => this.#at(whole, preserving)),
    };
  }
}

/** Whether it is a schema in place, not a definition's, of scalars that may be anything. */
const takesAnyScalar = (schema: JsonValue | undefined): boolean => {
  if (!isJsonObject(schema) || stringMember(schema, '$ref') !== undefined) return false;
  const type = stringMember(schema, 'type') ?? '';
  return type === '' || (type === 'string' && scalarOf(type, stringMember(schema, 'format') ?? '') === 'untyped');
};

/** An embedded resource has kind, apiVersion and metadata of every object. */
function withEmbedded(schema: JsonObject, node: (schema: JsonObject) => SchemaNode): SchemaNode {
  if (schema['x-kubernetes-embedded-resource'] !== true) return node(schema);
  const text: JsonObject = { type: 'string' };
  return node({
    ...schema,
    properties: {
      ...objectMember(schema, 'properties'),
      apiVersion: text,
      kind: text,
      metadata: { $ref: META },
    },
  });
}

/** A node that is made when one of its parts is first asked for. */
function lazily(make: () => SchemaNode): SchemaNode {
  let made: SchemaNode | undefined;
  const node = (): SchemaNode => (made ??= make());
  return {
    get scalar() {
      return node().scalar;
    },
    get list() {
      return node().list;
    },
    get map() {
      return node().map;
    },
  };
}

function overridden(node: SchemaNode, relationship: MapShape['relationship']): SchemaNode {
  if (node.map !== undefined) return { ...parts(node), map: { ...node.map, relationship } };
  if (node.list !== undefined)
    return {
      ...parts(node),
      list: { ...node.list, relationship: relationship === 'atomic' ? 'atomic' : node.list.relationship },
    };
  return node;
}

const parts = ({ scalar, list, map }: SchemaNode): SchemaNode => ({ scalar, list, map });

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

function listRelationship(schema: JsonObject): Omit<ListShape, 'items'> {
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
