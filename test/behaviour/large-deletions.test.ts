/** Deletions of more than one turn of the event loop has room for. */
import { eventually } from '../../testkit/client/eventually.js';
import { startMockServer, type MockServer } from '../../mockserver/index.js';

let server: MockServer;

beforeAll(async () => {
  server = await startMockServer({ controllers: ['garbage-collector-controller', 'replicaset-controller'] });
});
afterAll(() => server.stop());

const CORE = '/api/v1/namespaces/default';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.io/v1/namespaces/default/widgets';

interface Answered {
  readonly metadata: { readonly uid: string };
  readonly items: readonly { readonly metadata: { readonly ownerReferences?: readonly object[] } }[];
}

async function send(method: string, path: string, body?: object): Promise<Answered> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as Answered;
}

const many = (count: number, work: (i: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

const isGone = async (path: string): Promise<boolean> => (await fetch(`${server.url}${path}`)).status === 404;

const define = (): Promise<Answered> =>
  send('POST', DEFINITIONS, {
    metadata: { name: 'widgets.example.io' },
    spec: {
      group: 'example.io',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  });

const widget = (name: string, finalizers: readonly string[] = []): Promise<Answered> =>
  send('POST', WIDGETS, { apiVersion: 'example.io/v1', kind: 'Widget', metadata: { name, finalizers } });

test('a definition with many objects ends when all of them are gone', async () => {
  await define();
  await many(250, (i) => widget(`w-${i}`));
  await send('DELETE', `${DEFINITIONS}/widgets.example.io`);
  await eventually(async () => expect(await isGone(`${DEFINITIONS}/widgets.example.io`)).toBe(true));
  await define();
  expect((await send('GET', WIDGETS)).items).toEqual([]);
  await send('DELETE', `${DEFINITIONS}/widgets.example.io`);
});

test('one object that is held holds the definition, and it alone is left', async () => {
  await define();
  await widget('a-held', ['example.io/hold']);
  await many(250, (i) => widget(`w-${i}`));
  await send('DELETE', `${DEFINITIONS}/widgets.example.io`);
  await eventually(async () => expect((await send('GET', WIDGETS)).items).toHaveLength(1));
  expect(await isGone(`${DEFINITIONS}/widgets.example.io`)).toBe(false);
  await send('PATCH', `${WIDGETS}/a-held`, { metadata: { finalizers: null } });
  expect(await isGone(`${DEFINITIONS}/widgets.example.io`)).toBe(true);
});

test('an owner that is orphaned goes when every dependent has let go of it', async () => {
  const { metadata } = await send('POST', `${CORE}/configmaps`, { metadata: { name: 'owner' } });
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid };
  await many(60, (i) =>
    send('POST', `${CORE}/secrets`, { metadata: { name: `s-${i}`, ownerReferences: [owner] } }),
  );
  await send('DELETE', `${CORE}/configmaps/owner`, { propagationPolicy: 'Orphan' });
  await server.settled();
  expect(await isGone(`${CORE}/configmaps/owner`)).toBe(true);
  const { items } = await send('GET', `${CORE}/secrets`);
  expect(items.map((one) => one.metadata.ownerReferences)).toEqual(Array(60).fill(undefined));
});

test('a set makes and takes away more pods than fit into one turn', async () => {
  const labels = { app: 'many' };
  const path = '/apis/apps/v1/namespaces/default/replicasets';
  const pods = async (): Promise<number> => {
    await server.settled();
    return (await send('GET', `${CORE}/pods`)).items.length;
  };
  await send('POST', path, {
    metadata: { name: 'many' },
    spec: {
      replicas: 80,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  expect(await pods()).toBe(80);
  await send('PATCH', `${path}/many`, { spec: { replicas: 10 } });
  expect(await pods()).toBe(10);
});
