/** One document of a real cluster, known by what it holds, wherever it was found. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../mockserver/ground/json.js';

export type ImportedDocument =
  | { readonly form: 'OpenAPI v2'; readonly json: JsonObject; readonly text: string }
  /** `name` as the index of `/openapi/v3` has it: `apis/apps/v1`. */
  | { readonly form: 'OpenAPI v3'; readonly name: string; readonly json: JsonObject; readonly text: string }
  | { readonly form: 'aggregated discovery'; readonly json: JsonObject }
  | { readonly form: 'group list'; readonly json: JsonObject }
  | { readonly form: 'resource list'; readonly json: JsonObject }
  | { readonly form: 'version'; readonly json: JsonObject }
  | { readonly form: 'root paths'; readonly paths: readonly string[] }
  | { readonly form: 'definitions'; readonly definitions: readonly JsonObject[] };

/** What cannot be used of a document, and where in it. */
export class ImportError extends RangeError {
  /** @param source file or URL @param path within the document; `''` for the whole */
  constructor(source: string, path: string, problem: string) {
    super(`${source}: ${path === '' ? '' : `${path}: `}${problem}`);
    this.name = 'ImportError';
  }
}

const KNOWN =
  'an OpenAPI v2 or v3 document, a discovery document (APIGroupDiscoveryList, APIGroupList, APIResourceList), CustomResourceDefinitions, what /version answers, or what / answers';

/**
 * What a document is.
 *
 * Errors: ImportError that names the source, and the path of what is not as it must be.
 * @param text as it was read; an OpenAPI document is served as it is here
 */
export function recognised(source: string, value: JsonValue, text: string): ImportedDocument {
  if (!isJsonObject(value)) throw new ImportError(source, '', `not an object; what is read is ${KNOWN}`);
  if (stringMember(value, 'swagger') !== undefined) {
    for (const part of ['paths', 'definitions']) demandObject(source, value, part);
    return { form: 'OpenAPI v2', json: value, text };
  }
  if (stringMember(value, 'openapi') !== undefined) {
    const paths = demandObject(source, value, 'paths');
    const name = documentName(Object.keys(paths));
    if (name === undefined) throw new ImportError(source, 'paths', 'none that tells which document it is');
    return { form: 'OpenAPI v3', name, json: value, text };
  }
  if (stringMember(value, 'gitVersion') !== undefined) return { form: 'version', json: value };
  const kind = stringMember(value, 'kind');
  switch (kind) {
    case 'APIGroupDiscoveryList':
      demandArray(source, value, 'items');
      return { form: 'aggregated discovery', json: value };
    case 'APIGroupList':
      demandArray(source, value, 'groups');
      return { form: 'group list', json: value };
    case 'APIResourceList':
      demandArray(source, value, 'resources');
      if (stringMember(value, 'groupVersion') === undefined)
        throw new ImportError(source, 'groupVersion', 'must be a string');
      return { form: 'resource list', json: value };
    case 'CustomResourceDefinition':
    case 'CustomResourceDefinitionList':
    case 'List':
      return { form: 'definitions', definitions: definitionsIn(source, value) };
    case undefined: {
      const paths = arrayMember(value, 'paths');
      if (paths?.every((path) => typeof path === 'string') === true) return { form: 'root paths', paths };
      throw new ImportError(source, '', `not known; what is read is ${KNOWN}`);
    }
    case 'APIVersions':
      // What `/api` answers: the resource list of version 1 says more.
      return { form: 'definitions', definitions: [] };
    default:
      throw new ImportError(source, 'kind', `${kind} is not known; what is read is ${KNOWN}`);
  }
}

const DEFINITION = 'CustomResourceDefinition';
const DEFINITION_VERSION = 'apiextensions.k8s.io/v1';

function definitionsIn(source: string, value: JsonObject): readonly JsonObject[] {
  const isOne = stringMember(value, 'kind') === DEFINITION;
  const items = isOne ? [value] : demandArray(source, value, 'items');
  // The items of a list that a server answers say neither kind nor apiVersion.
  const ofList = stringMember(value, 'kind') === `${DEFINITION}List`;
  return items.map((item, i) => {
    const path = isOne ? '' : `items[${i}]`;
    if (!isJsonObject(item)) throw new ImportError(source, path, 'not an object');
    const definition = ofList
      ? { apiVersion: stringMember(value, 'apiVersion') ?? '', kind: DEFINITION, ...item }
      : item;
    const { apiVersion, kind } = definition;
    if (apiVersion !== DEFINITION_VERSION || kind !== DEFINITION) {
      const found = JSON.stringify([apiVersion, kind]);
      throw new ImportError(source, path, `must be ${DEFINITION} of ${DEFINITION_VERSION}, not ${found}`);
    }
    return definition;
  });
}

/** `apis/apps/v1` of `/apis/apps/v1/deployments`; of paths that belong to no group version the shortest. */
function documentName(paths: readonly string[]): string | undefined {
  const [shortest] = [...paths].sort((a, b) => a.length - b.length || compareUtf8(a, b));
  if (shortest === undefined) return undefined;
  const name = /^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\/./.exec(shortest)?.[1] ?? shortest;
  return name.replace(/^\/+|\/+$/g, '');
}

function demandObject(source: string, value: JsonObject, name: string): JsonObject {
  const found = objectMember(value, name);
  if (found === undefined) throw new ImportError(source, name, 'must be an object');
  return found;
}

function demandArray(source: string, value: JsonObject, name: string): readonly JsonValue[] {
  const found = arrayMember(value, name);
  if (found === undefined || !isJsonArray(found)) throw new ImportError(source, name, 'must be a list');
  return found;
}
