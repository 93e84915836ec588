/** What updates of some kinds keep, count and drop. */
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { daemonSetRules } from '../../../../mockserver/registry/kinds/daemon-set.js';
import { endpointSliceRules } from '../../../../mockserver/registry/kinds/endpoint-slice.js';
import { withOwnSelector } from '../../../../mockserver/registry/kinds/job-selector.js';
import { persistentVolumeClaimRules } from '../../../../mockserver/registry/kinds/persistent-volume-claim.js';
import { persistentVolumeRules } from '../../../../mockserver/registry/kinds/persistent-volume.js';
import { serviceAccountRules } from '../../../../mockserver/registry/kinds/service-account.js';
import { NOW, context, main, object } from './objects.js';

describe('the template generation of a DaemonSet', () => {
  const NAME = 'deprecated.daemonset.template.generation';
  const daemonSet = (generation: string, template: JsonObject): ApiObject =>
    object('apps/v1', 'DaemonSet', { annotations: { [NAME]: generation } }, { spec: { template } });

  test.each<[name: string, sent: string, template: JsonObject, expected: string]>([
    ['grows when the template changes', '3', { spec: {} }, '4'],
    ['stays when it does not', '3', {}, '3'],
    ['is not what a client says', '9', {}, '3'],
  ])('%s', (_name, sent, template, expected) => {
    const next = daemonSetRules.prepareForUpdate?.(
      daemonSet(sent, template),
      daemonSet('3', {}),
      main('apps/v1'),
      context,
    );
    expect(next?.metadata['annotations']).toEqual({ [NAME]: expected });
  });

  test.each([
    ['begins at 1', {}, '1'],
    ['begins where a client says', { [NAME]: '7' }, '7'],
  ])('%s', (_name, annotations, expected) => {
    const made = daemonSetRules.prepareForCreate?.(object('apps/v1', 'DaemonSet', { annotations }), context);
    expect(made?.metadata['annotations']).toEqual({ [NAME]: expected });
  });
});

describe('the time of a phase of a PersistentVolume', () => {
  const BEFORE = '2025-01-01T00:00:00Z';
  const volume = (status: JsonObject): ApiObject => object('v1', 'PersistentVolume', {}, { status });
  const stored = volume({ phase: 'Pending', lastPhaseTransitionTime: BEFORE });

  test.each<[name: string, status: JsonObject, expected: string]>([
    ['is now when the phase changes', { phase: 'Bound', lastPhaseTransitionTime: BEFORE }, NOW],
    ['is what the client says with the change', { phase: 'Bound', lastPhaseTransitionTime: 'then' }, 'then'],
    ['stays when the phase does', { phase: 'Pending' }, BEFORE],
  ])('%s', (_name, status, expected) => {
    const request = { apiVersion: 'v1', subresource: 'status' };
    const next = persistentVolumeRules.prepareForUpdate?.(volume(status), stored, request, context);
    expect(next?.['status']).toEqual({ phase: status['phase'], lastPhaseTransitionTime: expected });
  });
});

describe('what a PersistentVolumeClaim is filled from', () => {
  const other = { apiGroup: 'x.y', kind: 'Z', name: 'n' };
  const claim = (spec: JsonObject): ApiObject => object('v1', 'PersistentVolumeClaim', {}, { spec });

  test.each<[name: string, spec: JsonObject, before: JsonObject, expected: JsonObject]>([
    [
      'stays when it was in use',
      { dataSource: other },
      { dataSource: other },
      { dataSource: other, dataSourceRef: other },
    ],
    ['goes when it was not', { dataSource: other }, {}, {}],
    ['stands under both names', { dataSourceRef: other }, {}, { dataSource: other, dataSourceRef: other }],
    ['is not of another namespace', { dataSourceRef: { ...other, namespace: 'b' } }, {}, {}],
  ])('%s', (_name, spec, before, expected) => {
    const next = persistentVolumeClaimRules.prepareForUpdate?.(
      claim(spec),
      claim(before),
      main('v1'),
      context,
    );
    expect(next?.['spec']).toEqual(expected);
  });
});

test('a ServiceAccount names its secrets and says no more of them', () => {
  const sent = object(
    'v1',
    'ServiceAccount',
    {},
    { secrets: [{ name: 'a', namespace: 'b' }, { name: 'c' }] },
  );
  expect(serviceAccountRules.prepareForCreate?.(sent, context)['secrets']).toEqual([
    { name: 'a' },
    { name: 'c' },
  ]);
  const plain = object('v1', 'ServiceAccount', {}, { secrets: [{ name: 'c' }] });
  expect(serviceAccountRules.prepareForCreate?.(plain, context)).toBe(plain);
});

describe('the topology of old of an EndpointSlice', () => {
  const HOST = { 'kubernetes.io/hostname': 'n' };
  const slice = (endpoint: JsonObject): ApiObject =>
    object('discovery.k8s.io/v1', 'EndpointSlice', {}, { endpoints: [endpoint] });
  const update = (endpoint: JsonObject, before: JsonObject): unknown =>
    endpointSliceRules.prepareForUpdate?.(
      slice(endpoint),
      slice(before),
      main('discovery.k8s.io/v1'),
      context,
    )['endpoints'];

  test('is dropped', () => {
    expect(update({ deprecatedTopology: HOST }, {})).toEqual([{}]);
  });

  test('stays while the endpoints do', () => {
    expect(update({ deprecatedTopology: HOST }, { deprecatedTopology: HOST })).toEqual([
      { deprecatedTopology: HOST },
    ]);
  });

  test('leaves the node that it named before', () => {
    const changed = { addresses: ['10.1.1.1'], deprecatedTopology: HOST };
    expect(update(changed, { deprecatedTopology: HOST })).toEqual([
      { addresses: ['10.1.1.1'], nodeName: 'n' },
    ]);
  });
});

describe('the selector of a Job', () => {
  const UID = 'batch.kubernetes.io/controller-uid';
  const job = (spec: JsonObject, labels?: JsonObject): ApiObject =>
    object('batch/v1', 'Job', { name: 'j', uid: 'u', ...(labels === undefined ? {} : { labels }) }, { spec });
  const made = { 'batch.kubernetes.io/job-name': 'j', 'controller-uid': 'u', 'job-name': 'j', [UID]: 'u' };

  test('is its uid', () => {
    expect(withOwnSelector(job({}))['spec']).toEqual({
      selector: { matchLabels: { [UID]: 'u' } },
      template: { metadata: { labels: made } },
    });
  });

  test('leaves what a client says', () => {
    const spec = {
      selector: { matchLabels: { [UID]: 'v' } },
      template: { metadata: { labels: { 'job-name': 'k' } } },
    };
    expect(withOwnSelector(job(spec))['spec']).toEqual({
      selector: { matchLabels: { [UID]: 'v' } },
      template: { metadata: { labels: { ...made, 'job-name': 'k' } } },
    });
  });

  test('is left to a job that selects by hand', () => {
    const manual = job({ manualSelector: true });
    expect(withOwnSelector(manual)).toBe(manual);
  });

  test('goes into labels of the job that defaulting took from the template, and into no others', () => {
    const labels = { a: 'b' };
    const spec = { template: { metadata: { labels } } };
    expect(withOwnSelector(job(spec, labels)).metadata['labels']).toEqual({ a: 'b', ...made });
    expect(withOwnSelector(job(spec, { a: 'b' })).metadata['labels']).toEqual({ a: 'b' });
  });
});
