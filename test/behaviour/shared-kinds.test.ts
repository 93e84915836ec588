/** Kinds that two groups or versions serve: one stored object, two forms. */
import { names, versionOf, type Doc } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('shared');

describe('events', () => {
  const core = (): string => target.path('events');
  const newer = (): string => `/apis/events.k8s.io/v1/namespaces/${target.namespace}/events`;
  const about = () => ({ kind: 'Pod', namespace: target.namespace, name: 'p' });

  test('written in core are read in events.k8s.io, under the names of that group', async () => {
    const made = await target.done('POST', core(), {
      metadata: { name: 'old' },
      involvedObject: about(),
      reason: 'Tested',
      message: 'hello',
      source: { component: 'tester' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:01Z',
      count: 3,
      type: 'Normal',
    });
    const seen = await target.done('GET', `${newer()}/old`);
    expect(seen.metadata.uid).toBe(made.metadata.uid);
    expect(seen.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    expect(seen).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: about(),
      reason: 'Tested',
      note: 'hello',
      deprecatedSource: { component: 'tester' },
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2026-01-01T00:00:01Z',
      deprecatedCount: 3,
    });
    for (const member of ['involvedObject', 'message', 'source', 'count'])
      expect(seen).not.toHaveProperty(member);
  });

  test('written in events.k8s.io are read and watched in core', async () => {
    const from = versionOf(await target.done('GET', core()));
    const watch = await target.watch(`${core()}?watch=1&resourceVersion=${from}`);
    const made = await target.done('POST', newer(), {
      metadata: { name: 'new' },
      eventTime: '2026-01-01T00:00:00.123456Z',
      reportingController: 'example.com/tester',
      reportingInstance: 'tester-1',
      action: 'Testing',
      reason: 'Tested',
      regarding: about(),
      note: 'hello',
      type: 'Normal',
    });
    const seen = await target.done('GET', `${core()}/new`);
    expect(seen).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: about(),
      message: 'hello',
      eventTime: '2026-01-01T00:00:00.123456Z',
      reportingComponent: 'example.com/tester',
      reportingInstance: 'tester-1',
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
    });
    expect(seen.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    expect(await watch.next()).toEqual({ type: 'ADDED', object: seen });
    watch.close();
  });

  test('are checked more strictly in events.k8s.io', async () => {
    const { status, doc } = await target.send('POST', newer(), {
      body: { metadata: { name: 'bad' }, regarding: about() },
    });
    expect(status).toBe(422);
    expect(doc.details.causes.map(({ field }) => field)).toEqual(['eventTime', 'type']);
  });

  test('are selected by the field names of their group', async () => {
    const select = (path: string, selector: string) =>
      target.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(names((await select(core(), 'involvedObject.name=p,source=tester')).doc)).toEqual(['old']);
    expect(names((await select(newer(), 'regarding.name=p,reason=Tested')).doc)).toEqual(['new', 'old']);
    const wrong = await select(core(), 'regarding.name=p');
    expect(wrong.status).toBe(400);
    expect(wrong.doc.message).toBe('field label not supported: regarding.name');
  });

  test('deleted in one group are gone in the other', async () => {
    const { doc } = await target.send('DELETE', `${newer()}/old`);
    expect(doc).toMatchObject({ status: 'Success', details: { group: 'events.k8s.io', kind: 'events' } });
    expect((await target.get(`${core()}/old`)).status).toBe(404);
  });

  test('begin a watch with their state and its bookmark, from the store itself', async () => {
    const watch = await target.watch(`${core()}?watch=1&allowWatchBookmarks=1`);
    const events = await watch.upTo('BOOKMARK');
    expect(events.at(-1)?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    watch.close();
  });
});

describe('horizontal pod autoscalers', () => {
  const v1 = (): string => `/apis/autoscaling/v1/namespaces/${target.namespace}/horizontalpodautoscalers`;
  const v2 = (): string => v1().replace('/v1/', '/v2/');
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const cpu = (averageUtilization: number) => ({
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
  });

  test('with a CPU target are the same in both versions', async () => {
    const made = await target.done('POST', v1(), {
      metadata: { name: 'cpu' },
      spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 70 },
    });
    const seen = await target.done('GET', `${v2()}/cpu`);
    expect(seen.metadata.uid).toBe(made.metadata.uid);
    expect(seen.spec).toEqual({ scaleTargetRef, minReplicas: 2, maxReplicas: 5, metrics: [cpu(70)] });
  });

  test('written in v2 show what v1 cannot say in annotations, which write it back', async () => {
    const memory = {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '10Mi' } },
    };
    await target.done('POST', v2(), {
      metadata: { name: 'memory' },
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 5, metrics: [memory, cpu(50)] },
    });
    const seen: Doc = await target.done('GET', `${v1()}/memory`);
    expect(seen.spec).toMatchObject({ targetCPUUtilizationPercentage: 50 });
    expect(seen.metadata.annotations).toEqual({
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"10Mi"}}]',
    });
    const written = await target.done('PUT', `${v1()}/memory`, {
      ...seen,
      spec: { ...seen.spec, targetCPUUtilizationPercentage: 60 },
    });
    expect(written.metadata.resourceVersion).not.toBe(seen.metadata.resourceVersion);
    const back = await target.done('GET', `${v2()}/memory`);
    expect(back.spec['metrics']).toEqual([memory, cpu(60)]);
    expect(back.metadata).not.toHaveProperty('annotations');
  });
});
