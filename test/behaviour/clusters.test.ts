/** Clusters of one server: each is whole, and nothing crosses from one to another. */
import fc from 'fast-check';
import { fault, type MockCluster, type MockServer, startMockServer } from '../../mockserver/index.js';
import { closeIdleConnections, send } from './connection.js';
import { type Doc, names } from './documents.js';
import { EventStream } from './event-stream.js';
import { definitionObject, placeOf } from './target.js';

const MAPS = '/api/v1/namespaces/default/configmaps';

let server: MockServer;
beforeAll(async () => {
  server = await startMockServer();
});
afterAll(async () => {
  closeIdleConnections();
  await server.stop();
});

const placeOfCluster = ({ url }: { readonly url: string }) => ({ url, token: '' });
const create = async (cluster: MockCluster, name: string, data: object = {}): Promise<Doc> =>
  (await send(placeOfCluster(cluster), 'POST', MAPS, { body: { metadata: { name }, data } })).doc;
const listed = async (cluster: MockCluster): Promise<Doc> =>
  (await send(placeOfCluster(cluster), 'GET', MAPS)).doc;
const mock = async (path: string, body?: unknown, method = 'POST') => {
  const answer = await send(
    { url: server.url, token: '' },
    method,
    `/_mock/${path}`,
    body === undefined ? {} : { body },
  );
  return { status: answer.status, value: JSON.parse(answer.text) as Record<string, unknown> };
};

test("a new cluster has a fresh cluster's objects, an address and a kubeconfig of its own", async () => {
  using cluster = server.createCluster({ name: 'team-a' });
  expect(cluster.url).toBe(`${server.url}/clusters/team-a`);
  expect(placeOf(cluster.kubeconfig).url).toBe(cluster.url);
  const { doc } = await send(placeOfCluster(cluster), 'GET', '/api/v1/namespaces');
  expect(names(doc)).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
});

test('namespaces of two clusters have different uids', async () => {
  using one = server.createCluster();
  using other = server.createCluster();
  const uids = await Promise.all(
    [server, one, other].map(async (place) => {
      const { doc } = await send(placeOfCluster(place), 'GET', '/api/v1/namespaces/kube-system');
      return doc.metadata.uid;
    }),
  );
  expect(new Set(uids).size).toBe(3);
});

test('what is written to one of several clusters, defined in it or done to it is seen in that one alone', async () => {
  const write = fc.record({ cluster: fc.nat(2), name: fc.constantFrom('a', 'b', 'c'), put: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 25 }), async (steps) => {
      const clusters = [server.createCluster(), server.createCluster(), server.createCluster()];
      const first = clusters[0];
      if (first === undefined) throw new Error('there are three');
      clusters.push(first.fork());
      const models = clusters.map(() => new Map<string, string>());
      const seen = await Promise.all(
        clusters.map((cluster) => EventStream.open(placeOfCluster(cluster), `${MAPS}?watch=1`)),
      );
      for (const [i, { cluster: at, name, put }] of steps.entries()) {
        const model = models[at];
        const place = placeOfCluster(clusters[at] ?? first);
        if (put && model?.has(name) === false) {
          await send(place, 'POST', MAPS, { body: { metadata: { name }, data: { i: `${i}` } } });
          model.set(name, `${i}`);
        } else if (!put && model?.delete(name)) await send(place, 'DELETE', `${MAPS}/${name}`);
      }
      for (const [i, cluster] of clusters.entries()) {
        const list = await listed(cluster);
        expect(new Map(list.items.map(({ metadata, data }) => [metadata.name, data['i']]))).toEqual(
          models[i],
        );
        const writes = cluster.journal.requests.filter(({ verb }) => verb === 'create' || verb === 'delete');
        const own = await create(cluster, `end-${i}`);
        const watched = seen[i];
        if (watched === undefined) throw new Error('each has a watch');
        const events = await watched.take(writes.length + 1);
        expect(events.at(-1)?.object).toEqual(own);
        watched.close();
        cluster.delete();
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);

test('definitions, faults and the journal belong to one cluster', async () => {
  using one = server.createCluster();
  using other = server.createCluster();
  const definition = definitionObject({ group: 'example.com', plural: 'widgets', kind: 'Widget' });
  await send(placeOfCluster(one), 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: definition,
  });
  one.faults.add(fault.status({ resource: 'configmaps' }, 503));
  const statusOf = async (cluster: MockCluster, path: string): Promise<number> =>
    (await send(placeOfCluster(cluster), 'GET', path)).status;
  expect(await statusOf(one, '/apis/example.com/v1/widgets')).toBe(200);
  expect(await statusOf(other, '/apis/example.com/v1/widgets')).toBe(404);
  expect(await statusOf(one, MAPS)).toBe(503);
  expect(await statusOf(other, MAPS)).toBe(200);
  expect(other.journal.requests.map(({ url }) => url)).toEqual([MAPS]);
});

test('tokens of service accounts are good in their own cluster', async () => {
  using one = server.createCluster();
  using other = server.createCluster();
  for (const cluster of [one, other]) {
    await send(placeOfCluster(cluster), 'POST', '/api/v1/namespaces/default/serviceaccounts', {
      body: { metadata: { name: 'sa' } },
    });
  }
  const { doc } = await send(
    placeOfCluster(one),
    'POST',
    '/api/v1/namespaces/default/serviceaccounts/sa/token',
    { body: { spec: {} } },
  );
  const { token } = doc.status as { readonly token: string }; // of every TokenRequest
  expect((await send({ url: one.url, token }, 'GET', MAPS)).status).toBe(200);
  const { journal } = other;
  await send({ url: other.url, token }, 'GET', MAPS);
  expect(journal.requests.at(-1)?.user).not.toBe('system:serviceaccount:default:sa');
});

test('a cluster that is deleted ends its watches and is not there any more; its name is free', async () => {
  const cluster = server.createCluster({ name: 'gone' });
  const watch = await EventStream.open(placeOfCluster(cluster), `${MAPS}?watch=1`);
  expect(() => server.createCluster({ name: 'gone' })).toThrow('is taken');
  cluster.delete();
  cluster.delete();
  await expect(watch.nextFrame()).rejects.toThrow('ended');
  expect((await send({ url: `${server.url}/clusters/gone`, token: '' }, 'GET', MAPS)).status).toBe(404);
  server.createCluster({ name: 'gone' }).delete();
});

test.each([
  ['deleted', (cluster: MockCluster) => cluster.delete()],
  ['reset', (cluster: MockCluster) => cluster.reset()],
])('a server that is shut on account of one cluster opens when that is %s', async (_name, end) => {
  using cluster = server.createCluster({ frozenAt: '2026-01-01T00:00:00Z' });
  cluster.control.refuseConnections();
  await expect(listed(server.cluster)).rejects.toThrow();
  end(cluster);
  expect((await listed(server.cluster)).kind).toBe('ConfigMapList');
});

test("a cluster's own choice of admission plugins goes before that of its server", async () => {
  await using plain = await startMockServer({ admission: 'none' });
  const hasPriority = (cluster: MockCluster): boolean => cluster.served.cluster.admission.has('Priority');
  expect(hasPriority(plain.createCluster())).toBe(false);
  const own = plain.createCluster({ cluster: { admission: {} } });
  expect(hasPriority(own)).toBe(true);
  expect(hasPriority(own.fork())).toBe(true);
});

test('a cluster that cannot be made is not there', () => {
  expect(() =>
    server.createCluster({ name: 'bad', faults: [fault.status({ regex: 1 } as never, 503)] }),
  ).toThrow();
  expect(server.clusters.has('bad')).toBe(false);
});

test('a thousand clusters stand beside one another', async () => {
  const clusters = Array.from({ length: 1000 }, () => server.createCluster());
  for (const i of [0, 500, 999]) {
    const cluster = clusters[i];
    if (cluster === undefined) throw new Error('there are a thousand');
    await create(cluster, `map-${i}`);
    expect(names(await listed(cluster))).toEqual([`map-${i}`]);
  }
  for (const cluster of clusters) cluster.delete();
  expect([...server.clusters.keys()]).toEqual(['default']);
});

describe('over HTTP', () => {
  test('clusters are made, listed and deleted', async () => {
    const made = await mock('clusters', { name: 'over-http', seed: 1 });
    expect(made).toEqual({
      status: 201,
      value: { name: 'over-http', url: `${server.url}/clusters/over-http` },
    });
    expect((await mock('clusters', undefined, 'GET')).value['clusters']).toContainEqual(made.value);
    expect(server.deleteCluster('over-http')).toBe(true);
    expect((await mock('clusters/over-http', undefined, 'DELETE')).status).toBe(404);
  });

  test('a cluster begins with the objects of the body, in whatever order they wait for each other', async () => {
    const metadata = { name: 'map', namespace: 'team' };
    const items = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }];
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    const objects = [{ apiVersion: 'v1', kind: 'List', items }, namespace];
    expect((await mock('clusters', { name: 'with-objects', objects })).status).toBe(201);
    const answer = await fetch(`${server.url}/clusters/with-objects/api/v1/namespaces/team/configmaps/map`);
    expect(answer.status).toBe(200);
    server.deleteCluster('with-objects');
  });

  test.each([
    ['a name that cannot stand in a path', { name: 'A/b' }, 400, 'DNS label'],
    ['a member that nobody knows', { sede: 1 }, 400, 'there is no option sede; did you mean seed?'],
    ['a member of another type', { seed: 'x' }, 400, 'seed: must be a whole number'],
    ['a snapshot that is not there', { snapshot: 'none' }, 404, 'no snapshot named none'],
    ["a file of the server's machine", { load: ['crds.yaml'] }, 400, 'there is no option load'],
    [
      'an object of no kind',
      { objects: [{ kind: 'Nobody' }] },
      400,
      'objects[0]: no resource for kind "Nobody"',
    ],
    ['what is no object', { objects: [3] }, 400, 'objects[0]: not an object'],
  ])('%s is refused', async (_name, body, code, message) => {
    const { status, value } = await mock('clusters', body);
    expect(status).toBe(code);
    expect(value['message']).toContain(message);
  });

  test('the default cluster stays', async () => {
    expect((await mock('clusters/default', undefined, 'DELETE')).status).toBe(400);
  });
});

test('an address that two clusters refuse is open again when both have let go', async () => {
  const frozenAt = '2026-01-01T00:00:00Z';
  const shared = await startMockServer();
  const [one, two] = [shared.createCluster({ frozenAt }), shared.createCluster({ frozenAt })];
  const asked = (): Promise<number | string> =>
    fetch(`${shared.url}/readyz`).then(
      ({ status }) => status,
      () => 'refused',
    );
  one.control.refuseConnections(1000);
  two.control.refuseConnections(5000);
  await one.clock.advance(1000);
  expect(await asked()).toBe('refused');
  await two.clock.advance(5000);
  expect(await asked()).toBe(200);
  await shared.stop();
});
