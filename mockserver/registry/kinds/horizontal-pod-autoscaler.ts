/** HorizontalPodAutoscalers: stored as autoscaling/v2; autoscaling/v1 keeps what it has no field for in annotations. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  arrayMember,
  copyObject,
  isJsonObject,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { type ApiObject, EMPTY, editMetadata, withMetadata } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';
import { behaviorFromText, behaviorToText } from './horizontal-pod-autoscaler-behavior.js';
import {
  metricFromV1,
  metricStatusFromV1,
  metricStatusToV1,
  metricToV1,
} from './horizontal-pod-autoscaler-metrics.js';
import { parsedArray } from './parsed-annotation.js';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
/** All annotations that belong to the conversion; the two tolerances are dropped only. */
const CARRIERS = [
  METRICS,
  CURRENT_METRICS,
  CONDITIONS,
  BEHAVIOR,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];

/** What a v1 object without any metric asks for. */
const DEFAULT_CPU_UTILIZATION_PERCENT = 80;

/** Source: kubernetes apis/autoscaling/v1/conversion.go. */
export const horizontalPodAutoscalerRules: KindRules = {
  group: 'autoscaling',
  resource: 'horizontalpodautoscalers',
  conversions: [{ apiVersion: 'autoscaling/v1', fromStorage: toV1, toStorage: fromV1 }],
};

function isCpuUtilization(metric: JsonValue): boolean {
  return cpuUtilization(metric, 'target') !== undefined;
}

function cpuUtilization(metric: JsonValue, part: 'target' | 'current'): JsonValue | undefined {
  if (!isJsonObject(metric) || stringMember(metric, 'type') !== 'Resource') return undefined;
  const resource = objectMember(metric, 'resource');
  if (stringMember(resource, 'name') !== 'cpu') return undefined;
  return member(objectMember(resource, part), 'averageUtilization') ?? undefined;
}

function toV1(object: ApiObject): ApiObject {
  const spec = objectMember(object, 'spec') ?? EMPTY;
  const status = objectMember(object, 'status') ?? EMPTY;
  const metrics = arrayMember(spec, 'metrics') ?? [];
  const current = arrayMember(status, 'currentMetrics') ?? [];
  const conditions = arrayMember(status, 'conditions') ?? [];
  const behavior = objectMember(spec, 'behavior');

  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const carried: MutableJsonObject = {};
  if (others.length > 0) carried[METRICS] = writeJson(others.filter(isJsonObject).map(metricToV1));
  if (current.length > 0) {
    carried[CURRENT_METRICS] = writeJson(current.filter(isJsonObject).map(metricStatusToV1));
  }
  if (behavior !== undefined) carried[BEHAVIOR] = behaviorToText(behavior);
  if (conditions.length > 0) {
    carried[CONDITIONS] = writeJson(conditions.filter(isJsonObject).map(conditionInOrder));
  }

  const target = metrics.map((metric) => cpuUtilization(metric, 'target')).find((one) => one !== undefined);
  const used = current
    .map((metric) => cpuUtilization(metric, 'current'))
    .findLast((one) => one !== undefined);
  return withCarriers(
    {
      ...object,
      apiVersion: 'autoscaling/v1',
      spec: {
        ...without(spec, 'metrics', 'behavior'),
        ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }),
      },
      status: {
        ...without(status, 'currentMetrics', 'conditions'),
        currentReplicas: member(status, 'currentReplicas') ?? 0,
        ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
      },
    },
    carried,
  );
}

function fromV1(object: ApiObject): ApiObject {
  const spec = objectMember(object, 'spec') ?? EMPTY;
  const status = objectMember(object, 'status') ?? EMPTY;
  const annotations = objectMember(object.metadata, 'annotations');

  const target = numberMember(spec, 'targetCPUUtilizationPercentage');
  const carriedMetrics = parsedArray(stringMember(annotations, METRICS));
  const metrics: JsonArray = [
    ...(carriedMetrics ?? []).map(metricFromV1),
    ...(target === undefined ? [] : [cpuTarget(target)]),
  ];
  const behavior = behaviorFromText(stringMember(annotations, BEHAVIOR));

  const used = member(status, 'currentCPUUtilizationPercentage') ?? undefined;
  const current: JsonArray | undefined =
    parsedArray(stringMember(annotations, CURRENT_METRICS))?.map(metricStatusFromV1) ??
    (used === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: used } } }]);
  const conditions = parsedArray(stringMember(annotations, CONDITIONS))?.map(conditionInOrder);

  return withCarriers(
    {
      ...object,
      apiVersion: 'autoscaling/v2',
      spec: {
        ...without(spec, 'targetCPUUtilizationPercentage'),
        metrics: metrics.length > 0 ? metrics : [cpuTarget(DEFAULT_CPU_UTILIZATION_PERCENT)],
        ...(behavior === undefined ? {} : { behavior }),
      },
      status: {
        ...without(status, 'currentCPUUtilizationPercentage'),
        ...(current === undefined ? {} : { currentMetrics: current }),
        ...(conditions === undefined ? {} : { conditions }),
      },
    },
    {},
  );
}

const cpuTarget = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** A condition with its members in the order in which Go writes them into the annotation. */
function conditionInOrder(condition: JsonObject): JsonObject {
  const reason = stringMember(condition, 'reason');
  const message = stringMember(condition, 'message');
  return {
    type: member(condition, 'type') ?? '',
    status: member(condition, 'status') ?? '',
    lastTransitionTime: member(condition, 'lastTransitionTime') ?? null,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
}

/** The object with exactly these annotations of the conversion; annotations of others stay. */
function withCarriers(object: ApiObject, carried: JsonObject): ApiObject {
  const annotations = objectMember(object.metadata, 'annotations') ?? EMPTY;
  const next = { ...without(annotations, ...CARRIERS), ...carried };
  return withMetadata(
    object,
    editMetadata(object.metadata, { annotations: Object.keys(next).length === 0 ? undefined : next }),
  );
}

function without(object: JsonObject, ...names: readonly string[]): MutableJsonObject {
  const copy = copyObject(object);
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}
