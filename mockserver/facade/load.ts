/** What a cluster begins with: objects, or files of them, created as a client would create them. */
import { readFileSync } from 'node:fs';
import {
  isJsonArray,
  isJsonObject,
  member,
  stringMember,
  type JsonObject,
  type JsonValue,
} from '../ground/json.js';
import { parseApiVersion } from '../ground/kind.js';
import { editMetadata } from '../ground/object.js';
import { StatusError } from '../ground/status.js';
import { manifestFiles } from '../ground/manifest-files.js';
import { readYamlDocuments } from '../ground/yaml.js';
import { decodeBody } from '../registry/body.js';
import { type Call } from '../registry/call.js';
import { type Cluster } from '../registry/cluster.js';
import { create } from '../registry/create.js';

interface LoadedObject {
  readonly value: JsonObject;
  /** `pods.yaml:12`: where it begins. */
  readonly where: string;
}

const DEFAULT_NAMESPACE = 'default';

/**
 * Creates the objects of files and folders (searched to any depth, files in the order of their names).
 *
 * Objects that wait for others of the same load (custom resources for their definition, anything for its namespace)
 * may stand before them.
 * Errors: a RangeError that names file and line for what is no YAML, is no object, or is refused.
 */
export function loadPaths(cluster: Cluster, paths: readonly string[]): void {
  createAll(cluster, paths.flatMap(manifestFiles).flatMap(objectsOf));
}

/** Creates objects that are there already; as `loadPaths`, errors name them as `objects[2]`. @param list what that is called */
export function loadObjects(cluster: Cluster, objects: readonly JsonValue[], list = 'objects'): void {
  createAll(
    cluster,
    objects.flatMap((value, i) => flattened(value, `${list}[${i}]`)),
  );
}

function createAll(cluster: Cluster, objects: readonly LoadedObject[]): void {
  let left = objects;
  while (left.length > 0) {
    const failed: { readonly object: LoadedObject; readonly error: unknown }[] = [];
    for (const object of left) {
      try {
        load(cluster, object.value);
      } catch (error) {
        failed.push({ object, error });
      }
    }
    const [first] = failed;
    // As long as a round gets some of them in, the others may have waited for those.
    if (first !== undefined && failed.length === left.length) throw refused(first.object, first.error);
    left = failed.map(({ object }) => object);
  }
}

function objectsOf(file: string): LoadedObject[] {
  const reading = readYamlDocuments(readFileSync(file, 'utf8'));
  if (!reading.ok) throw new RangeError(`${file}: ${reading.error}`);
  return reading.documents.flatMap(({ line, value }) => flattened(value, `${file}:${line}`));
}

/** The items of a List stand for themselves; empty documents for nothing. */
function flattened(value: JsonValue, where: string): LoadedObject[] {
  if (value === null) return [];
  if (!isJsonObject(value)) throw new RangeError(`${where}: not an object`);
  const items = member(value, 'items');
  if (stringMember(value, 'kind')?.endsWith('List') && isJsonArray(items)) {
    return items.flatMap((item) => flattened(item, where));
  }
  return [{ value, where }];
}

function load(cluster: Cluster, value: JsonObject): void {
  const kind = stringMember(value, 'kind') ?? '';
  const version = parseApiVersion(stringMember(value, 'apiVersion') ?? '');
  const resource = version && cluster.resources.findKind({ ...version, kind });
  if (resource === undefined) {
    throw new Error(
      `no resource for kind ${JSON.stringify(kind)} in ${JSON.stringify(value['apiVersion'] ?? '')}`,
    );
  }
  const metadata = member(value, 'metadata');
  const given = isJsonObject(metadata) ? stringMember(metadata, 'namespace') : undefined;
  const call: Call = {
    cluster,
    resource,
    subresource: '',
    namespace: resource.namespaced ? (given ?? DEFAULT_NAMESPACE) : '',
    name: '',
    largest: Infinity,
    warn: () => undefined,
  };
  const text = (): string => JSON.stringify(value);
  const body = {
    value: withoutServerFields(value),
    nulls: 'unset' as const,
    duplicates: [],
    warnings: [],
    text,
    shown: text,
  };
  create(call, decodeBody(call, body, 'Warn'), false);
}

/** A dump of a cluster may be loaded as it is: what only a server sets is left out. */
function withoutServerFields(value: JsonObject): JsonObject {
  const metadata = member(value, 'metadata');
  if (!isJsonObject(metadata)) return value;
  return {
    ...value,
    metadata: editMetadata(metadata, { resourceVersion: undefined, managedFields: undefined }),
  };
}

function refused(object: LoadedObject, error: unknown): RangeError {
  const why = error instanceof StatusError || error instanceof Error ? error.message : String(error);
  return new RangeError(`${object.where}: ${why}`, { cause: error });
}
