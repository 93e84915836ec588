/** LimitRanger: what containers ask for when they say nothing, and the least and the most that they may ask for. */
import {
  type JsonObject,
  arrayMember,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, deletionTimestampOf, withMetadata } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { type Quantity, quantityText } from '../../schema/quantity.js';
import { itemsAt, partOrEmpty, plainText, textAt } from '../../schema/validation/field-values.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { type AdmissionPlugin, type AdmissionRequest } from '../admission-plugin.js';
import { type KindContext } from '../kind-context.js';
import { sortedByName } from './members.js';
import { type Amounts, podTotals, quantitiesOf } from './pod-resource-totals.js';

const PODS = { group: '', resource: 'pods' } as const;
const CLAIMS = { group: '', resource: 'persistentvolumeclaims' } as const;
const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Source: kubernetes plugin/pkg/admission/limitranger. */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  resources: [PODS, CLAIMS],
  admit(request, context) {
    let { object } = request;
    if (request.of.resource !== PODS.resource) return object;
    for (const range of rangesFor(request, context)) object = withDefaults(object, range);
    return object;
  },
  validate(request, context) {
    for (const range of rangesFor(request, context)) {
      const problems = [...new Set(problemsOf(request, range))];
      if (problems.length === 0) continue;
      const why = problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`;
      throw forbiddenObject(request.of, request.name, why);
    }
  },
};

/** Updates of pods are looked at through their subresource `resize` alone. */
function rangesFor(
  { operation, of, subresource, previous, namespace }: AdmissionRequest,
  context: Pick<KindContext, 'list'>,
): readonly ApiObject[] {
  const isPod = of.resource === PODS.resource;
  const concerned =
    operation === 'create'
      ? subresource === ''
      : operation === 'update' && (isPod ? subresource === 'resize' : subresource === '');
  if (!concerned || (previous !== undefined && deletionTimestampOf(previous) !== undefined)) return [];
  return context.list('', 'limitranges', namespace);
}

const limitsOf = (range: ApiObject): readonly JsonObject[] => itemsAt(partOrEmpty(range, 'spec'), 'limits');

function withDefaults(pod: ApiObject, range: ApiObject): ApiObject {
  const usual = { limits: {}, requests: {} };
  for (const limit of limitsOf(range)) {
    if (textAt(limit, 'type') !== 'Container') continue;
    Object.assign(usual.limits, partOrEmpty(limit, 'default'));
    Object.assign(usual.requests, partOrEmpty(limit, 'defaultRequest'));
  }
  const spec = objectMember(pod, 'spec') ?? EMPTY;
  const notes: string[] = [];
  const completedList = (list: string, called: string): JsonObject => {
    const containers = arrayMember(spec, list);
    if (containers === undefined) return {};
    return {
      [list]: containers.map((one) => (isJsonObject(one) ? completed(one, usual, called, notes) : one)),
    };
  };
  const lists = {
    ...completedList('containers', 'container'),
    ...completedList('initContainers', 'init container'),
  };
  if (notes.length === 0) return pod;
  const annotations = {
    ...objectMember(pod.metadata, 'annotations'),
    [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  const next = { ...pod, spec: { ...spec, ...lists } };
  return withMetadata(next, { ...pod.metadata, annotations });
}

interface UsualResources {
  readonly limits: JsonObject;
  readonly requests: JsonObject;
}

/** @param notes is told what was set */
function completed(
  container: JsonObject,
  usual: UsualResources,
  called: string,
  notes: string[],
): JsonObject {
  const resources = objectMember(container, 'resources') ?? EMPTY;
  const added = (list: 'limits' | 'requests'): readonly string[] =>
    Object.keys(usual[list])
      .filter((name) => member(objectMember(resources, list), name) === undefined)
      .sort();
  const [limits, requests] = [added('limits'), added('requests')];
  const name = stringMember(container, 'name') ?? '';
  if (requests.length > 0) notes.push(`${requests.join(', ')} request for ${called} ${name}`);
  if (limits.length > 0) notes.push(`${limits.join(', ')} limit for ${called} ${name}`);
  if (requests.length === 0 && limits.length === 0) return container;
  const merged = (list: 'limits' | 'requests'): JsonObject => {
    const all = sortedByName({ ...usual[list], ...objectMember(resources, list) });
    return Object.keys(all).length === 0 ? {} : { [list]: all };
  };
  return { ...container, resources: { ...resources, ...merged('limits'), ...merged('requests') } };
}

interface Use {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function problemsOf({ of, object }: AdmissionRequest, range: ApiObject): readonly string[] {
  const spec = objectMember(object, 'spec') ?? EMPTY;
  const isPod = of.resource === PODS.resource;
  return limitsOf(range).flatMap((limit) => {
    const type = textAt(limit, 'type');
    if (isPod && type === 'Pod')
      return podProblems(limit, type, {
        requests: podTotals(spec, 'requests'),
        limits: podTotals(spec, 'limits'),
      });
    if (isPod && type === 'Container')
      return [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].flatMap((container) =>
        podProblems(limit, type, useOf(partOrEmpty(container, 'resources'))),
      );
    if (!isPod && type === 'PersistentVolumeClaim') {
      const { requests } = useOf(partOrEmpty(spec, 'resources'));
      return [
        ...each(limit, 'min', (name, bound) => belowMin(type, name, bound, { requests, limits: new Map() })),
        ...each(limit, 'max', (name, bound) => requestAboveMax(type, name, bound, requests)),
      ];
    }
    return [];
  });
}

const useOf = (resources: JsonObject): Use => ({
  requests: quantitiesOf(partOrEmpty(resources, 'requests')),
  limits: quantitiesOf(partOrEmpty(resources, 'limits')),
});

const podProblems = (limit: JsonObject, type: string, use: Use): readonly string[] => [
  ...each(limit, 'min', (name, bound) => belowMin(type, name, bound, use)),
  ...each(limit, 'max', (name, bound) => aboveMax(type, name, bound, use)),
  ...each(limit, 'maxLimitRequestRatio', (name, bound) => aboveRatio(type, name, bound, use)),
];

interface Bound {
  readonly text: string;
  /** In billionths. */
  readonly amount: bigint;
}

function each(
  limit: JsonObject,
  list: string,
  check: (name: string, bound: Bound) => string | undefined,
): readonly string[] {
  return Object.entries(partOrEmpty(limit, list))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => check(name, { text: plainText(value), amount: amountOf(value) }) ?? []);
}

const boundOf = (quantity: Quantity | undefined): Bound | undefined => {
  if (quantity === undefined) return undefined;
  const text = quantityText(quantity);
  return { text, amount: amountOf(text) };
};

function belowMin(type: string, name: string, bound: Bound, { requests, limits }: Use): string | undefined {
  const [request, limit] = [boundOf(requests.get(name)), boundOf(limits.get(name))];
  const rule = `minimum ${name} usage per ${type} is ${bound.text}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (request.amount < bound.amount) return `${rule}, but request is ${request.text}`;
  return limit !== undefined && limit.amount < bound.amount
    ? `${rule}, but limit is ${limit.text}`
    : undefined;
}

function requestAboveMax(type: string, name: string, bound: Bound, requests: Amounts): string | undefined {
  const request = boundOf(requests.get(name));
  const rule = `maximum ${name} usage per ${type} is ${bound.text}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return request.amount > bound.amount ? `${rule}, but request is ${request.text}` : undefined;
}

function aboveMax(type: string, name: string, bound: Bound, { requests, limits }: Use): string | undefined {
  const [request, limit] = [boundOf(requests.get(name)), boundOf(limits.get(name))];
  const rule = `maximum ${name} usage per ${type} is ${bound.text}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (limit.amount > bound.amount) return `${rule}, but limit is ${limit.text}`;
  return request !== undefined && request.amount > bound.amount
    ? `${rule}, but request is ${request.text}`
    : undefined;
}

function aboveRatio(type: string, name: string, bound: Bound, { requests, limits }: Use): string | undefined {
  const [request, limit] = [boundOf(requests.get(name)), boundOf(limits.get(name))];
  const rule = `${name} max limit to request ratio per ${type} is ${bound.text}`;
  if (request === undefined || request.amount === 0n)
    return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limit.amount === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.amount) / Number(request.amount);
  return ratio > Number(bound.amount) / 1e9
    ? `${rule}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined;
}
