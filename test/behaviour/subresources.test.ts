/** Subresources: other views of an object, things done to it, and ways into it. */
import { type Answer } from './connection.js';
import { useTarget } from './target.js';

const target = useTarget('subresources');
const deployments = (rest: string): string =>
  `/apis/apps/v1/namespaces/${target.namespace}/deployments${rest}`;
const MERGE = 'application/merge-patch+json';

const pod = (name: string, labels: object = {}): Promise<unknown> =>
  target.done('POST', target.path('pods'), {
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });

const deployment = (name: string): Promise<unknown> =>
  target.done('POST', deployments(''), {
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    },
  });

const post = (path: string, body: object): Promise<Answer> => target.send('POST', path, { body });

describe('scale', () => {
  test('a scale shows replicas and selector, and writing it changes the object and its generation', async () => {
    await deployment('scaled');
    expect(await target.done('GET', deployments('/scaled/scale'))).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'scaled', namespace: target.namespace },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'a=b' },
    });
    const scale = await target.done('PUT', deployments('/scaled/scale'), {
      metadata: { name: 'scaled' },
      spec: { replicas: 5 },
    });
    expect(scale).toMatchObject({ spec: { replicas: 5 } });
    const after = await target.done('GET', deployments('/scaled'));
    expect(after).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
    expect(after).toMatchObject({ metadata: { resourceVersion: versionOf(scale) } });
  });

  test('a scale that changes nothing is not written', async () => {
    await deployment('same');
    const patch = (): Promise<unknown> =>
      target.done('PATCH', deployments('/same/scale'), { spec: { replicas: 3 } }, MERGE);
    const first = await patch();
    expect(versionOf(await patch())).toBe(versionOf(first));
  });

  test('a negative scale is refused under the name of the Scale', async () => {
    await deployment('negative');
    const { status, doc } = await target.send('PATCH', deployments('/negative/scale'), {
      body: { spec: { replicas: -3 } },
      type: MERGE,
    });
    expect(status).toBe(422);
    expect(doc).toMatchObject({
      message:
        'Scale.autoscaling "negative" is invalid: spec.replicas: Invalid value: -3: must be greater than or equal to 0',
      details: { name: 'negative', group: 'autoscaling', kind: 'Scale' },
    });
  });

  test.each([
    ['a version that is gone', { resourceVersion: '1' }, 409],
    ['the uid of another object', { uid: 'zz' }, 409],
    ['another name', { name: 'other' }, 400],
    ['another namespace', { namespace: 'other' }, 400],
  ])('a scale with %s is refused', async (_, metadata, code) => {
    const name = `refused-${code}-${Object.keys(metadata)[0] ?? ''}`.toLowerCase();
    await deployment(name);
    const { status } = await target.send('PUT', deployments(`/${name}/scale`), {
      body: { metadata: { name, ...metadata }, spec: { replicas: 3 } },
    });
    expect(status).toBe(code);
  });
});

describe('binding', () => {
  test('a bound pod has its node and says that it is scheduled; it is bound once', async () => {
    await pod('bound', { x: '1' });
    const bind = (node: string): Promise<Answer> =>
      post(target.path('pods/bound/binding'), {
        metadata: { name: 'bound', labels: { x: '2' } },
        target: { name: node },
      });
    const first = await bind('n1');
    expect(first.status).toBe(201);
    expect(first.doc).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      code: 201,
    });
    expect(await target.done('GET', target.path('pods/bound'))).toMatchObject({
      metadata: { labels: { x: '2' }, generation: 1 },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null }] },
    });
    const second = await bind('n2');
    expect(second.status).toBe(409);
    expect(second.doc).toMatchObject({
      message:
        'Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "n1"',
      details: { name: 'bound', kind: 'pods/binding' },
    });
  });

  test('what a binding lacks is a bare error', async () => {
    await pod('unbound');
    const { status, doc } = await post(target.path('pods/unbound/binding'), {
      metadata: { name: 'unbound' },
      target: { kind: 'Pod' },
    });
    expect(status).toBe(500);
    expect(doc).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
      code: 500,
    });
  });
});

describe('eviction', () => {
  const evict = (name: string, query = '', deleteOptions: object = {}): Promise<Answer> =>
    post(target.path(`pods/${name}/eviction${query}`), {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
      deleteOptions,
    });
  const running = async (name: string, app: string): Promise<void> => {
    await pod(name, { app });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await target.done('PATCH', target.path(`pods/${name}/status`), { status }, MERGE);
  };
  const budgets = (rest: string): string =>
    `/apis/policy/v1/namespaces/${target.namespace}/poddisruptionbudgets${rest}`;
  const budget = (name: string, app: string): Promise<unknown> =>
    target.done('POST', budgets(''), {
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app } } },
    });

  test('an evicted pod is seen with the reason, then goes', async () => {
    await pod('evicted');
    const events = await target.watch(`${target.path('pods')}?watch=1&fieldSelector=metadata.name%3Devicted`);
    await events.next();
    expect((await evict('evicted')).status).toBe(201);
    expect(await events.next()).toMatchObject({
      type: 'MODIFIED',
      object: {
        status: {
          conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }],
        },
      },
    });
    events.close();
    expect((await target.get(target.path('pods/evicted'))).status).toBe(404);
  });

  test('a dry run evicts nothing', async () => {
    await pod('kept');
    expect((await evict('kept', '?dryRun=All')).status).toBe(201);
    expect((await target.get(target.path('pods/kept'))).status).toBe(200);
  });

  test('a budget that nobody has looked at yet makes the client wait', async () => {
    await running('early', 'early');
    await budget('early', 'early');
    const { status, headers, doc } = await evict('early');
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('10');
    expect(doc).toMatchObject({
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget early is still being processed by the server.',
          },
        ],
        retryAfterSeconds: 10,
      },
    });
  });

  test('an allowed disruption is taken off the budget; the next one is refused', async () => {
    await running('one', 'shared');
    await running('two', 'shared');
    await budget('shared', 'shared');
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
    };
    await target.done('PATCH', budgets('/shared/status'), { status }, MERGE);
    expect((await evict('one')).status).toBe(201);
    expect(await target.done('GET', budgets('/shared'))).toMatchObject({
      status: {
        disruptionsAllowed: 0,
        disruptedPods: { one: expect.any(String) as string },
        conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
      },
    });
    const refused = await evict('two');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBeUndefined();
  });

  test.each([
    ['another uid', { preconditions: { uid: 'zz' } }, 'the UID in the precondition (zz)'],
    [
      'another version',
      { preconditions: { resourceVersion: '1' } },
      'the ResourceVersion in the precondition (1)',
    ],
  ])('a precondition of %s is a conflict', async (name, options, words) => {
    const podName = name.replace(' ', '-');
    await running(podName, 'nobody');
    const { status, doc } = await evict(podName, '', options);
    expect(status).toBe(409);
    expect(doc).toMatchObject({
      message: expect.stringContaining(
        `Operation cannot be fulfilled on Pod "${podName}": ${words}`,
      ) as string,
    });
  });
});

describe('resize and ephemeral containers', () => {
  test('a resize changes resources and nothing else', async () => {
    await target.done('POST', target.path('pods'), {
      metadata: { name: 'resized' },
      spec: {
        containers: [
          { name: 'c', image: 'i', resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } } },
        ],
      },
    });
    const path = target.path('pods/resized/resize');
    const change = [
      { op: 'replace', path: '/spec/containers/0/resources/requests/cpu', value: '200m' },
      { op: 'replace', path: '/spec/containers/0/image', value: 'other' },
    ];
    expect(await target.done('PATCH', path, change, 'application/json-patch+json')).toMatchObject({
      metadata: { generation: 2 },
      spec: { containers: [{ image: 'i', resources: { requests: { cpu: '200m' }, limits: { cpu: '1' } } }] },
    });
    const removal = [{ op: 'remove', path: '/spec/containers/0/resources/limits' }];
    const refused = await target.send('PATCH', path, { body: removal, type: 'application/json-patch+json' });
    expect(refused.doc).toMatchObject({
      message:
        'Pod "resized" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    });
  });

  test('an ephemeral container can be added but not removed', async () => {
    await pod('debugged');
    const path = target.path('pods/debugged/ephemeralcontainers');
    const added = { spec: { ephemeralContainers: [{ name: 'dbg', image: 'busybox' }] } };
    expect(await target.done('PATCH', path, added, MERGE)).toMatchObject(added);
    const { status, doc } = await target.send('PATCH', path, {
      body: { spec: { ephemeralContainers: [] } },
      type: MERGE,
    });
    expect(status).toBe(422);
    expect(doc).toMatchObject({
      message:
        'Pod "debugged" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "dbg" may not be removed\n',
    });
  });
});

describe('ways into a pod', () => {
  test.each([
    ['log?container=zz', 400, 'container zz is not valid for pod alone'],
    ['log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'log?tailLines=-1',
      422,
      'PodLogOptions "alone" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['exec?command=ls', 400, 'pod alone does not have a host assigned'],
    ['attach', 400, 'pod alone does not have a host assigned'],
    ['portforward', 400, 'pod alone does not have a host assigned'],
    ['proxy/a/b', 400, 'address not allowed'],
  ])('GET %s of a pod without a node is a %d', async (rest, code, message) => {
    if ((await target.get(target.path('pods/alone'))).status === 404) await pod('alone');
    const { status, doc } = await target.get(target.path(`pods/alone/${rest}`));
    expect(status).toBe(code);
    expect(doc).toMatchObject({ message });
  });

  test('the log of a pod without a node has nothing in it', async () => {
    await pod('silent');
    const { status, text } = await target.get(target.path('pods/silent/log'));
    expect([status, text]).toEqual([204, '']);
  });
});

describe('tokens', () => {
  const account = (): Promise<unknown> =>
    target.done('POST', target.path('serviceaccounts'), { metadata: { name: 'robot' } });
  const request = (spec: object): Promise<Answer> =>
    post(target.path('serviceaccounts/robot/token'), {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
    });

  test('a token lets its account in, and is reviewed as its own', async () => {
    await account();
    const { status, doc } = await request({});
    expect(status).toBe(201);
    expect(doc).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'robot', namespace: target.namespace },
      spec: { expirationSeconds: 3600, boundObjectRef: null },
    });
    const token = tokenOf(doc);
    const username = `system:serviceaccount:${target.namespace}:robot`;
    const review = await target.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      body: {},
      headers: { Authorization: `Bearer ${token}` },
    });
    if (review.status === 201) expect(review.doc).toMatchObject({ status: { userInfo: { username } } });
    const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
    expect((await post(reviews, { spec: { token } })).doc).toMatchObject({
      status: { authenticated: true, user: { username } },
    });
    expect((await post(reviews, { spec: { token, audiences: ['zz'] } })).doc).toMatchObject({
      status: { user: {}, error: expect.stringContaining('for the target audiences ["zz"]') as string },
    });
  });

  test('a token that would live less than ten minutes is refused', async () => {
    const { status, doc } = await request({ expirationSeconds: 599 });
    expect(status).toBe(422);
    expect(doc).toMatchObject({
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    });
  });
});

describe('reviews', () => {
  const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

  test('what is reviewed is answered and not stored', async () => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const { status, doc } = await post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec });
    expect(status).toBe(201);
    expect(doc).toMatchObject({ kind: 'SelfSubjectAccessReview', spec, status: { allowed: true } });
    expect((await target.get(`${AUTHORIZATION}/selfsubjectaccessreviews`)).status).toBe(405);
  });

  test('a review of nothing is refused, by an error that names no kind', async () => {
    const { status, doc } = await post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: {} });
    expect(status).toBe(422);
    expect(doc).toMatchObject({
      message:
        '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
    });
  });
});

test('computed objects are listed without a version, and never watched', async () => {
  const path = '/api/v1/componentstatuses';
  const list = await target.get(path);
  expect(list.headers['warning']).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  expect(list.doc).toMatchObject({ kind: 'ComponentStatusList', metadata: {} });
  const watch = await target.get(`${path}?watch=1`);
  expect(watch.status).toBe(405);
  expect(watch.doc).toMatchObject({
    message: 'watch is not supported on resources of kind "componentstatuses"',
  });
  expect((await target.get(`${path}/zz`)).doc).toMatchObject({ message: 'componentstatus "zz" not found' });
});

/** metadata.resourceVersion of a document. */
function versionOf(doc: unknown): string {
  const { metadata } = doc as { metadata: { resourceVersion: string } }; // every stored object has one
  return metadata.resourceVersion;
}

function tokenOf(doc: unknown): string {
  const { status } = doc as { status: { token: string } }; // what a TokenRequest answers
  return status.token;
}
