/** The documents in which a running cluster tells of its API, fetched over HTTP. */
import { type JsonObject, arrayMember, isJsonObject, objectMember, stringMember } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { httpsCall } from '../registry/https-call.js';
import { type ClusterConnection } from './cluster-connection.js';

export interface ClusterDocument {
  /** Where it belongs in a folder: `discovery/apis__apps__v1.json`. */
  readonly file: string;
  readonly url: string;
  readonly text: string;
}

export interface HttpAnswer {
  readonly code: number;
  readonly text: string;
}

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Of real time. */
const PATIENCE_MS = 30_000;

/**
 * Version, root paths, discovery in both forms, OpenAPI documents in both versions, definitions of custom resources.
 *
 * Shape: what an older cluster does not serve is left out, and told to `warn`.
 * Errors: an Error that names the address and what it answered, where there is no API at all.
 */
export async function clusterDocuments(
  connection: ClusterConnection,
  warn: (message: string) => void,
): Promise<readonly ClusterDocument[]> {
  const documents: ClusterDocument[] = [];
  const fetched = async (
    file: string,
    path: string,
    { accept = 'application/json', needed = false } = {},
  ): Promise<JsonObject | undefined> => {
    const url = `${connection.server}${path}`;
    const answer = await fetchText(connection, url, accept);
    const json = answer.code === 200 ? objectIn(answer.text) : undefined;
    if (json === undefined) {
      const problem = `${url} answers ${answer.code}${answer.code === 200 ? ', but no JSON object' : messageIn(answer.text)}`;
      if (needed) throw new Error(problem);
      warn(`left out: ${problem}`);
      return undefined;
    }
    documents.push({ file, url, text: answer.text });
    return json;
  };
  await fetched('version.json', '/version', { needed: true });
  await fetched('paths.json', '/');
  await fetched('discovery/api-aggregated.json', '/api', { accept: AGGREGATED });
  await fetched('discovery/apis-aggregated.json', '/apis', { accept: AGGREGATED });
  const groups = await fetched('discovery/apis.json', '/apis', { needed: true });
  const names = ['api/v1', ...groupVersionsIn(groups).map((name) => `apis/${name}`)];
  for (const name of names) await fetched(`discovery/${fileName(name)}.json`, `/${name}`);
  await fetched('openapi-spec/swagger.json', '/openapi/v2');
  const index = await fetchText(connection, `${connection.server}/openapi/v3`, 'application/json');
  const listed = index.code === 200 ? objectMember(objectIn(index.text), 'paths') : undefined;
  if (listed === undefined) warn(`left out: ${connection.server}/openapi/v3 answers ${index.code}`);
  for (const [name, entry] of Object.entries(listed ?? {})) {
    const path = isJsonObject(entry) ? stringMember(entry, 'serverRelativeURL') : undefined;
    await fetched(`openapi-spec/v3/${fileName(name)}_openapi.json`, path ?? `/openapi/v3/${name}`);
  }
  await fetched('definitions.json', DEFINITIONS);
  return documents;
}

const fileName = (name: string): string => name.replaceAll('/', '__');

const groupVersionsIn = (groups: JsonObject | undefined): readonly string[] =>
  (arrayMember(groups, 'groups') ?? [])
    .filter(isJsonObject)
    .flatMap((group) => arrayMember(group, 'versions') ?? [])
    .filter(isJsonObject)
    .map((version) => stringMember(version, 'groupVersion') ?? '');

function objectIn(text: string): JsonObject | undefined {
  const reading = readJson(Buffer.from(text));
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/** What a Status says, if it is one. */
function messageIn(text: string): string {
  const message = stringMember(objectIn(text), 'message');
  return message === undefined ? '' : `: ${message}`;
}

/** One GET. Errors: an Error that names the URL, when nobody answers. */
export async function fetchText(
  { authorization, ca, cert, key, serverName, unverified }: Omit<ClusterConnection, 'server'>,
  url: string,
  accept: string,
): Promise<HttpAnswer> {
  const headers = {
    Accept: accept,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    if (!/^https:/i.test(url)) {
      const response = await fetch(url, { headers, signal });
      return { code: response.status, text: await response.text() };
    }
    const answer = await httpsCall(new URL(url), {
      headers,
      signal,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(unverified === true ? { rejectUnauthorized: false } : {}),
    });
    return { code: answer.code, text: answer.body.toString() };
  } catch (cause) {
    throw new Error(`${url}: ${problemOf(cause)}`, { cause });
  }
}

/** What fetch fails with says the reason in its cause. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
