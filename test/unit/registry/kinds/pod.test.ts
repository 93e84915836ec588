/** Pods: expectations recorded from kube-apiserver 1.36.3. */
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { qosClassOf } from '../../../../mockserver/registry/kinds/pod-quality.js';
import { podRules } from '../../../../mockserver/registry/kinds/pod.js';
import { jobRules } from '../../../../mockserver/registry/kinds/job.js';
import { nodeRules } from '../../../../mockserver/registry/kinds/node.js';
import { replicationControllerRules } from '../../../../mockserver/registry/kinds/replication-controller.js';
import { NOW, context, object } from './objects.js';

const pod = (spec: JsonObject, status: JsonObject = {}, labels: JsonObject = {}): ApiObject =>
  object('v1', 'Pod', { name: 'p', labels }, { spec, status });
const container = (requests?: JsonObject, limits?: JsonObject): JsonObject => ({
  resources: { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) },
});
const status = { apiVersion: 'v1', subresource: 'status' };

test.each<[string, JsonObject, JsonObject, number | undefined, number]>([
  ['not scheduled', { terminationGracePeriodSeconds: 30 }, {}, 10, 0],
  ['scheduled', { nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, undefined, 30],
  ['scheduled, of its own period', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, {}, undefined, 5],
  ['scheduled, asked for 2', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, {}, 2, 2],
  ['scheduled, asked for 0', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, {}, 0, 0],
  ['scheduled, asked for less than nothing', { nodeName: 'n' }, {}, -1, 1],
  ['succeeded', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, { phase: 'Succeeded' }, 9, 0],
  ['failed', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, { phase: 'Failed' }, undefined, 0],
])('grace of a pod %s', (_, spec, state, gracePeriodSeconds, seconds) => {
  expect(podRules.graceSeconds?.(pod(spec, state), { gracePeriodSeconds })).toBe(seconds);
});

test('a create sets the status, whatever the client sends', () => {
  const made = podRules.prepareForCreate?.(pod({ containers: [{}] }, { phase: 'Running' }), context);
  expect(made?.['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
});

test('a gated pod is told why it is not scheduled', () => {
  const made = podRules.prepareForCreate?.(pod({ schedulingGates: [{ name: 'g' }] }), context);
  expect(made?.['status']).toEqual({
    phase: 'Pending',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: NOW,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ],
    qosClass: 'BestEffort',
  });
});

test('label keys become requirements of the selectors beside them', () => {
  const term = {
    topologyKey: 'z',
    labelSelector: {},
    matchLabelKeys: ['a', 'absent'],
    mismatchLabelKeys: ['b'],
  };
  const without = { topologyKey: 'z', matchLabelKeys: ['a'] };
  const sent = pod(
    {
      topologySpreadConstraints: [
        { labelSelector: { matchLabels: { q: '1' } }, matchLabelKeys: ['a'] },
        without,
      ],
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
        },
      },
    },
    {},
    { a: 'x', b: 'y' },
  );
  const requirement = { key: 'a', operator: 'In', values: ['x'] };
  const filled = {
    ...term,
    labelSelector: { matchExpressions: [requirement, { key: 'b', operator: 'NotIn', values: ['y'] }] },
  };
  expect(podRules.prepareForCreate?.(sent, context)['spec']).toEqual({
    topologySpreadConstraints: [
      { labelSelector: { matchLabels: { q: '1' }, matchExpressions: [requirement] }, matchLabelKeys: ['a'] },
      without,
    ],
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [filled] },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: filled }],
      },
    },
  });
});

const both = (cpu: string, memory: string): JsonObject => ({ cpu, memory });

test.each<[string, JsonObject, string]>([
  ['nothing asked', { containers: [container()] }, 'BestEffort'],
  ['zeros only', { containers: [container({ cpu: '0' }, { memory: '0' })] }, 'BestEffort'],
  ['another resource only', { containers: [container({ 'ex.io/gpu': '1' })] }, 'BestEffort'],
  ['a request only', { containers: [container({ cpu: '1' })] }, 'Burstable'],
  ['all equal', { containers: [container(both('1', '1Gi'), both('1000m', '1024Mi'))] }, 'Guaranteed'],
  ['unequal', { containers: [container(both('1', '1Gi'), both('2', '1Gi'))] }, 'Burstable'],
  ['no memory limit', { containers: [container({ cpu: '1' }, { cpu: '1' })] }, 'Burstable'],
  ['one of two', { containers: [container(both('1', '1'), both('1', '1')), container()] }, 'Burstable'],
  [
    'an init container',
    { containers: [container(both('1', '1'), both('1', '1'))], initContainers: [container()] },
    'Burstable',
  ],
  [
    'the pod’s own',
    { resources: { requests: both('1', '1'), limits: both('1', '1') }, containers: [container()] },
    'Guaranteed',
  ],
  [
    'the pod’s own requests',
    { resources: { requests: both('1', '1') }, containers: [container()] },
    'Burstable',
  ],
])('quality of a pod with %s', (_, spec, qosClass) => {
  expect(qosClassOf(spec)).toBe(qosClass);
});

describe('a status update', () => {
  const update = (next: JsonObject, previous: JsonObject): unknown =>
    podRules.prepareForUpdate?.(pod({}, next), pod({}, previous), status, context)['status'];

  test.each([
    ['podIP alone', { podIP: '1.1.1.1' }, { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] }],
    ['podIPs alone', { podIPs: [{ ip: '1.1.1.1' }] }, { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] }],
    [
      'two that differ',
      { podIP: '2.2.2.2', podIPs: [{ ip: '1.1.1.1' }] },
      { podIP: '2.2.2.2', podIPs: [{ ip: '2.2.2.2' }] },
    ],
  ])('makes one of %s', (_, sent, stored) => {
    expect(update(sent, {})).toEqual(stored);
  });

  test('keeps the quality and what was observed', () => {
    const before = {
      qosClass: 'Burstable',
      observedGeneration: 4,
      conditions: [{ type: 'Ready', observedGeneration: 3 }],
    };
    expect(update({ conditions: [{ type: 'Ready' }, { type: 'X' }] }, before)).toEqual({
      qosClass: 'Burstable',
      observedGeneration: 4,
      conditions: [{ type: 'Ready', observedGeneration: 3 }, { type: 'X' }],
    });
  });
});

test.each([
  ['spec.host', pod({ nodeName: 'n' }), 'n'],
  ['spec.hostNetwork', pod({}), 'false'],
  ['spec.hostNetwork', pod({ hostNetwork: true }), 'true'],
  ['status.podIP', pod({}, { podIPs: [{ ip: '1.1.1.1' }] }), '1.1.1.1'],
  ['status.podIP', pod({}), ''],
  ['status.podIPs', pod({}, { podIPs: [{ ip: '1.1.1.1' }] }), ''],
])('the field %s of a pod', (field, selected, value) => {
  expect(podRules.fields?.[field]?.(selected)).toBe(value);
});

test.each([
  ['a node takes pods', nodeRules, 'spec.unschedulable', {}, 'false'],
  ['a node takes none', nodeRules, 'spec.unschedulable', { spec: { unschedulable: true } }, 'true'],
  ['a job without status', jobRules, 'status.successful', {}, '0'],
  ['a job with successes', jobRules, 'status.successful', { status: { succeeded: 2 } }, '2'],
  ['a controller without status', replicationControllerRules, 'status.replicas', {}, '0'],
])('the field of %s', (_, rules, field, members, value) => {
  expect(rules.fields?.[field]?.(object('v1', 'K', {}, members))).toBe(value);
});

test('a delete of jobs that says nothing of their pods is warned of', () => {
  const warned = (wish: object): string | undefined =>
    jobRules.deleteWarning?.({ gracePeriodSeconds: undefined, ...wish });
  expect(warned({})).toMatch(/^child pods are preserved by default/);
  expect(warned({ propagationPolicy: 'Orphan' })).toBeUndefined();
  expect(warned({ orphanDependents: false })).toBeUndefined();
});
