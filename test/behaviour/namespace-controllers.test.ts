/** What controllers put into namespaces, and how they end them. */
import { type Doc } from './documents.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('ended', {
  controllers: [
    'namespace-controller',
    'serviceaccount-controller',
    'root-ca-certificate-publisher-controller',
    'serviceaccount-token-controller',
  ],
});

const NAMESPACES = '/api/v1/namespaces';
const MERGE = 'application/merge-patch+json';
const settled = (): Promise<void> => target.own.server.settled();

/** Lets so much time pass, and the controllers do what is due then. */
async function later(ms: number): Promise<void> {
  await settled();
  await target.pass(ms);
  await settled();
}

async function namespace(name: string): Promise<string> {
  await target.done('POST', NAMESPACES, { metadata: { name } });
  await settled();
  return `${NAMESPACES}/${name}`;
}

const conditions = (found: Doc): Record<string, string> =>
  Object.fromEntries(
    (found.status as { conditions: { type: string; message: string }[] }).conditions.map(
      ({ type, message }) => [type, message],
    ),
  );

ownTest('a namespace gets its ServiceAccount and its certificate, and gets them back', async () => {
  const path = await namespace('furnished');
  expect((await target.get(`${path}/serviceaccounts/default`)).status).toBe(200);
  await target.done('DELETE', `${path}/serviceaccounts/default`);
  await target.done('PATCH', `${path}/configmaps/kube-root-ca.crt`, { data: { 'ca.crt': 'x' } }, MERGE);
  await settled();
  expect((await target.get(`${path}/serviceaccounts/default`)).status).toBe(200);
  const map = await target.done('GET', `${path}/configmaps/kube-root-ca.crt`);
  expect(map.data['ca.crt']).toContain('BEGIN CERTIFICATE');
});

ownTest('a namespace that is deleted is emptied after five seconds, and ends', async () => {
  const path = await namespace('brief');
  await target.done('POST', `${path}/configmaps`, { metadata: { name: 'content' } });
  await target.done('DELETE', path);
  await later(4999);
  expect((await target.get(`${path}/configmaps/content`)).status).toBe(200);
  await later(1);
  expect((await target.get(path)).status).toBe(404);
});

ownTest('what a finalizer holds, holds the namespace, whose conditions say so', async () => {
  const path = await namespace('holding');
  await target.done('POST', `${path}/configmaps`, {
    metadata: { name: 'held', finalizers: ['test.example/hold'] },
  });
  await target.done('DELETE', path);
  await later(5000);
  expect(conditions(await target.done('GET', path))).toMatchObject({
    NamespaceContentRemaining: 'Some resources are remaining: configmaps. has 1 resource instances',
    NamespaceFinalizersRemaining:
      'Some content in the namespace has finalizers remaining: test.example/hold in 1 resource instances',
  });
  await target.done('PATCH', `${path}/configmaps/held`, { metadata: { finalizers: null } }, MERGE);
  await later(8000);
  expect((await target.get(path)).status).toBe(404);
});

ownTest('nothing goes before the pods are gone', async () => {
  const path = await namespace('working');
  await target.done('POST', `${path}/pods`, {
    metadata: { name: 'busy' },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  await target.done('DELETE', path);
  await later(5000);
  expect((await target.get(`${path}/serviceaccounts/default`)).status).toBe(200);
  await target.done('DELETE', `${path}/pods/busy?gracePeriodSeconds=0`);
  await later(16_000);
  expect((await target.get(path)).status).toBe(404);
});

ownTest('a pod gets the account of its namespace, and its token', async () => {
  const path = await namespace('staffed');
  const pod = await target.done('POST', `${path}/pods`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  expect(pod.spec).toMatchObject({ serviceAccountName: 'default', volumes: [{ projected: {} }] });
  const refused = await target.send('POST', `${path}/pods`, {
    body: {
      metadata: { name: 'q' },
      spec: { serviceAccountName: 'nobody', containers: [{ name: 'c', image: 'i' }] },
    },
  });
  expect(refused.status).toBe(403);
  expect(refused.doc.message).toBe(
    'pods "q" is forbidden: error looking up service account staffed/nobody: serviceaccount "nobody" not found',
  );
});

ownTest('a secret that asks for a token gets one and goes with its account', async () => {
  const path = await namespace('tokens');
  const secret = {
    metadata: { name: 't', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  };
  await target.done('POST', `${path}/secrets`, secret);
  await settled();
  const { data } = await target.done('GET', `${path}/secrets/t`);
  expect(Object.keys(data)).toEqual(['ca.crt', 'namespace', 'token']);
  const review = await target.done('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    spec: { token: Buffer.from(data['token'] ?? '', 'base64').toString() },
  });
  expect(review.status).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:tokens:default' },
  });
  await target.done('DELETE', `${path}/serviceaccounts/default`);
  await settled();
  expect((await target.get(`${path}/secrets/t`)).status).toBe(404);
});
