/** What the plugins of admission do to writes, as recorded from a real server; and that they can be switched. */
import { readFileSync } from 'node:fs';
import { type MockServer, type ServerOptions, startMockServer } from '../../mockserver/index.js';
import { type Answer, type Place, send } from './connection.js';
import { ownTest } from './target.js';

type Sent = readonly [method: string, path: string, body?: unknown, type?: string];

interface Case {
  readonly id: string;
  readonly promise: string;
  readonly given?: readonly Sent[];
  readonly request: Sent;
  readonly status: number;
  readonly output: unknown;
  readonly warnings?: readonly string[];
  readonly without?: { readonly status: number };
}

const cases = JSON.parse(
  readFileSync(new URL('../../fixtures/recorded/admission/writes.json', import.meta.url), 'utf8'),
  // The recording says what it holds.
) as readonly Case[];

async function onServer<T>(options: ServerOptions, use: (ask: Ask) => Promise<T>): Promise<T> {
  await using server: MockServer = await startMockServer(options);
  const place: Place = { url: server.url, token: '' };
  return await use(([method, path, body, type]) =>
    send(place, method, path, {
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { type }),
    }),
  );
}
type Ask = (request: Sent) => Promise<Answer>;

async function answerTo({ given = [], request }: Case, ask: Ask): Promise<Answer> {
  for (const one of given) await ask(one);
  return await ask(request);
}

const OF_EACH_RUN = ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields'];

/** Without what differs from run to run. */
function shown({ doc }: Answer): unknown {
  if (doc.kind === 'Status') return doc;
  const kept = Object.entries(doc.metadata).filter(([name]) => !OF_EACH_RUN.includes(name));
  return { ...doc, metadata: Object.fromEntries(kept) };
}

/** The recorded answer, with what may be any value taken from ours. */
function filledIn(expected: unknown, actual: unknown): unknown {
  if (expected === '<any>' || expected === '<maybe>') return actual;
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      filledIn(value, (actual as Record<string, unknown> | undefined)?.[name]),
    ]),
  );
}

const warningsOf = (answer: Answer): readonly string[] =>
  [...(answer.headers['warning'] ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );

ownTest.each(cases)('$promise', async (one) => {
  const answer = await onServer({}, (ask) => answerTo(one, ask));
  expect(answer.status).toBe(one.status);
  expect(warningsOf(answer)).toEqual(one.warnings ?? []);
  expect(shown(answer)).toEqual(filledIn(one.output, answer.doc));
});

const changed = cases.filter(({ without }) => without !== undefined);

ownTest.each(changed)('without plugins it is not so: $promise', async (one) => {
  const answer = await onServer({ admission: 'none' }, (ask) => answerTo(one, ask));
  expect([answer.status, warningsOf(answer)]).toEqual([one.without?.status, []]);
});

const POD = (name: string, spec: object = {}): Sent => [
  'POST',
  '/api/v1/namespaces/default/pods',
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  },
];

ownTest('a plugin that is disabled does nothing, the others go on', async () => {
  const answer = await onServer({ admission: { disable: ['DefaultTolerationSeconds'] } }, (ask) =>
    ask(POD('p')),
  );
  expect(answer.doc.spec).toMatchObject({ priority: 0 });
  expect(answer.doc.spec).not.toHaveProperty('tolerations');
});

ownTest('ServiceAccount, once enabled, names the account and mounts its token', async () => {
  const [refused, answer] = await onServer({ admission: { enable: ['ServiceAccount'] } }, async (ask) => [
    await ask(POD('p', { serviceAccountName: 'absent' })),
    await ask(POD('p')),
  ]);
  expect([refused.status, refused.doc.message]).toEqual([
    403,
    'pods "p" is forbidden: error looking up service account default/absent: serviceaccount "absent" not found',
  ]);
  // The test says which members there are to be.
  const spec = answer.doc.spec as unknown as PodSpec;
  const mount = spec.containers[0]?.volumeMounts[0];
  expect([spec.serviceAccountName, spec.serviceAccount]).toEqual(['default', 'default']);
  expect(mount).toMatchObject({ readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' });
  expect(mount?.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  expect(spec.volumes[0]).toMatchObject({ name: mount?.name, projected: { defaultMode: 420 } });
});

interface PodSpec {
  readonly serviceAccountName: string;
  readonly serviceAccount: string;
  readonly containers: readonly { readonly volumeMounts: readonly { readonly name: string }[] }[];
  readonly volumes: readonly { readonly name: string }[];
}

const QUOTA = '/api/v1/namespaces/default/resourcequotas';
const CONFIG_MAP = (name: string): Sent => [
  'POST',
  '/api/v1/namespaces/default/configmaps',
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
];

ownTest('a quota is told what passes, in the name of the server, and refuses what is too much', async () => {
  const status = { hard: { configmaps: '1' }, used: { configmaps: '0' } };
  const merge = 'application/merge-patch+json';
  const [quota, refused] = await onServer({}, async (ask) => {
    await ask([
      'POST',
      QUOTA,
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: status.hard } },
    ]);
    await ask(['PATCH', `${QUOTA}/q/status`, { status }, merge]);
    await ask(CONFIG_MAP('a'));
    return [await ask(['GET', `${QUOTA}/q`]), await ask(CONFIG_MAP('b'))] as const;
  });
  expect(quota.doc.status).toEqual({ hard: { configmaps: '1' }, used: { configmaps: '1' } });
  expect(quota.doc.metadata.managedFields.find((one) => one.manager === 'kube-apiserver')).toMatchObject({
    operation: 'Update',
    subresource: 'status',
    fieldsV1: { 'f:status': { 'f:used': { 'f:configmaps': {} } } },
  });
  expect(refused.doc.message).toBe(
    'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
  );
});

ownTest('a namespace that becomes stricter warns of the pods that are there', async () => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const answer = await onServer({}, async (ask) => {
    await ask(POD('a'));
    await ask(POD('b'));
    return await ask([
      'PATCH',
      '/api/v1/namespaces/default',
      { metadata: { labels } },
      'application/merge-patch+json',
    ]);
  });
  expect(warningsOf(answer)).toEqual([
    'existing pods in namespace "default" violate the new PodSecurity enforce level "restricted:latest"',
    'a (and 1 other pod): allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
  ]);
});

ownTest.each([
  ['an unknown plugin', { enable: ['Nope'] }, /admission\.enable: Nope is none of AlwaysAdmit, /],
  ['one that is not there', { enable: ['AlwaysDeny'] }, /AlwaysDeny is not there/],
  ['one both on and off', { enable: ['Priority'], disable: ['Priority'] }, /Priority is both/],
] as const)('options refuse %s', async (_, admission, message) => {
  await expect(startMockServer({ admission })).rejects.toThrow(message);
});
