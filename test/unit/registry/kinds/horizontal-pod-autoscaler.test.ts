/** HorizontalPodAutoscalers in two versions: fixtures/recorded/horizontal-pod-autoscaler.json and rules of the source. */
import { readFileSync } from 'node:fs';
import {
  type JsonObject,
  arrayMember,
  isJsonObject,
  objectMember,
} from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { horizontalPodAutoscalerRules } from '../../../../mockserver/registry/kinds/horizontal-pod-autoscaler.js';
import { object } from './objects.js';

const recorded = JSON.parse(
  readFileSync(
    new URL('../../../../fixtures/recorded/horizontal-pod-autoscaler.json', import.meta.url),
    'utf8',
  ),
) as Record<'v2' | 'v1' | 'afterV1Write', ApiObject>;

const conversion = horizontalPodAutoscalerRules.conversions?.[0];
const toV1 = (hpa: ApiObject): ApiObject => conversion?.fromStorage(hpa) ?? hpa;
const fromV1 = (hpa: ApiObject): ApiObject => conversion?.toStorage(hpa) ?? hpa;
const v1 = (spec: JsonObject, annotations?: JsonObject): ApiObject =>
  object(
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    { name: 'h', ...(annotations ? { annotations } : {}) },
    { spec },
  );
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const cpu = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

test('v2 read through v1 carries the rest in annotations', () => {
  const annotations = { ...objectMember(recorded.v1.metadata, 'annotations') };
  // Whether < is written as \u003c is the JSON writer's business.
  const plain = (text: unknown): unknown =>
    typeof text === 'string' ? text.replaceAll('\\u003c', '<') : text;
  const wanted = Object.fromEntries(Object.entries(annotations).map(([name, text]) => [name, plain(text)]));
  const made = toV1(recorded.v2);
  const own = Object.entries(objectMember(made.metadata, 'annotations') ?? {});
  expect(Object.fromEntries(own.map(([name, text]) => [name, plain(text)]))).toEqual(wanted);
  expect({ ...made, metadata: null }).toEqual({ ...recorded.v1, metadata: null });
});

test('what v1 carries comes back, its cpu target last', () => {
  const back = fromV1(recorded.v1);
  expect(back['spec']).toEqual(recorded.afterV1Write['spec']);
  expect(objectMember(back.metadata, 'annotations')).toEqual({ a: 'b' });
  expect(objectMember(back, 'status')?.['conditions']).toEqual(
    objectMember(recorded.v2, 'status')?.['conditions'],
  );
});

test('without any metric it asks for 80 % of cpu', () => {
  expect(fromV1(v1({ maxReplicas: 3 }))['spec']).toEqual({ maxReplicas: 3, metrics: [cpu(80)] });
});

test('a metrics annotation that is no JSON is dropped', () => {
  const hpa = fromV1(v1({ targetCPUUtilizationPercentage: 10 }, { [METRICS]: '{no', x: 'y' }));
  expect(hpa['spec']).toEqual({ metrics: [cpu(10)] });
  expect(hpa.metadata).toEqual({ name: 'h', annotations: { x: 'y' } });
});

test('the annotations go when nothing else is left', () => {
  expect(fromV1(v1({}, { [METRICS]: '[]' })).metadata).toEqual({ name: 'h' });
});

test.each([
  [
    '{"ScaleUp":{"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null}}',
    { scaleUp: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] } },
  ],
  ['{"scaleDown":{"stabilizationwindowseconds":3}}', { scaleDown: { stabilizationWindowSeconds: 3 } }],
  ['{}', undefined],
  ['nonsense', undefined],
])('behavior is read from %s', (text, behavior) => {
  expect(objectMember(fromV1(v1({}, { [BEHAVIOR]: text })), 'spec')?.['behavior']).toEqual(behavior);
});

test('an object metric beside an average does not take the zero for a value', () => {
  const metric = (value: string): string =>
    `[{"type":"Object","object":{"target":{"kind":"S","name":"s"},"metricName":"m","targetValue":"${value}","averageValue":"2"}}]`;
  const target = (value: string): unknown => {
    const [first] =
      arrayMember(objectMember(fromV1(v1({}, { [METRICS]: metric(value) })), 'spec'), 'metrics') ?? [];
    return isJsonObject(first) ? objectMember(first, 'object')?.['target'] : undefined;
  };
  expect(target('0')).toEqual({ type: 'AverageValue', averageValue: '2' });
  expect(target('1')).toEqual({ type: 'AverageValue', value: '1', averageValue: '2' });
});
