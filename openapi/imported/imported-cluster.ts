/** What is known of a real cluster's API from the documents that it serves. */
import { type JsonObject, isJsonObject, objectMember, stringMember } from '../../mockserver/ground/json.js';
import { foldedSchema } from './folded-schema.js';
import { discoveredGroupVersions, type ImportedGroupVersion } from './imported-discovery.js';
import { groupVersionsOfPaths } from './discovery-of-paths.js';
import { ImportError, type ImportedDocument } from './imported-document.js';

/** An OpenAPI document as it was served. */
export interface ServedText {
  readonly text: string;
  readonly json: JsonObject;
}

export interface ImportedCluster {
  /** Where it comes from, for messages. */
  readonly source: string;
  /** What `/version` answered; where that is not known, what the documents say of it. */
  readonly version: JsonObject | undefined;
  /** What `/` listed. */
  readonly paths: readonly string[] | undefined;
  readonly groupVersions: readonly ImportedGroupVersion[];
  readonly v2: ServedText | undefined;
  /** By name: `apis/apps/v1`. */
  readonly v3: ReadonlyMap<string, ServedText>;
  /** Definitions of custom resources. */
  readonly definitions: readonly JsonObject[];
  /** Folded schemas by name, of all documents. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
}

/** Without these there is nothing to serve a cluster with. */
const NEEDED = [
  ['v1', 'namespaces'],
  ['apiextensions.k8s.io/v1', 'customresourcedefinitions'],
] as const;

/**
 * Puts the documents of one cluster together.
 *
 * Errors: ImportError where they do not tell what there is, or lack what no cluster goes without.
 */
export function importedCluster(source: string, documents: readonly ImportedDocument[]): ImportedCluster {
  const v2 = documents.find((one) => one.form === 'OpenAPI v2');
  const v3 = new Map(
    documents.flatMap((one) => (one.form === 'OpenAPI v3' ? [[one.name, one] as const] : [])),
  );
  const discovered = discoveredGroupVersions({
    aggregated: ofForm(documents, 'aggregated discovery'),
    groupLists: ofForm(documents, 'group list'),
    resourceLists: ofForm(documents, 'resource list'),
  });
  const paths = Object.assign(
    {},
    ...[...v3.values(), ...(v2 === undefined ? [] : [v2])].map(({ json }) => objectMember(json, 'paths')),
  ) as JsonObject; // members of JSON objects
  const groupVersions = discovered.length > 0 ? discovered : groupVersionsOfPaths(paths);
  for (const [apiVersion, resource] of NEEDED) {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const found = groupVersions.find((one) => one.group === group && one.version === version);
    if (found?.entries.some(({ name }) => name === resource) !== true)
      throw new ImportError(
        source,
        '',
        `no document tells of ${resource} in ${apiVersion}, which every cluster has`,
      );
  }
  return {
    source,
    version: ofForm(documents, 'version')[0] ?? versionOf(v2 ?? [...v3.values()][0]),
    paths: documents.find((one) => one.form === 'root paths')?.paths,
    groupVersions,
    v2,
    v3,
    definitions: documents.flatMap((one) => (one.form === 'definitions' ? one.definitions : [])),
    schemas: schemasOf(
      [...v3.values()].map(({ json }) => json),
      v2?.json,
    ),
  };
}

type JsonForm = 'aggregated discovery' | 'group list' | 'resource list' | 'version';

const ofForm = (documents: readonly ImportedDocument[], form: JsonForm): readonly JsonObject[] =>
  documents.flatMap((one) => (one.form === form ? [one.json] : []));

/** `v1.31.2` of a document's info, as `/version` would tell it. */
function versionOf(document: ServedText | undefined): JsonObject | undefined {
  const gitVersion = stringMember(objectMember(document?.json, 'info'), 'version') ?? '';
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(gitVersion) ?? [];
  return major === undefined || minor === undefined ? undefined : { major, minor, gitVersion };
}

/**
 * Version 3 knows defaults; version 2 knows every kind that options stand for, of which documents of version 3 list
 * their own.
 */
function schemasOf(v3: readonly JsonObject[], v2: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const schemas = new Map<string, JsonObject>();
  for (const json of v3) {
    const all = objectMember(objectMember(json, 'components'), 'schemas') ?? {};
    for (const [name, schema] of Object.entries(all)) {
      if (isJsonObject(schema) && !schemas.has(name)) schemas.set(name, foldedSchema(schema));
    }
  }
  for (const [name, schema] of Object.entries(objectMember(v2, 'definitions') ?? {})) {
    if (!isJsonObject(schema)) continue;
    const known = schemas.get(name);
    const kinds = schema[KINDS];
    if (known === undefined) schemas.set(name, foldedSchema(schema));
    else if (kinds !== undefined) schemas.set(name, { ...known, [KINDS]: kinds });
  }
  return schemas;
}

const KINDS = 'x-kubernetes-group-version-kind';
