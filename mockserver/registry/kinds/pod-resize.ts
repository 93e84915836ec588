/** The resize subresource of pods: the resources of containers, and nothing else. */
import { type FieldError, forbidden, invalid } from '../../ground/field-error.js';
import {
  arrayMember,
  isJsonObject,
  jsonEqual,
  objectMember,
  setMember,
  stringMember,
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
} from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { without } from './members.js';
import { qosClassOf } from './pod-quality.js';

const LISTS = ['initContainers', 'containers'] as const;
const RESIZED = ['resources', 'resizePolicy'] as const;
const MUTABLE: ReadonlySet<string> = new Set(['cpu', 'memory']);

const specOf = (pod: ApiObject): JsonObject => objectMember(pod, 'spec') ?? EMPTY;
const listOf = (pod: ApiObject, name: string): readonly JsonObject[] =>
  (arrayMember(specOf(pod), name) ?? []).filter(isJsonObject);
const namesOf = (pod: ApiObject, list: string): readonly string[] =>
  listOf(pod, list).map((one) => stringMember(one, 'name') ?? '');

/**
 * The pod as it was, but for what is resized. A pod with other containers stays as it was sent: validation says so.
 *
 * Source: kubernetes registry/core/pod/strategy.go, dropNonResizeUpdates.
 */
export function resizedPod(next: ApiObject, previous: ApiObject): ApiObject {
  if (LISTS.some((list) => listOf(next, list).length !== listOf(previous, list).length)) return next;
  const lists: Record<string, JsonArray> = {};
  for (const list of LISTS) {
    const before = listOf(previous, list);
    if (before.length === 0) continue;
    const same = jsonEqual(namesOf(next, list), namesOf(previous, list));
    lists[list] = same
      ? before.map((container, i) => resized(container, listOf(next, list)[i] ?? EMPTY))
      : listOf(next, list);
  }
  const spec = without(specOf(previous), 'resources');
  const resources = objectMember(specOf(next), 'resources');
  return {
    ...next,
    spec: { ...spec, ...lists, ...(resources === undefined ? {} : { resources }) },
    status: objectMember(previous, 'status') ?? EMPTY,
  };
}

function resized(container: JsonObject, sent: JsonObject): JsonObject {
  const next: MutableJsonObject = { ...container };
  for (const name of RESIZED) {
    const value = sent[name];
    if (value === undefined) Reflect.deleteProperty(next, name);
    else next[name] = value;
  }
  return next;
}

/** Source: kubernetes apis/core/validation, ValidatePodResize. */
export function resizeErrors(next: ApiObject, previous: ApiObject): FieldError[] {
  const annotations = objectMember(previous.metadata, 'annotations');
  if (stringMember(annotations, 'kubernetes.io/config.mirror') !== undefined)
    return [forbidden('[]', 'static pods cannot be resized')];
  if (stringMember(objectMember(specOf(previous), 'os'), 'name') === 'windows')
    return [forbidden('[]', 'windows pods cannot be resized')];

  const before = stringMember(objectMember(previous, 'status'), 'qosClass') ?? qosClassOf(specOf(previous));
  const errors: FieldError[] = [];
  if (before !== qosClassOf(specOf(next)))
    errors.push(invalid('spec', before, 'Pod QOS Class may not change as a result of resizing'));
  const order = orderErrors(next, previous);
  if (order.length > 0) return [...errors, ...order];
  for (const list of LISTS) {
    listOf(previous, list).forEach((container, i) => {
      errors.push(
        ...removalErrors(listOf(next, list)[i] ?? EMPTY, container, `spec.${list}[${i}].resources`),
      );
    });
  }
  listOf(previous, 'containers').forEach((container, i) => {
    if (!jsonEqual(withoutMutable(listOf(next, 'containers')[i] ?? EMPTY), withoutMutable(container)))
      errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  });
  listOf(previous, 'initContainers').forEach((container, i) => {
    const field = `spec.initContainers[${i}]`;
    const now = listOf(next, 'initContainers')[i] ?? EMPTY;
    if (!jsonEqual(withoutMutable(now), withoutMutable(container))) {
      errors.push(
        forbidden(field, 'only cpu and memory resources for init or sidecar containers are mutable'),
      );
    }
    if (jsonEqual(now, container) || stringMember(container, 'restartPolicy') === 'Always') return;
    const restarts = (arrayMember(now, 'resizePolicy') ?? []).filter(isJsonObject);
    if (restarts.some((one) => stringMember(one, 'restartPolicy') === 'RestartContainer')) {
      errors.push(
        forbidden(
          field,
          'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
        ),
      );
    }
  });
  return errors;
}

/** Source: the same, validatePodResizeContainerOrdering. */
function orderErrors(next: ApiObject, previous: ApiObject): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    const [now, before] = [namesOf(next, list), namesOf(previous, list)];
    if (now.length !== before.length)
      return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
    return before.flatMap((name, i) =>
      now[i] === name
        ? []
        : [forbidden(`spec.${list}[${i}].name`, `${list} may not be renamed or reordered on resize`)],
    );
  });
}

function removalErrors(next: JsonObject, previous: JsonObject, field: string): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((name) => {
    const now = objectMember(objectMember(next, 'resources'), name) ?? EMPTY;
    const before = objectMember(objectMember(previous, 'resources'), name) ?? EMPTY;
    return Object.keys(before).every((resource) => Object.hasOwn(now, resource))
      ? []
      : [forbidden(`${field}.${name}`, `resource ${name} cannot be removed`)];
  });
}

/** The container without what a resize may change. */
function withoutMutable(container: JsonObject): JsonObject {
  const { resources, ...rest } = container;
  if (!isJsonObject(resources)) return rest;
  const kept: MutableJsonObject = {};
  for (const [name, value] of Object.entries(resources)) {
    if (!isJsonObject(value)) {
      kept[name] = value;
      continue;
    }
    const others: MutableJsonObject = {};
    for (const [resource, amount] of Object.entries(value))
      if (!MUTABLE.has(resource)) setMember(others, resource, amount);
    if (Object.keys(others).length > 0) kept[name] = others;
  }
  return Object.keys(kept).length === 0 ? rest : { ...rest, resources: kept };
}
