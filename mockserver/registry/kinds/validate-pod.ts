/** Validation of pods, and of what may change of them. Source: kubernetes apis/core/validation/validation.go, ValidatePodCreate, ValidatePodUpdate. */
import { type JsonObject, type MutableJsonObject, jsonEqual, member } from '../../ground/json.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import {
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { type KindValidation } from '../kind-validation.js';
import { podAnnotations } from './validate-pod-template.js';
import { imageWithoutSpace } from './validate-pod-containers.js';
import { podSpec } from './validate-pod-spec.js';
import { tolerations } from './validate-pod-scheduling.js';
import { ipAddress } from './validate-addresses.js';
import { podWarnings } from './warn-pod.js';

const specOf = (pod: ApiObject): JsonObject => partOrEmpty(pod, 'spec');

/** Metadata and spec, whatever they were before. */
export function wholePod(found: Findings, pod: ApiObject): void {
  const spec = specOf(pod);
  podAnnotations(found, pod.metadata, spec, 'metadata.annotations');
  podSpec(found, spec, { at: 'spec', podName: nameOf(pod) });
  if (textAt(spec, 'serviceAccountName') === '') {
    itemsAt(spec, 'volumes').forEach((volume, i) => {
      itemsAt(partAt(volume, 'projected'), 'sources').forEach((source, j) => {
        if (isSet(source, 'serviceAccountToken'))
          found.forbidden(
            `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`,
            'must not be specified when serviceAccountName is not set',
          );
      });
    });
  }
  for (const name of ['containers', 'initContainers'])
    itemsAt(spec, name).forEach((container, i) => {
      imageWithoutSpace(found, container, `spec.${name}[${i}]`);
    });
}

export const podValidation: KindValidation = {
  group: '',
  resource: 'pods',
  create(found, pod) {
    const spec = specOf(pod);
    wholePod(found, pod);
    if (listAt(spec, 'ephemeralContainers').length > 0)
      found.forbidden('spec.ephemeralContainers', 'cannot be set on create');
    if (textAt(spec, 'nodeName') !== '' && listAt(spec, 'schedulingGates').length > 0)
      found.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  },
  update(found, next, previous) {
    wholePod(found, next);
    changes(found, specOf(next), specOf(previous));
  },
  status(found, next, previous) {
    const [now, before] = [partOrEmpty(next, 'status'), partOrEmpty(previous, 'status')];
    if (textAt(now, 'qosClass') !== textAt(before, 'qosClass'))
      found.invalid('status.qosClass', textAt(now, 'qosClass'), IMMUTABLE);
    addresses(found, now, 'podIPs');
    addresses(found, now, 'hostIPs');
  },
  warnings(next, previous) {
    if (previous === undefined) return [...hostnameWarnings(nameOf(next)), ...podWarnings(next, '')];
    return jsonEqual(member(next, 'spec'), member(previous, 'spec')) ? [] : podWarnings(next, '');
  },
};

function hostnameWarnings(name: string): readonly string[] {
  const problems = dns1123LabelProblems(name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

function addresses(found: Findings, status: JsonObject, name: string): void {
  itemsAt(status, name).forEach((one, i) => {
    ipAddress(found, textAt(one, 'ip'), `status.${name}[${i}]`);
  });
}

const UPDATABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function changes(found: Findings, next: JsonObject, previous: JsonObject): void {
  for (const name of ['containers', 'initContainers']) {
    const [now, before] = [itemsAt(next, name), itemsAt(previous, name)];
    if (now.length !== before.length) {
      found.forbidden(`spec.${name}`, 'pod updates may not add or remove containers');
      return;
    }
    now.forEach((container, i) => {
      const image = textAt(container, 'image');
      if (image === '') found.required(`spec.${name}[${i}].image`);
      imageWithoutSpace(found, container, `spec.${name}[${i}]`);
    });
  }
  if (!deadline(found, next, previous)) return;
  addedTolerations(found, next, previous);
  removedGates(found, next, previous);
  if (jsonEqual(next, previous)) return;
  const mended: MutableJsonObject = { ...next };
  for (const name of ['containers', 'initContainers']) {
    if (!isSet(next, name)) continue;
    const before = itemsAt(previous, name);
    mended[name] = itemsAt(next, name).map((container, i) => ({
      ...container,
      image: member(before[i], 'image') ?? '',
    }));
  }
  for (const name of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'])
    keep(mended, previous, name);
  if (
    integerAt(previous, 'terminationGracePeriodSeconds') < 0 &&
    integerAt(next, 'terminationGracePeriodSeconds') === 1
  )
    keep(mended, previous, 'terminationGracePeriodSeconds');
  if (listAt(previous, 'schedulingGates').length > 0) gatedChanges(found, mended, previous);
  if (!jsonEqual(withoutEmpty(mended), withoutEmpty(previous)))
    found.forbidden('spec', `${UPDATABLE}\n`, { goType: 'core.PodSpec', before: previous, after: mended });
}

/** Empty lists and maps count as absent. */
function withoutEmpty(spec: JsonObject): JsonObject {
  const entries = Object.entries(spec).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries);
}

function keep(target: MutableJsonObject, source: JsonObject, name: string): void {
  const value = member(source, name);
  if (value === undefined) Reflect.deleteProperty(target, name);
  else target[name] = value;
}

/** Shape: whether to go on. */
function deadline(found: Findings, next: JsonObject, previous: JsonObject): boolean {
  const field = 'spec.activeDeadlineSeconds';
  if (isSet(next, 'activeDeadlineSeconds')) {
    const seconds = integerAt(next, 'activeDeadlineSeconds');
    if (seconds < 0 || seconds > 2147483647) {
      found.invalid(field, seconds, 'must be between 0 and 2147483647, inclusive');
      return false;
    }
    if (isSet(previous, 'activeDeadlineSeconds') && integerAt(previous, 'activeDeadlineSeconds') < seconds) {
      found.invalid(field, seconds, 'must be less than or equal to previous value');
      return false;
    }
  } else if (isSet(previous, 'activeDeadlineSeconds')) {
    found.invalid(field, null, 'must not update from a positive integer to nil value');
  }
  return true;
}

function addedTolerations(found: Findings, next: JsonObject, previous: JsonObject): void {
  const now = itemsAt(next, 'tolerations');
  const plain = (one: JsonObject): JsonObject => ({ ...one, tolerationSeconds: 0 });
  const kept = itemsAt(previous, 'tolerations').every((old) =>
    now.some((one) => jsonEqual(plain(one), plain(old))),
  );
  if (!kept)
    found.forbidden(
      'spec.tolerations',
      'existing toleration can not be modified except its tolerationSeconds',
    );
  else tolerations(found, now, 'spec.tolerations');
}

function removedGates(found: Findings, next: JsonObject, previous: JsonObject): void {
  const known = new Set(itemsAt(previous, 'schedulingGates').map((gate) => textAt(gate, 'name')));
  itemsAt(next, 'schedulingGates').forEach((gate, i) => {
    const name = textAt(gate, 'name');
    if (!known.has(name))
      found.forbidden(
        `spec.schedulingGates[${i}].name`,
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      );
  });
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** While a pod is gated, where it may run can be narrowed down. */
function gatedChanges(found: Findings, mended: MutableJsonObject, previous: JsonObject): void {
  const [now, before] = [partOrEmpty(mended, 'nodeSelector'), partOrEmpty(previous, 'nodeSelector')];
  for (const key of Object.keys(before)) {
    if (!jsonEqual(member(now, key), member(before, key))) {
      found.invalid(
        'spec.nodeSelector',
        partAt(mended, 'nodeSelector') ?? null,
        'only additions are allowed',
      );
      break;
    }
  }
  keep(mended, previous, 'nodeSelector');
  const [nodes, oldNodes] = [nodeAffinityOf(mended), nodeAffinityOf(previous)];
  if (jsonEqual(nodes, oldNodes)) return;
  nodeAffinityChange(found, nodes, oldNodes);
  const affinity: MutableJsonObject = { ...partOrEmpty(mended, 'affinity') };
  if (oldNodes === undefined) Reflect.deleteProperty(affinity, 'nodeAffinity');
  else affinity['nodeAffinity'] = oldNodes;
  if (Object.keys(affinity).length === 0 && !isSet(previous, 'affinity'))
    Reflect.deleteProperty(mended, 'affinity');
  else mended['affinity'] = affinity;
}

const nodeAffinityOf = (spec: JsonObject): JsonObject | undefined =>
  partAt(partAt(spec, 'affinity'), 'nodeAffinity');

function nodeAffinityChange(
  found: Findings,
  nodes: JsonObject | undefined,
  oldNodes: JsonObject | undefined,
): void {
  const at = 'spec.affinity.nodeAffinity';
  const before = itemsAt(partAt(oldNodes, REQUIRED), 'nodeSelectorTerms');
  if (before.length === 0) return;
  const after = itemsAt(partAt(nodes, REQUIRED), 'nodeSelectorTerms');
  const field = `${at}.${REQUIRED}.nodeSelectorTerms`;
  if (after.length !== before.length) {
    found.invalid(field, after, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
    return;
  }
  before.forEach((term, i) => {
    if (!hasOnlyAdditions(after[i] ?? {}, term))
      found.invalid(
        `${field}[${i}]`,
        after[i] ?? null,
        'only additions are allowed (no mutations or deletions)',
      );
  });
}

function hasOnlyAdditions(next: JsonObject, previous: JsonObject): boolean {
  return ['matchExpressions', 'matchFields'].every((name) =>
    itemsAt(previous, name).every((old, i) => {
      const now = itemsAt(next, name)[i];
      return now !== undefined && jsonEqual(now, old);
    }),
  );
}
