/**
 * Metrics of a HorizontalPodAutoscaler in the form that v1's annotations have, which is that of autoscaling/v2beta1.
 *
 * Members stand in the order in which Go writes them, since they end as text. What is not a pointer in Go is always
 * written: a quantity that is not set as `"0"`.
 * Source: kubernetes apis/autoscaling/v1/conversion.go; the types of k8s.io/api/autoscaling/v1.
 */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonObject,
  member,
  objectMember,
} from '../../ground/json.js';
import { EMPTY } from '../../ground/object.js';

const ZERO = '0';

type Convert = (source: JsonObject) => JsonObject;

/** The object with those members that are set. */
function set(members: Readonly<Record<string, JsonValue | undefined>>): MutableJsonObject {
  const out: MutableJsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && value !== null) out[name] = value;
  }
  return out;
}

const part = (object: JsonObject, name: string): JsonObject => objectMember(object, name) ?? EMPTY;

/** Labels in order of their keys, as Go writes maps. */
function selectorOf(metric: JsonObject): JsonValue | undefined {
  const selector = objectMember(metric, 'selector');
  const labels = objectMember(selector, 'matchLabels');
  if (selector === undefined) return undefined;
  return set({
    matchLabels:
      labels && Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
    matchExpressions: member(selector, 'matchExpressions'),
  });
}

function reference(object: JsonObject): JsonObject {
  return {
    kind: member(object, 'kind') ?? '',
    name: member(object, 'name') ?? '',
    ...(member(object, 'apiVersion') ? set({ apiVersion: member(object, 'apiVersion') }) : {}),
  };
}

/** The sources in the order of the type's members. */
const KINDS = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;
type SourceTable = Readonly<Record<(typeof KINDS)[number], Convert>>;

function converted(metric: JsonObject, table: SourceTable): JsonObject {
  const out: MutableJsonObject = { type: member(metric, 'type') ?? '' };
  for (const kind of KINDS) {
    const source = member(metric, kind);
    if (isJsonObject(source)) out[kind] = table[kind](source);
  }
  return out;
}

const TARGET_TO_V1: SourceTable = {
  object: (source) => ({
    target: reference(part(source, 'describedObject')),
    metricName: member(part(source, 'metric'), 'name') ?? '',
    targetValue: member(part(source, 'target'), 'value') ?? ZERO,
    ...set({
      selector: selectorOf(part(source, 'metric')),
      averageValue: member(part(source, 'target'), 'averageValue'),
    }),
  }),
  pods: (source) => ({
    metricName: member(part(source, 'metric'), 'name') ?? '',
    targetAverageValue: member(part(source, 'target'), 'averageValue') ?? ZERO,
    ...set({ selector: selectorOf(part(source, 'metric')) }),
  }),
  resource: (source) => ({
    name: member(source, 'name') ?? '',
    ...set({
      targetAverageUtilization: member(part(source, 'target'), 'averageUtilization'),
      targetAverageValue: member(part(source, 'target'), 'averageValue'),
    }),
  }),
  containerResource: (source) => ({
    ...TARGET_TO_V1.resource(source),
    container: member(source, 'container') ?? '',
  }),
  external: (source) => ({
    metricName: member(part(source, 'metric'), 'name') ?? '',
    ...set({
      metricSelector: selectorOf(part(source, 'metric')),
      targetValue: member(part(source, 'target'), 'value'),
      targetAverageValue: member(part(source, 'target'), 'averageValue'),
    }),
  }),
};

const STATUS_TO_V1: SourceTable = {
  object: (source) => ({
    target: reference(part(source, 'describedObject')),
    metricName: member(part(source, 'metric'), 'name') ?? '',
    currentValue: member(part(source, 'current'), 'value') ?? ZERO,
    ...set({
      selector: selectorOf(part(source, 'metric')),
      averageValue: member(part(source, 'current'), 'averageValue'),
    }),
  }),
  pods: (source) => ({
    metricName: member(part(source, 'metric'), 'name') ?? '',
    currentAverageValue: member(part(source, 'current'), 'averageValue') ?? ZERO,
    ...set({ selector: selectorOf(part(source, 'metric')) }),
  }),
  resource: (source) => ({
    name: member(source, 'name') ?? '',
    ...set({ currentAverageUtilization: member(part(source, 'current'), 'averageUtilization') }),
    currentAverageValue: member(part(source, 'current'), 'averageValue') ?? ZERO,
  }),
  containerResource: (source) => ({
    ...STATUS_TO_V1.resource(source),
    container: member(source, 'container') ?? '',
  }),
  external: (source) => ({
    metricName: member(part(source, 'metric'), 'name') ?? '',
    ...set({ metricSelector: selectorOf(part(source, 'metric')) }),
    currentValue: member(part(source, 'current'), 'value') ?? ZERO,
    ...set({ currentAverageValue: member(part(source, 'current'), 'averageValue') }),
  }),
};

const metricOf = (source: JsonObject, selectorName: string): JsonObject => ({
  name: member(source, 'metricName') ?? '',
  ...set({ selector: member(source, selectorName) }),
});

const TARGET_FROM_V1: SourceTable = {
  object(source) {
    const averageValue = member(source, 'averageValue') ?? undefined;
    const value = member(source, 'targetValue') ?? ZERO;
    // v1 cannot leave the value out; beside an average a zero stands for none.
    const kept = averageValue === undefined || !isZero(value) ? value : undefined;
    return {
      describedObject: reference(part(source, 'target')),
      target: {
        type: averageValue === undefined ? 'Value' : 'AverageValue',
        ...set({ value: kept, averageValue }),
      },
      metric: metricOf(source, 'selector'),
    };
  },
  pods: (source) => ({
    metric: metricOf(source, 'selector'),
    target: { type: 'AverageValue', averageValue: member(source, 'targetAverageValue') ?? ZERO },
  }),
  resource(source) {
    const averageUtilization = member(source, 'targetAverageUtilization') ?? undefined;
    return {
      name: member(source, 'name') ?? '',
      target: {
        type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
        ...set({ averageValue: member(source, 'targetAverageValue'), averageUtilization }),
      },
    };
  },
  containerResource: (source) => ({
    ...TARGET_FROM_V1.resource(source),
    container: member(source, 'container') ?? '',
  }),
  external(source) {
    const value = member(source, 'targetValue') ?? undefined;
    return {
      metric: metricOf(source, 'metricSelector'),
      target: {
        type: value === undefined ? 'AverageValue' : 'Value',
        ...set({ value, averageValue: member(source, 'targetAverageValue') }),
      },
    };
  },
};

const STATUS_FROM_V1: SourceTable = {
  object: (source) => ({
    metric: metricOf(source, 'selector'),
    current: set({
      value: member(source, 'currentValue') ?? ZERO,
      averageValue: member(source, 'averageValue'),
    }),
    describedObject: reference(part(source, 'target')),
  }),
  pods: (source) => ({
    metric: metricOf(source, 'selector'),
    current: { averageValue: member(source, 'currentAverageValue') ?? ZERO },
  }),
  resource: (source) => ({
    name: member(source, 'name') ?? '',
    current: set({
      averageValue: member(source, 'currentAverageValue') ?? ZERO,
      averageUtilization: member(source, 'currentAverageUtilization'),
    }),
  }),
  containerResource: (source) => ({
    ...STATUS_FROM_V1.resource(source),
    container: member(source, 'container') ?? '',
  }),
  external: (source) => ({
    metric: metricOf(source, 'metricSelector'),
    current: set({
      value: member(source, 'currentValue') ?? ZERO,
      averageValue: member(source, 'currentAverageValue'),
    }),
  }),
};

const isZero = (quantity: JsonValue): boolean =>
  quantity === 0 ||
  (typeof quantity === 'string' && /^[-+]?0*(\.0*)?([eE][-+]?\d+|[a-zA-Z]*)$/.test(quantity));

export const metricToV1: Convert = (metric) => converted(metric, TARGET_TO_V1);
export const metricFromV1: Convert = (metric) => converted(metric, TARGET_FROM_V1);
export const metricStatusToV1: Convert = (metric) => converted(metric, STATUS_TO_V1);
export const metricStatusFromV1: Convert = (metric) => converted(metric, STATUS_FROM_V1);
