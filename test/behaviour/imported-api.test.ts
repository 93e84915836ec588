/** The API of a real cluster: what is served of it, and that it is served as that cluster serves it. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importCluster } from '../../mockserver/cli/import.js';
import { type MockServer, startMockServer } from '../../mockserver/facade/mock-server.js';

type Json = Record<string, unknown>;

const folder = mkdtempSync(join(tmpdir(), 'imported-'));
const whole = join(folder, 'whole');
const changed = join(folder, 'changed');
const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.ex.io' },
  spec: {
    group: 'ex.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } },
          },
        },
      },
    ],
  },
};

let original: MockServer;
let copy: MockServer;
let other: MockServer;

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

async function get(server: MockServer, path: string, accept = 'application/json'): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, { headers: { Accept: accept } });
  return `${answer.status} ${(await answer.text()).replaceAll(new URL(server.url).host, 'HOST')}`;
}

async function post(server: MockServer, path: string, body: object): Promise<{ code: number; body: Json }> {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { code: answer.status, body: (await answer.json()) as Json }; // the API answers objects
}

const spec = ({ body }: { body: Json }): unknown => body['spec'];

beforeAll(async () => {
  original = await startMockServer();
  await post(original, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
  await importCluster({ from: original.url, out: whole });
  await importCluster({ from: original.url, out: changed });
  makeAnother(changed);
  copy = await startMockServer({ openapi: whole });
  other = await startMockServer({ openapi: changed });
});

afterAll(async () => {
  for (const server of [original, copy, other]) await server.stop();
  rmSync(folder, { recursive: true });
});

/** An older cluster in one respect, a newer one in another, with an API of its own. */
function makeAnother(at: string): void {
  const edit = (file: string, change: (json: Json) => void): void => {
    const path = join(at, file);
    const json = JSON.parse(readFileSync(path, 'utf8')) as Json;
    change(json);
    writeFileSync(path, JSON.stringify(json));
  };
  const inList = (json: Json, name: string): Json[] => json[name] as Json[];
  edit('version.json', (json) => (json['gitVersion'] = 'v1.29.4'));
  edit('discovery/apis-aggregated.json', (json) => {
    const items = inList(json, 'items').filter(
      (item) => (item['metadata'] as Json)['name'] !== 'flowcontrol.apiserver.k8s.io',
    );
    const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
    const named = (version: string, kind: string): Json => ({ group: 'own.io', version, kind });
    items.push({
      metadata: { name: 'own.io' },
      versions: ['v2', 'v1'].map((version) => ({
        version,
        resources: [
          {
            resource: 'things',
            responseKind: named(version, 'Thing'),
            scope: 'Namespaced',
            singularResource: 'thing',
            verbs,
          },
          {
            resource: 'sights',
            responseKind: named(version, 'Sight'),
            scope: 'Cluster',
            singularResource: 'sight',
            verbs: ['create'],
          },
        ],
        freshness: 'Current',
      })),
    });
    json['items'] = items;
  });
  for (const file of ['discovery/apis.json', 'discovery/apis__flowcontrol.apiserver.k8s.io__v1.json'])
    rmSync(join(at, file));
  const schemas = (json: Json): Json => (json['components'] as { schemas: Json }).schemas;
  edit('openapi-spec/v3/apis__apps__v1_openapi.json', (json) => {
    const deployment = schemas(json)['io.k8s.api.apps.v1.DeploymentSpec'] as { properties: Json };
    delete deployment.properties['progressDeadlineSeconds'];
    deployment.properties['temperament'] = { type: 'string' };
  });
  const thing = (version: string): Json => ({
    type: 'object',
    required: ['status'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
      spec: { allOf: [{ $ref: '#/components/schemas/own.ThingSpec' }], default: {} },
    },
    'x-kubernetes-group-version-kind': [{ group: 'own.io', version, kind: 'Thing' }],
  });
  const document = {
    openapi: '3.0.0',
    info: { title: 'own' },
    paths: { '/apis/own.io/v1/things': {} },
    components: {
      schemas: {
        'own.v1.Thing': thing('v1'),
        'own.v2.Thing': thing('v2'),
        'own.ThingSpec': {
          type: 'object',
          properties: {
            color: { type: 'string', enum: ['red', 'blue'] },
            inner: { allOf: [{ $ref: '#/components/schemas/own.ThingSpec' }] },
          },
        },
      },
    },
  };
  writeFileSync(join(at, 'own.json'), JSON.stringify(document));
}

describe('a server of an imported API', () => {
  test.each([
    '/version',
    '/',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/apps/v1',
    '/apis/ex.io/v1',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/apis/batch/v1',
    '/openapi/v3/apis/ex.io/v1',
  ])('answers %s as the cluster does', async (path) => {
    expect(await get(copy, path)).toBe(await get(original, path));
  });

  test.each(['/api', '/apis'])('answers aggregated discovery of %s as the cluster does', async (path) => {
    expect(await get(copy, path, AGGREGATED)).toBe(await get(original, path, AGGREGATED));
  });

  test('has the definitions of the cluster, whose resources are served', async () => {
    const created = await post(copy, '/apis/ex.io/v1/namespaces/default/widgets', {
      apiVersion: 'ex.io/v1',
      kind: 'Widget',
      metadata: { name: 'a' },
      spec: {},
    });
    expect([created.code, spec(created)]).toEqual([201, { size: 3 }]);
  });

  test('forgets a definition that is deleted, in discovery and documents', async () => {
    const cluster = copy.createCluster();
    await fetch(`${cluster.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.ex.io`, {
      method: 'DELETE',
    });
    for (const path of ['/apis', '/openapi/v2', '/openapi/v3']) {
      expect(await get(copy, `/clusters/${cluster.name}${path}`)).not.toContain('ex.io');
    }
  });

  test('refuses what the kinds that both know refuse', async () => {
    const made = await post(copy, '/api/v1/namespaces/default/services', {
      metadata: { name: 'a' },
      spec: { ports: [] },
    });
    expect(made.body['message']).toBe('Service "a" is invalid: spec.ports: Required value');
  });
});

describe('what another cluster has', () => {
  test('is its version', async () => {
    expect(await get(other, '/version')).toContain('v1.29.4');
  });

  test('lacks what it does not serve', async () => {
    expect(await get(other, '/apis')).not.toContain('flowcontrol');
    expect(await get(other, '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas')).toMatch(/^404/);
  });

  const deployment = (more: object): object => ({
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...more,
    },
  });

  test('knows no member that its schema lacks, and takes one that it has besides', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments?fieldValidation=Strict';
    const strict = await post(other, path, deployment({ progressDeadlineSeconds: 5 }));
    expect(strict.body['message']).toContain('unknown field "spec.progressDeadlineSeconds"');
    const taken = await post(other, path, deployment({ temperament: 'calm' }));
    expect(spec(taken)).toMatchObject({ temperament: 'calm', replicas: 1 });
    const typed = await post(other, path, deployment({ temperament: 7 }));
    expect(typed.code).toBe(400);
  });

  const thing = (version: string, of: object): object => ({
    apiVersion: `own.io/${version}`,
    kind: 'Thing',
    metadata: { name: 'a' },
    spec: of,
  });

  test('serves a kind of its own as its schema has it, in all its versions', async () => {
    const path = '/apis/own.io/v1/namespaces/default/things';
    const refused = await post(other, path, thing('v1', { color: 'green' }));
    expect(refused.body['message']).toBe(
      'Thing.own.io "a" is invalid: spec.color: Unsupported value: "green": supported values: "red", "blue"',
    );
    const made = await post(other, path, thing('v1', { inner: { color: 'red' }, colour: 'red' }));
    expect([made.code, spec(made)]).toEqual([201, { inner: { color: 'red' } }]);
    expect(await get(other, '/apis/own.io/v2/namespaces/default/things/a')).toContain(
      '"apiVersion":"own.io/v2"',
    );
  });

  test('lists what it cannot serve', async () => {
    expect(await get(other, '/apis/own.io/v1')).toContain('"sights"');
    expect((await post(other, '/apis/own.io/v1/sights', {})).code).toBe(404);
  });
});

describe('a document alone', () => {
  test('of version 2 tells of everything but version 3', async () => {
    const file = join(whole, 'openapi-spec/swagger.json');
    await using server = await startMockServer({ openapi: file });
    expect(await get(server, '/openapi/v3')).toMatch(/^404/);
    expect(await get(server, '/apis/apps/v1')).toBe(await get(original, '/apis/apps/v1'));
  });

  test('is read from a URL', async () => {
    await using server = await startMockServer({ openapi: `${original.url}/openapi/v2` });
    expect(await get(server, '/api/v1')).toBe(await get(original, '/api/v1'));
  });

  test('of a cluster is read from its address', async () => {
    await using server = await startMockServer({ openapi: original.url });
    expect(await get(server, '/openapi/v3')).toBe(await get(original, '/openapi/v3'));
  });
});

describe('what cannot be used is named with its file and the path in it', () => {
  test.each([
    ['no JSON', 'a.json', '{"swagger":', /a\.json: .*JSON/],
    ['no object', 'a.json', '[]', /a\.json: not an object/],
    ['an unknown form', 'a.json', '{"a": 1}', /a\.json: not known; what is read is an OpenAPI v2/],
    ['an unknown kind', 'a.json', '{"kind": "Pod"}', /a\.json: kind: Pod is not known/],
    ['OpenAPI without paths', 'a.json', '{"openapi": "3.0.0"}', /a\.json: paths: must be an object/],
    [
      'OpenAPI with no path',
      'a.json',
      '{"openapi": "3.0.0", "paths": {}}',
      /a\.json: paths: none that tells/,
    ],
    [
      'a list of something else',
      'a.yaml',
      'kind: List\nitems: [{kind: Pod}]\n',
      /a\.yaml:1: items\[0\]: must be CustomResourceDefinition/,
    ],
    [
      'a part of an API',
      'a.json',
      '{"openapi": "3.0.0", "paths": {"/apis/own.io/v1/things": {}}}',
      /no document tells of namespaces in v1/,
    ],
    ['broken YAML', 'a.yaml', 'a: [', /a\.yaml: yaml: line 1/],
  ])('%s', async (_, name, text, message) => {
    const at = mkdtempSync(join(folder, 'bad-'));
    writeFileSync(join(at, name), text);
    await expect(startMockServer({ openapi: at })).rejects.toThrow(message);
  });

  test('a folder without documents', async () => {
    const at = mkdtempSync(join(folder, 'empty-'));
    expect(readdirSync(at)).toEqual([]);
    await expect(startMockServer({ openapi: at })).rejects.toThrow('no JSON or YAML file in this folder');
  });

  test('a path that is not there', async () => {
    await expect(startMockServer({ openapi: join(folder, 'none') })).rejects.toThrow('ENOENT');
  });

  test('an address where nobody answers', async () => {
    await expect(startMockServer({ openapi: 'http://127.0.0.1:1' })).rejects.toThrow('http://127.0.0.1:1: ');
  });
});
