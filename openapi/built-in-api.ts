/** The loader of the built-in API: one folder of files per Kubernetes version, each read when first asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { type JsonObject } from '../mockserver/ground/json.js';
import {
  type GroupVersion,
  type GroupResource,
  type GroupVersionKind,
  apiVersionOf,
} from '../mockserver/ground/kind.js';
import { type ImportedCluster } from './imported/imported-cluster.js';
import { type IgnoredFields, type IgnoredFieldsRecord, ignoredFieldsIn } from './ignored-fields.js';
import { type DefaultRecord } from './default-record.js';
import { type Descriptions, readDescriptions } from './descriptions.js';
import { type GoLayouts } from './go-layouts.js';
import { type InternalLayouts } from './internal-layouts.js';
import { type OpenApiFacts } from './open-api-facts.js';
import { type FieldRecord, type MessageField, fieldOf, messageNameOf } from './protobuf-message.js';
import {
  type DiscoveryEntry,
  type ResourceDefinition,
  groupVersionOf,
  resourcesOf,
} from './resource-definition.js';
import { type StrategyRecord } from './strategy-record.js';
import { versionFolder } from './version-folder.js';

/** A group version that a real server has, but serves only when switched on: its paths answer 404. */
export interface SwitchedGroupVersion extends GroupVersion {
  /** The flags that bring it. */
  readonly behind: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

export interface ListedGroupVersion extends GroupVersion {
  /**
   * Aggregated discovery says group and version of the kinds, as it does for what kube-apiserver does not serve itself.
   * @default it leaves them empty
   */
  readonly namesOwnKind?: boolean;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
  /** The field whose documentation the column repeats: `PodSpec.nodeName`. Absent: it has a sentence of its own. */
  readonly describes?: string;
  /** How the cell is computed, in words or as a path. */
  readonly cell: string;
}

export interface HealthChecks {
  readonly healthz: readonly string[];
  readonly livez: readonly string[];
  readonly readyz: readonly string[];
}

export interface MessageDocuments {
  readonly protobuf: { readonly messages: Readonly<Record<string, readonly FieldRecord[]>> };
  readonly goTypes: {
    readonly typeMeta: readonly string[];
    /** message → field → [Go type, Go type of an element]. */
    readonly types: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  };
}

export interface BuiltInApi {
  /** `1.36.3`: the server that the facts were taken from. */
  readonly kubernetes: string;
  /** The body of `/version`, in wire order. */
  readonly version: JsonObject;
  readonly healthChecks: HealthChecks;
  /** Those served by default, groups as the server orders them (core first), then versions, best first. */
  readonly groupVersions: readonly ListedGroupVersion[];
  /** Every resource of every group version, in the order of `groupVersions` and of the wire. */
  readonly resources: readonly ResourceDefinition[];
  readonly behindSwitches: readonly SwitchedGroupVersion[];
  /** The paths that `/` lists, sorted. */
  readonly paths: readonly string[];
  /**
   * What an endpoint takes no notice of when it is said who owns what; undefined: it takes notice of all.
   *
   * @param subresource `''` for the resource itself.
   */
  ignoredFieldsOf(of: GroupResource, subresource: string): IgnoredFields | undefined;
  /** Undefined for kinds that are not stored. */
  strategyOf(kind: GroupVersionKind): StrategyRecord | undefined;
  /** What a server fills in, rule by rule. */
  readonly defaultRecords: readonly DefaultRecord[];
  /** The cluster whose API it is, where it is a real one's: its messages may lack members that rules are about. */
  readonly imported?: ImportedCluster;
  /** The columns of the kind's table; undefined where the default (name, age) stands. */
  columnsOf(kind: GroupVersionKind): readonly ColumnDefinition[] | undefined;
  /**
   * The fields of a protobuf message, ascending by number as in its source; undefined when there is none.
   *
   * @param name an OpenAPI schema name (`io.k8s.api.core.v1.Pod`) or a message name (`k8s.io.api.core.v1.Pod`).
   */
  messageOf(name: string): readonly MessageField[] | undefined;
  /** The field tables as they stand in their files, and the Go types that decoding errors name. */
  readonly messageDocuments: MessageDocuments;
  /** The structs whose dump a controller hashes. */
  readonly goLayouts: GoLayouts;
  readonly internalLayouts: InternalLayouts;
  /** Messages whose JSON is not an object of their fields (times, quantities, lists), with how it is written. */
  readonly specialMessages: Readonly<Record<string, string>>;
  /** All schemas and operations. The first use reads the largest file (about 10 ms). */
  readonly openApi: OpenApiFacts;
  /** What the documentation says, where the build has brought it along; else empty. */
  readonly descriptions: Descriptions;
  /** One schema in its folded form; undefined when there is none. */
  definitionOf(name: string): JsonObject | undefined;
}

interface DiscoveryFile {
  readonly kubernetes: string;
  readonly legacy: Readonly<
    Record<string, { readonly groupVersion?: string; readonly resources?: readonly DiscoveryEntry[] }>
  >;
  readonly behindSwitches: readonly {
    readonly groupVersion: string;
    readonly behind: string;
    readonly resources: SwitchedGroupVersion['resources'];
  }[];
  readonly paths: readonly string[];
}

interface ServerFile {
  readonly version: JsonObject;
  readonly health: HealthChecks;
  readonly warnings: Readonly<Record<string, string>>;
}

interface ProtobufFile {
  readonly special: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly FieldRecord[]>>;
}

interface StrategiesFile {
  readonly records: readonly StrategyRecord[];
}

interface IgnoredFieldsFile {
  readonly records: readonly IgnoredFieldsRecord[];
}

interface TablesFile {
  readonly columns: Readonly<Record<string, readonly ColumnDefinition[]>>;
}

/**
 * Loads the built-in API of one Kubernetes version.
 *
 * Shape: discovery is read at once (about 2 ms); the larger files when first used, then kept by the returned object.
 * What comes back is shared and must not be changed.
 * Errors: throws when the version has no folder or a file is missing or broken, naming it.
 *
 * @param version a version that this package knows (`1.36`), or the URL of a folder of the same form.
 */
export function loadBuiltInApi(version: string | URL = '1.36'): BuiltInApi {
  return new FolderApi(version instanceof URL ? folderUrl(version) : versionFolder(version));
}

const folderUrl = (url: URL): URL => (url.href.endsWith('/') ? url : new URL(`${url.href}/`));

class FolderApi implements BuiltInApi {
  readonly kubernetes: string;
  readonly version: JsonObject;
  readonly healthChecks: HealthChecks;
  readonly groupVersions: readonly GroupVersion[];
  readonly resources: readonly ResourceDefinition[];
  readonly behindSwitches: readonly SwitchedGroupVersion[];
  readonly paths: readonly string[];
  readonly #folder: URL;
  readonly #suffix: string;
  readonly #fields = new Map<string, readonly MessageField[]>();
  #protobuf: ProtobufFile | undefined;
  #goTypes: MessageDocuments['goTypes'] | undefined;
  #goLayouts: GoLayouts | undefined;
  #internalLayouts: InternalLayouts | undefined;
  #openApi: OpenApiFacts | undefined;
  #defaults: readonly DefaultRecord[] | undefined;
  #strategies: ReadonlyMap<string, StrategyRecord> | undefined;
  #tables: TablesFile | undefined;
  #descriptions: Descriptions | undefined;
  #ignored: readonly IgnoredFieldsRecord[] | undefined;

  constructor(folder: URL) {
    this.#folder = folder;
    this.#suffix = suffixOf(folder);
    // The files' forms are described in the folder's README; a test checks those that this package brings.
    const discovery = this.#read('discovery') as DiscoveryFile;
    const server = this.#read('server') as ServerFile;
    this.kubernetes = discovery.kubernetes;
    this.version = server.version;
    this.healthChecks = server.health;
    this.paths = discovery.paths;
    this.behindSwitches = discovery.behindSwitches.map(({ groupVersion, behind, resources }) => ({
      ...groupVersionOf(groupVersion),
      behind,
      resources,
    }));
    const lists = Object.values(discovery.legacy).flatMap(({ groupVersion, resources }) =>
      groupVersion === undefined || resources === undefined
        ? []
        : [{ groupVersion: groupVersionOf(groupVersion), resources }],
    );
    this.groupVersions = lists.map((list) => list.groupVersion);
    const versions = [
      ...new Set([...this.groupVersions, ...this.behindSwitches].map((groupVersion) => groupVersion.version)),
    ];
    this.resources = lists.flatMap((list) =>
      resourcesOf(list.groupVersion, list.resources, versions, server.warnings),
    );
  }

  get defaultRecords(): readonly DefaultRecord[] {
    return (this.#defaults ??= this.#read('defaults') as readonly DefaultRecord[]);
  }

  ignoredFieldsOf({ group, resource }: GroupResource, subresource: string): IgnoredFields | undefined {
    this.#ignored ??= (this.#read('ignored-fields') as IgnoredFieldsFile).records;
    return ignoredFieldsIn(this.#ignored, group, resource, subresource);
  }

  strategyOf(kind: GroupVersionKind): StrategyRecord | undefined {
    this.#strategies ??= new Map(
      (this.#read('strategies') as StrategiesFile).records.map((record) => [record.gvk, record]),
    );
    return this.#strategies.get(`${apiVersionOf(kind)}/${kind.kind}`);
  }

  columnsOf(kind: GroupVersionKind): readonly ColumnDefinition[] | undefined {
    this.#tables ??= this.#read('tables') as TablesFile;
    const key = `${apiVersionOf(kind)}/${kind.kind}`;
    return Object.hasOwn(this.#tables.columns, key) ? this.#tables.columns[key] : undefined;
  }

  messageOf(name: string): readonly MessageField[] | undefined {
    const message = messageNameOf(name);
    const known = this.#fields.get(message);
    if (known !== undefined) return known;
    const { messages } = this.#protobufFile();
    const records = Object.hasOwn(messages, message) ? messages[message] : undefined;
    if (records === undefined) return undefined;
    const fields = records.map(fieldOf);
    this.#fields.set(message, fields);
    return fields;
  }

  get messageDocuments(): MessageDocuments {
    this.#goTypes ??= this.#read('go-types') as MessageDocuments['goTypes'];
    return { protobuf: this.#protobufFile(), goTypes: this.#goTypes };
  }

  get goLayouts(): GoLayouts {
    return (this.#goLayouts ??= this.#read('go-layouts') as GoLayouts);
  }

  get internalLayouts(): InternalLayouts {
    return (this.#internalLayouts ??= this.#read('internal-layouts') as InternalLayouts);
  }

  get specialMessages(): Readonly<Record<string, string>> {
    return this.#protobufFile().special;
  }

  get openApi(): OpenApiFacts {
    return (this.#openApi ??= this.#read('kubernetes') as OpenApiFacts);
  }

  get descriptions(): Descriptions {
    return (this.#descriptions ??= readDescriptions(
      new URL(`descriptions-${this.#suffix}.json.gz`, this.#folder),
    ));
  }

  definitionOf(name: string): JsonObject | undefined {
    const { definitions } = this.openApi;
    return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }

  #protobufFile(): ProtobufFile {
    return (this.#protobuf ??= this.#read('protobuf') as ProtobufFile);
  }

  #read(what: string): unknown {
    const url = new URL(`${what}-${this.#suffix}.json`, this.#folder);
    try {
      return JSON.parse(readFileSync(url, 'utf8'));
    } catch (cause) {
      throw new Error(`cannot read the built-in API from ${url.pathname}`, { cause });
    }
  }
}

/** `1.36` of `discovery-1.36.json`: the files carry the version that their folder is about. */
function suffixOf(folder: URL): string {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new Error(`no built-in API at ${folder.pathname}`, { cause });
  }
  for (const name of names) {
    const match = /^discovery-(.+)\.json$/.exec(name);
    if (match?.[1] !== undefined) return match[1];
  }
  throw new Error(`no discovery-<version>.json in ${folder.pathname}`);
}
