import { readFileSync } from 'node:fs';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../mockserver/ground/json.js';
import { customResourceOf } from '../../../mockserver/registry/custom-resource.js';
import { answerDiscovery } from '../../../mockserver/registry/discovery.js';
import { type DocumentAnswer } from '../../../mockserver/registry/document-answer.js';
import { type ServedApi, customGroupVersions, servedApi } from '../../../mockserver/registry/served-api.js';
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));

const recorded = read('openapi/1.36/discovery-1.36.json') as {
  legacy: Record<string, JsonObject>;
  aggregated: Record<string, JsonObject>;
  paths: string[];
};
const custom = read('fixtures/recorded/openapi-custom-resources.json') as {
  definitions: JsonObject[];
  paths: string[];
  groups: JsonObject[];
  lists: Record<string, JsonObject>;
  aggregated: JsonObject[];
};

const api = loadBuiltInApi();
const serverAddress = '<host>:<port>';
const served = servedApi({ api, custom: [], serverAddress });
const withCustom = servedApi({ api, custom: custom.definitions.map(customResourceOf), serverAddress });

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

type Discovered = DocumentAnswer & { readonly body: JsonValue };

function ask(
  path: string,
  options: { accept?: string; method?: string; headers?: Record<string, string>; of?: ServedApi } = {},
): Discovered {
  const url = new URL(path, 'http://x');
  const headers = { accept: options.accept ?? 'application/json', ...options.headers };
  const answer = answerDiscovery(
    url.pathname,
    url.searchParams,
    headers,
    options.of ?? served,
    options.method,
  );
  if (answer === undefined) throw new Error(`${path} is no discovery path`);
  if (Buffer.isBuffer(answer.body)) throw new Error(`${path} is no JSON`);
  return { ...answer, body: answer.body };
}

function text(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('not a text');
  return value;
}
const parentOf = (name: string): string => name.split('/')[0] ?? name;
const inWireOrder = (value: JsonValue): string => JSON.stringify(value);
const message = (answer: Discovered): JsonValue => {
  const body: JsonValue =
    typeof answer.body === 'string' ? (JSON.parse(answer.body) as JsonValue) : answer.body;
  return isJsonObject(body) ? (body['message'] ?? null) : null;
};

describe('built-in documents', () => {
  test.each(Object.keys(recorded.legacy))('%s is the recorded document, member by member', (path) => {
    const answer = ask(path);
    expect(answer.code).toBe(200);
    expect(answer.contentType).toBe('application/json');
    expect(inWireOrder(answer.body)).toBe(inWireOrder(recorded.legacy[path] ?? null));
    expect(ask(`${path}/`).body).toEqual(answer.body);
  });

  test.each([
    [
      '/api',
      '"4D7E1BED90B364BC86049DD9E636494980AEF65B7F8CFAA267616FA062B514A8A3CC2C2851CC9337B8D28B4C80960E2353DE5E0B152E87CC223E02EA3C5C37AC"',
    ],
    [
      '/apis',
      '"A74552DF419C4697E3A22F67B8FE55FD8F2CC33F6134FF206B16341598294CDE9896C7F67B2819217E6BB70E74F97FCC864DDFCDB02FDA565699CC7D6E3CC377"',
    ],
  ])('aggregated %s is the recorded document with the recorded tag', (path, etag) => {
    const answer = ask(path, { accept: AGGREGATED });
    expect(inWireOrder(answer.body)).toBe(inWireOrder(recorded.aggregated[path] ?? null));
    expect(answer.contentType).toBe(AGGREGATED);
    expect(answer.headers).toEqual({ ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' });
    const again = ask(path, { accept: AGGREGATED, headers: { 'if-none-match': etag } });
    expect(again).toMatchObject({ code: 304, body: '', headers: { ETag: etag } });
  });

  test('the root lists the recorded paths, indented', () => {
    const answer = ask('/', { accept: 'text/html', method: 'POST' });
    expect(answer.body).toBe(JSON.stringify({ paths: recorded.paths }, undefined, 2));
    expect(answer.contentType).toBe('application/json');
  });

  test('the version is that of the loaded files, indented', () => {
    const { body } = ask('/version/');
    if (typeof body !== 'string') throw new Error('not a text');
    expect(body.startsWith('{\n  "major": "1",\n  "minor": "36",\n')).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ gitVersion: 'v1.36.3', platform: 'linux/amd64' });
  });
});

describe('custom resources', () => {
  test('custom groups follow the built-in ones, ordered by their least version', () => {
    const { groups } = ask('/apis', { of: withCustom }).body as { groups: JsonObject[] };
    expect(groups.slice(-custom.groups.length)).toEqual(custom.groups);
  });

  test('aggregated discovery orders custom groups by name and resources by plural', () => {
    const { items } = ask('/apis', { of: withCustom, accept: AGGREGATED }).body as { items: JsonObject[] };
    expect(inWireOrder(items.slice(-custom.aggregated.length))).toBe(inWireOrder(custom.aggregated));
  });

  test.each(Object.keys(custom.lists))('the resources of %s are as recorded', (groupVersion) => {
    // The order of a real server's resources changes from start to start; that of a resource's entries does not.
    const inOrder = (list: JsonObject): JsonObject => ({
      ...list,
      resources: (list['resources'] as { name: string }[]).toSorted((a, b) =>
        parentOf(a.name).localeCompare(parentOf(b.name)),
      ),
    });
    const { body } = ask(`/apis/${groupVersion}`, { of: withCustom });
    expect(inWireOrder(inOrder(body as JsonObject))).toBe(
      inWireOrder(inOrder(custom.lists[groupVersion] ?? {})),
    );
  });

  test('resources of one version stand in the order in which they were given', () => {
    const names = (ask('/apis/openapi.example.com/v1', { of: withCustom }).body as JsonObject)['resources'];
    expect((names as { name: string }[]).map(({ name }) => name)).toEqual([
      'owidgets',
      'owidgets/status',
      'owidgets/scale',
      'ogadgets',
      'ogadgets/status',
    ]);
  });

  test('each custom group has its document', () => {
    for (const group of custom.groups) {
      expect(ask(`/apis/${text(group['name'])}`, { of: withCustom }).body).toEqual({
        kind: 'APIGroup',
        apiVersion: 'v1',
        ...group,
      });
    }
  });

  test('the root lists custom paths among the others, sorted', () => {
    const { body } = ask('/', { of: withCustom });
    const { paths } = JSON.parse(text(body)) as { paths: string[] };
    expect(paths.filter((path) => path.includes('openapi.') && path.startsWith('/apis'))).toEqual(
      custom.paths,
    );
    expect(paths).toEqual([...paths].sort());
  });

  test('a version that is not served is not found, as text', () => {
    expect(ask('/apis/openapi.example.com/v0', { of: withCustom })).toMatchObject({
      code: 404,
      contentType: 'text/plain; charset=utf-8',
      body: '404 page not found\n',
    });
  });

  test('what is being removed can no longer be added to', () => {
    const definition = custom.definitions[1];
    if (definition === undefined) throw new Error('no definition');
    const removed = { ...customResourceOf(definition), terminating: true };
    expect(customGroupVersions([removed])[0]?.resources[0]?.verbs).toEqual([
      'delete',
      'deletecollection',
      'get',
      'list',
      'watch',
    ]);
  });

  test('a storage version that is not served leaves the hash out', () => {
    const definition = custom.definitions[1];
    if (definition === undefined) throw new Error('no definition');
    const one = customResourceOf(definition);
    const versions = one.versions.map((version) =>
      version.storage ? { ...version, served: false } : version,
    );
    const [first] = customGroupVersions([{ ...one, versions }]);
    expect(first?.resources[0]?.storageVersionHash).toBeUndefined();
  });

  test('the tag changes with the resources served', () => {
    const before = ask('/apis', { accept: AGGREGATED }).headers['ETag'];
    expect(ask('/apis', { accept: AGGREGATED, of: withCustom }).headers['ETag']).not.toBe(before);
  });
});

describe('which document the client accepts', () => {
  test.each([
    ['v2, then plain', `${AGGREGATED},application/json`, AGGREGATED],
    [
      'parameters in another order',
      'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
      AGGREGATED,
    ],
    ['a profile', `${AGGREGATED};profile=nopeer`, AGGREGATED],
    ['plain is preferred, the list is accepted too', `application/json,${AGGREGATED};q=0.5`, AGGREGATED],
    ['anything is preferred, the list is accepted too', `*/*,${AGGREGATED}`, AGGREGATED],
    [
      'the beta, then plain',
      'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
      'application/json',
    ],
    ['yaml', 'application/yaml', 'application/yaml'],
    ['aggregated yaml', AGGREGATED.replace('json', 'yaml'), AGGREGATED.replace('json', 'yaml')],
    ['anything', '*/*', 'application/json'],
    ['a watch stream', 'application/json;stream=watch', 'application/json'],
    ['protobuf', 'application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
  ])('%s', (_name, accept, contentType) => {
    expect(ask('/api', { accept })).toMatchObject({ code: 200, contentType });
    expect(ask('/apis', { accept })).toMatchObject({ code: 200, contentType });
  });

  test('an absent header means JSON', () => {
    expect(answerDiscovery('/api', new URLSearchParams(), {}, served)).toMatchObject({
      code: 200,
      contentType: 'application/json',
    });
  });

  test('objects name their protobuf message', () => {
    expect(ask('/apis').message).toBe('k8s.io.apimachinery.pkg.apis.meta.v1.APIGroupList');
    expect(ask('/apis', { accept: AGGREGATED }).message).toBe(
      'k8s.io.api.apidiscovery.v2.APIGroupDiscoveryList',
    );
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1']) {
      expect(api.messageOf(ask(path).message ?? '')).toBeDefined();
    }
  });

  const NO_TYPE =
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const NO_ROUTE = '406: Not Acceptable\n\nAvailable representations: ';
  const OBJECTS = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  test.each([
    ['a built-in route', '/api', 'text/html', NO_ROUTE + OBJECTS],
    [
      'a built-in route, which knows no partial wildcard',
      '/apis/apps/v1',
      'application/*',
      NO_ROUTE + OBJECTS,
    ],
    ['a transformation of a built-in route', '/api', 'application/json;as=Table;g=meta.k8s.io;v=v1', NO_TYPE],
    ['a group of the aggregator', '/apis/apps', 'text/html', NO_TYPE],
    [
      'the beta alone',
      '/apis',
      'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
      NO_TYPE,
    ],
    ['the version, which is JSON', '/version', 'application/yaml', `${NO_ROUTE}application/json`],
    [
      'the keys, which are of their own type',
      '/openid/v1/jwks',
      'application/json',
      `${NO_ROUTE}application/jwk-set+json`,
    ],
  ])('406: %s', (_name, path, accept, text) => {
    const answer = ask(path, { accept });
    expect(answer.code).toBe(406);
    expect(message(answer)).toBe(text);
  });

  test('an error comes in the accepted type, and indented when none is', () => {
    expect(ask('/api', { accept: 'application/*' }).body).toMatchObject({ code: 406, details: {} });
    expect(ask('/version', { accept: 'application/yaml' }).contentType).toBe('application/yaml');
    expect(ask('/api', { accept: 'application/cbor' })).toMatchObject({
      contentType: 'application/json',
      body: expect.stringMatching(/^\{\n {2}"kind": "Status"/) as string,
    });
  });

  test('a body type that a built-in route does not take is refused, even of a GET', () => {
    const answer = ask('/api', { headers: { 'content-type': 'application/xml' } });
    expect([answer.code, message(answer)]).toEqual([415, '415: Unsupported Media Type']);
    expect(ask('/apis', { headers: { 'content-type': 'application/xml' } }).code).toBe(200);
  });
});

describe('paths and methods', () => {
  test.each(['/api', '/api/v1', '/apis/apps/v1', '/version', '/openid/v1/jwks'])(
    '%s takes GET only',
    (path) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
        const accept = '*/*';
        expect(ask(path, { method, accept })).toMatchObject({
          code: 405,
          body: { reason: 'MethodNotAllowed', details: {} },
        });
      }
    },
  );

  test.each([
    '/',
    '/apis',
    '/apis/apps',
    '/apis/openapi.example.com',
    '/apis/openapi.example.com/v1',
    '/healthz',
  ])('%s answers any method', (path) => {
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'HEAD']) {
      expect(ask(path, { method, of: withCustom }).code).toBe(200);
    }
  });

  test.each([
    '/api/v2',
    '/apis/apps/v9',
    '/apis/scheduling.k8s.io/v1alpha2',
    '/version/x',
    '/openid/v1/jwks/x',
  ])('%s is not found, as Status', (path) => {
    expect(ask(path).body).toMatchObject({
      message: 'the server could not find the requested resource',
      details: {},
      code: 404,
    });
  });

  test.each([
    '/apis/nope',
    '/apis/nope/v1',
    '/apis/internal.apiserver.k8s.io',
    '/apis/core',
    '/healthz/',
    '/livez/nope',
  ])('%s is not found, as text', (path) => {
    expect(ask(path)).toMatchObject({ code: 404, body: '404 page not found\n' });
  });

  test.each([
    '/nope',
    '/api/v1/pods',
    '/apis/apps/v1/deployments',
    '/openid',
    '//api',
    '/apis//v1',
    '/metrics',
  ])('%s is not discovery', (path) => {
    expect(answerDiscovery(path, new URLSearchParams(), {}, served)).toBeUndefined();
  });
});

describe('health', () => {
  test.each([
    '/healthz',
    '/livez',
    '/readyz',
    '/livez/ping',
    '/readyz/etcd-readiness',
    '/healthz/poststarthook/crd-informer-synced',
  ])('%s is ok', (path) => {
    expect(ask(path, { accept: 'text/html' })).toEqual({
      code: 200,
      contentType: 'text/plain; charset=utf-8',
      headers: { 'X-Content-Type-Options': 'nosniff' },
      body: 'ok',
    });
  });

  const lines = (path: string): string[] => text(ask(path).body).split('\n');

  test('verbose lists every check of the endpoint in its order', () => {
    expect(lines('/livez?verbose').slice(0, 4)).toEqual([
      '[+]ping ok',
      '[+]log ok',
      '[+]loopback-serving-certificate ok',
      '[+]etcd ok',
    ]);
    expect(lines('/livez?verbose').slice(-2)).toEqual(['livez check passed', '']);
    expect(lines('/readyz?verbose').slice(-3)).toEqual(['[+]shutdown ok', 'readyz check passed', '']);
    expect(lines('/livez?verbose=false')).toHaveLength(35);
  });

  test('excluded checks are marked, unknown ones are warned of in the order of the alphabet', () => {
    const text = lines('/livez?exclude=ping&exclude=zz&exclude=nope&verbose');
    expect(text[0]).toBe('[+]ping excluded: ok');
    expect(text.at(-3)).toBe('warn: some health checks cannot be excluded: no matches for "nope","zz"');
    expect(ask('/livez?exclude=nope').body).toBe('ok');
  });
});

describe('token issuer', () => {
  test('names itself and its keys, for an hour', () => {
    const answer = ask('/.well-known/openid-configuration');
    expect(answer.headers).toEqual({ 'Cache-Control': 'public, max-age=3600' });
    expect(answer.body).toBe(
      '{"issuer":"https://kubernetes.default.svc.cluster.local","jwks_uri":"https://\\u003chost\\u003e:\\u003cport\\u003e/openid/v1/jwks",' +
        '"response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}',
    );
  });

  test('serves the keys it is given', () => {
    const of = { ...served, serviceAccountKeys: () => [{ kty: 'RSA', kid: 'a' }] };
    expect(ask('/openid/v1/jwks', { accept: '*/*', of })).toMatchObject({
      contentType: 'application/jwk-set+json',
      body: '{"keys":[{"kty":"RSA","kid":"a"}]}',
    });
  });
});
