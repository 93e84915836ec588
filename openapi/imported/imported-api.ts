/** The API of a real cluster: what its documents tell, with this package's knowledge of the kinds that it shares. */
import { type JsonObject, objectMember, stringMember } from '../../mockserver/ground/json.js';
import { type GroupResource, type GroupVersionKind, apiVersionOf } from '../../mockserver/ground/kind.js';
import {
  type BuiltInApi,
  type ColumnDefinition,
  type MessageDocuments,
  type SwitchedGroupVersion,
} from '../built-in-api.js';
import { type DefaultRecord } from '../default-record.js';
import { type Descriptions } from '../descriptions.js';
import { type GoLayouts } from '../go-layouts.js';
import { type IgnoredFields } from '../ignored-fields.js';
import { type OpenApiFacts } from '../open-api-facts.js';
import { type MessageField, fieldOf, messageNameOf } from '../protobuf-message.js';
import { type DiscoveryEntry, type ResourceDefinition, resourcesOf } from '../resource-definition.js';
import { type StrategyRecord } from '../strategy-record.js';
import { type ImportedCluster } from './imported-cluster.js';
import { type ImportedGroupVersion } from './imported-discovery.js';
import { importedMessages } from './imported-messages.js';
import { structuralForm } from './structural-form.js';

/**
 * What both know keeps its rules, defaults and columns, with the names and verbs of the cluster; what only this package
 * knows is not there; what only the cluster knows is there by its schema alone.
 */
export class ImportedApi implements BuiltInApi {
  readonly kubernetes: string;
  readonly version: JsonObject;
  readonly groupVersions: readonly ImportedGroupVersion[];
  readonly resources: readonly ResourceDefinition[];
  readonly paths: readonly string[];
  readonly behindSwitches: readonly SwitchedGroupVersion[] = [];
  readonly imported: ImportedCluster;
  readonly #known: BuiltInApi;
  #messages: MessageDocuments | undefined;

  constructor(imported: ImportedCluster, known: BuiltInApi) {
    this.imported = imported;
    this.#known = known;
    this.version = imported.version ?? known.version;
    const { gitVersion } = this.version;
    this.kubernetes = typeof gitVersion === 'string' ? gitVersion.replace(/^v/, '') : known.kubernetes;
    this.groupVersions = withoutCustom(imported);
    this.resources = this.groupVersions.flatMap((one) => this.#resourcesOf(one));
    this.paths = rootPaths(imported, known, this.groupVersions);
  }

  get healthChecks(): BuiltInApi['healthChecks'] {
    return this.#known.healthChecks;
  }

  get defaultRecords(): readonly DefaultRecord[] {
    return this.#known.defaultRecords;
  }

  get goLayouts(): GoLayouts {
    return this.#known.goLayouts;
  }

  get internalLayouts(): BuiltInApi['internalLayouts'] {
    return this.#known.internalLayouts;
  }

  get specialMessages(): Readonly<Record<string, string>> {
    return this.#known.specialMessages;
  }

  get openApi(): OpenApiFacts {
    return this.#known.openApi;
  }

  get descriptions(): Descriptions {
    return this.#known.descriptions;
  }

  get messageDocuments(): MessageDocuments {
    const { protobuf, goTypes } = this.#known.messageDocuments;
    const messages = (): MessageDocuments['protobuf']['messages'] =>
      importedMessages(protobuf.messages, this.imported.schemas);
    return (this.#messages ??= { protobuf: { ...protobuf, messages: messages() }, goTypes });
  }

  ignoredFieldsOf(of: GroupResource, subresource: string): IgnoredFields | undefined {
    return this.#known.ignoredFieldsOf(of, subresource);
  }

  strategyOf(kind: GroupVersionKind): StrategyRecord | undefined {
    return this.#known.strategyOf(kind);
  }

  columnsOf(kind: GroupVersionKind): readonly ColumnDefinition[] | undefined {
    return this.#known.columnsOf(kind);
  }

  messageOf(name: string): readonly MessageField[] | undefined {
    const { messages } = this.messageDocuments.protobuf;
    const message = messageNameOf(name);
    return Object.hasOwn(messages, message) ? messages[message]?.map(fieldOf) : undefined;
  }

  /** Of what both know, the properties that the cluster has. */
  definitionOf(name: string): JsonObject | undefined {
    const known = this.#known.definitionOf(name);
    const theirs = this.imported.schemas.get(name);
    const properties = objectMember(theirs, 'properties');
    if (known === undefined || properties === undefined) return known ?? theirs;
    const own = objectMember(known, 'properties') ?? {};
    return {
      ...known,
      properties: Object.fromEntries(
        Object.entries(properties).map(([property, schema]) => [
          property,
          Object.hasOwn(own, property) ? (own[property] ?? schema) : schema,
        ]),
      ),
    };
  }

  #resourcesOf(of: ImportedGroupVersion): readonly ResourceDefinition[] {
    return resourcesOf(of, of.entries, [of.version], {}).map((found) => {
      const known = this.#known.resources.find(
        (one) =>
          one.resource === found.resource &&
          one.kind === found.kind &&
          one.version === found.version &&
          one.group === found.group,
      );
      return known === undefined ? this.#foreign(found) : joined(found, known, of.complete);
    });
  }

  /** A kind that this package does not know: its objects are what its schema says. */
  #foreign(found: ResourceDefinition): ResourceDefinition {
    const stored = ['create', 'get'].every((verb) => found.verbs.includes(verb));
    const first = this.groupVersions.find(
      ({ group, entries }) => group === found.group && entries.some(({ name }) => name === found.resource),
    );
    const name = schemaNameOf(this.imported, found);
    return {
      ...found,
      subresources: found.subresources.map((one) =>
        one.name === 'status' ? one : { ...one, listedOnly: true },
      ),
      storage: { group: found.group, version: first?.version ?? found.version },
      ...(name === undefined ? {} : { definitionName: name }),
      ...(stored
        ? { schema: structuralForm(name ?? '', (one) => this.definitionOf(one)) }
        : { listedOnly: true }),
    };
  }
}

/**
 * What the cluster lists, with what this package knows of it.
 * @param complete whether the cluster's own word for verbs and names is known
 */
function joined(found: ResourceDefinition, known: ResourceDefinition, complete: boolean): ResourceDefinition {
  const subresources = found.subresources.map((one) => {
    const own = known.subresources.find(({ name }) => name === one.name);
    if (own === undefined) return { ...one, listedOnly: true };
    return complete ? one : own;
  });
  if (!complete) return { ...known, subresources };
  const { singular, verbs, shortNames, categories, storageVersionHash } = found;
  return {
    ...known,
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
    singular,
    verbs,
    shortNames,
    categories,
    subresources,
  };
}

/** The schema that says that it is of this kind. */
function schemaNameOf({ schemas }: ImportedCluster, of: GroupVersionKind): string | undefined {
  for (const [name, schema] of schemas) {
    const kinds = schema['x-kubernetes-group-version-kind'];
    const [kind, ...others] = Array.isArray(kinds) ? (kinds as readonly JsonObject[]) : []; // as every OpenAPI document has it
    if (others.length > 0 || kind === undefined) continue;
    if (kind['kind'] === of.kind && kind['version'] === of.version && kind['group'] === of.group) return name;
  }
  return undefined;
}

/** What definitions bring is theirs to bring. */
function withoutCustom({ groupVersions, definitions }: ImportedCluster): readonly ImportedGroupVersion[] {
  const custom = new Set(
    definitions.map((one) => {
      const spec = objectMember(one, 'spec');
      const plural = stringMember(objectMember(spec, 'names'), 'plural') ?? '';
      return `${stringMember(spec, 'group') ?? ''}/${plural}`;
    }),
  );
  const isCustom = (group: string, { name }: DiscoveryEntry): boolean =>
    custom.has(`${group}/${name.split('/')[0] ?? ''}`);
  return groupVersions.flatMap((one) => {
    const entries = one.entries.filter((entry) => !isCustom(one.group, entry));
    // A group version without resources stays, if none of them was a custom one.
    return entries.length === 0 && one.entries.length > 0 ? [] : [{ ...one, entries }];
  });
}

/** What `/` lists, but for the groups that definitions bring. */
function rootPaths(
  imported: ImportedCluster,
  known: BuiltInApi,
  groupVersions: readonly ImportedGroupVersion[],
): readonly string[] {
  const pathsOf = (one: ImportedGroupVersion): readonly string[] =>
    one.group === '' ? [`/api/${one.version}`] : [`/apis/${one.group}`, `/apis/${apiVersionOf(one)}`];
  const served = new Set(groupVersions.flatMap(pathsOf));
  const isOfGroup = (path: string): boolean => /^\/apis?\/[^/]/.test(path);
  const listed = imported.paths ?? known.paths;
  return [...new Set([...listed.filter((path) => !isOfGroup(path) || served.has(path)), ...served])].sort();
}
