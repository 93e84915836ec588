/** Validation of Deployments, ReplicaSets, StatefulSets, DaemonSets and ReplicationControllers. Source: kubernetes apis/apps/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  keysAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { atMostHundredPercent, countOf, countOrPercent } from '../../schema/validation/int-or-string.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { type KindValidation } from '../kind-validation.js';
import { emptySelector, isEmptySelector, isUsableSelector, matchesTemplate } from './template-labels.js';
import { claimSpec } from './validate-claim-spec.js';
import { podTemplate, restartsAlways, unmatched } from './validate-pod-template.js';
import { replicaCounts } from './validate-replica-counts.js';
import {
  claimWarnings,
  isNewGeneration,
  podTemplateWarnings,
  podWarnings,
  partOfObject,
} from './warn-pod.js';

const TEMPLATE = 'spec.template';

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');
const statusOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'status');

/** @param emptyOf the kind as errors about an empty selector name it */
function selector(found: Findings, spec: JsonObject, emptyOf: string): void {
  const given = partAt(spec, 'selector');
  if (given === undefined) {
    found.required('spec.selector');
    return;
  }
  labelSelector(found, given, 'spec.selector');
  if (isEmptySelector(given))
    found.invalid('spec.selector', emptySelector, `empty selector is invalid for ${emptyOf}`);
}

function replicatedTemplate(found: Findings, spec: JsonObject): void {
  const given = partAt(spec, 'selector');
  if (!isUsableSelector(given)) {
    found.invalid('spec.selector', given ?? null, 'invalid label selector');
    return;
  }
  const template = partOrEmpty(spec, 'template');
  if (!matchesTemplate(given, template)) unmatched(found, template, TEMPLATE);
  podTemplate(found, template, TEMPLATE);
  restartsAlways(found, partOrEmpty(template, 'spec'), `${TEMPLATE}.spec`, 'ReplicaSet');
}

function sameSelector(found: Findings, next: ApiObject, previous: ApiObject): void {
  const [now, before] = [member(specOf(next), 'selector'), member(specOf(previous), 'selector')];
  if (!jsonEqual(now, before)) found.invalid('spec.selector', now ?? null, IMMUTABLE);
}

function deploymentSpec(found: Findings, spec: JsonObject): void {
  found.nonNegative(spec, 'spec', 'replicas');
  selector(found, spec, 'deployment');
  replicatedTemplate(found, spec);
  const strategy = partOrEmpty(spec, 'strategy');
  const type = textAt(strategy, 'type');
  const rolling = partAt(strategy, 'rollingUpdate');
  const at = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate') {
    if (rolling !== undefined) found.forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate') {
    if (rolling === undefined) found.required(at, 'this should be defaulted and never be nil');
    else {
      countOrPercent(found, rolling, at, 'maxUnavailable');
      countOrPercent(found, rolling, at, 'maxSurge');
      if (countOf(rolling, 'maxUnavailable') === 0 && countOf(rolling, 'maxSurge') === 0)
        found.invalid(
          `${at}.maxUnavailable`,
          member(rolling, 'maxUnavailable') ?? 0,
          'may not be 0 when `maxSurge` is 0',
        );
      atMostHundredPercent(found, rolling, at, 'maxUnavailable');
    }
  } else found.notSupported('spec.strategy', strategy, ['Recreate', 'RollingUpdate']);
  found.nonNegative(spec, 'spec', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds');
  if (isSet(spec, 'progressDeadlineSeconds')) {
    const seconds = integerAt(spec, 'progressDeadlineSeconds');
    if (seconds <= integerAt(spec, 'minReadySeconds'))
      found.invalid('spec.progressDeadlineSeconds', seconds, 'must be greater than minReadySeconds');
  }
}

export const deploymentValidation: KindValidation = {
  group: 'apps',
  resource: 'deployments',
  create(found, object) {
    deploymentSpec(found, specOf(object));
  },
  update(found, next, previous) {
    deploymentSpec(found, specOf(next));
    sameSelector(found, next, previous);
  },
  status(found, next, previous) {
    const status = statusOf(next);
    found.nonNegative(
      status,
      'status',
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    );
    replicaCounts(found, status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas');
    notDecremented(found, status, statusOf(previous));
  },
  warnings: podTemplateWarnings(TEMPLATE),
};

function notDecremented(found: Findings, now: JsonObject, before: JsonObject): void {
  if (!isSet(before, 'collisionCount')) return;
  const count = integerAt(now, 'collisionCount');
  if (!isSet(now, 'collisionCount') || count < integerAt(before, 'collisionCount'))
    found.invalid('status.collisionCount', count, 'cannot be decremented');
}

function replicaSetSpec(found: Findings, spec: JsonObject): void {
  found.nonNegative(spec, 'spec', 'replicas', 'minReadySeconds');
  selector(found, spec, 'deployment');
  replicatedTemplate(found, spec);
}

const REPLICA_SET_COUNTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function replicaSetStatus(found: Findings, status: JsonObject): void {
  found.nonNegative(
    status,
    'status',
    'replicas',
    ...REPLICA_SET_COUNTS,
    'observedGeneration',
    'terminatingReplicas',
  );
  replicaCounts(found, status, REPLICA_SET_COUNTS, 'readyReplicas');
}

export const replicaSetValidation: KindValidation = {
  group: 'apps',
  resource: 'replicasets',
  create(found, object) {
    replicaSetSpec(found, specOf(object));
  },
  update(found, next, previous) {
    replicaSetSpec(found, specOf(next));
    sameSelector(found, next, previous);
  },
  status(found, next) {
    replicaSetStatus(found, statusOf(next));
  },
  warnings: podTemplateWarnings(TEMPLATE),
};

function replicationControllerSpec(found: Findings, spec: JsonObject): void {
  found.nonNegative(spec, 'spec', 'minReadySeconds');
  const given = partOrEmpty(spec, 'selector');
  if (Object.keys(given).length === 0) found.required('spec.selector');
  found.nonNegative(spec, 'spec', 'replicas');
  const template = partAt(spec, 'template');
  if (template === undefined) {
    found.required(TEMPLATE);
    return;
  }
  if (!matchesTemplate({ matchLabels: given }, template)) unmatched(found, template, TEMPLATE);
  podTemplate(found, template, TEMPLATE);
  restartsAlways(found, partOrEmpty(template, 'spec'), `${TEMPLATE}.spec`, 'ReplicationController');
}

export const replicationControllerValidation: KindValidation = {
  group: '',
  resource: 'replicationcontrollers',
  create(found, object) {
    replicationControllerSpec(found, specOf(object));
  },
  update(found, next) {
    replicationControllerSpec(found, specOf(next));
  },
  status(found, next) {
    replicaSetStatus(found, statusOf(next));
  },
  // On an update a real server looks at the template as it was.
  warnings: (next, previous) =>
    isNewGeneration(next, previous)
      ? podWarnings(partOfObject(TEMPLATE, previous ?? next), `${TEMPLATE}.`)
      : [],
};

function daemonSetSpec(found: Findings, spec: JsonObject): void {
  const given = partAt(spec, 'selector');
  labelSelector(found, given, 'spec.selector');
  const template = partOrEmpty(spec, 'template');
  // An absent selector selects nothing.
  if (given === undefined || (isUsableSelector(given) && !matchesTemplate(given, template)))
    unmatched(found, template, TEMPLATE);
  if (given !== undefined && isEmptySelector(given))
    found.invalid('spec.selector', emptySelector, 'empty selector is invalid for daemonset');
  podTemplate(found, template, TEMPLATE);
  restartsAlways(found, partOrEmpty(template, 'spec'), `${TEMPLATE}.spec`, 'DaemonSet');
  found.nonNegative(spec, 'spec', 'minReadySeconds');
  daemonSetStrategy(found, partOrEmpty(spec, 'updateStrategy'));
  found.nonNegative(spec, 'spec', 'revisionHistoryLimit');
}

function daemonSetStrategy(found: Findings, strategy: JsonObject): void {
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    found.notSupported('spec.updateStrategy', strategy, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const at = 'spec.updateStrategy.rollingUpdate';
  const rolling = partAt(strategy, 'rollingUpdate');
  if (rolling === undefined) {
    found.required(at);
    return;
  }
  countOrPercent(found, rolling, at, 'maxUnavailable');
  countOrPercent(found, rolling, at, 'maxSurge');
  atMostHundredPercent(found, rolling, at, 'maxUnavailable');
  atMostHundredPercent(found, rolling, at, 'maxSurge');
  const [down, up] = [countOf(rolling, 'maxUnavailable') !== 0, countOf(rolling, 'maxSurge') !== 0];
  if (down && up)
    found.invalid(
      `${at}.maxSurge`,
      member(rolling, 'maxSurge') ?? 0,
      'may not be set when maxUnavailable is non-zero',
    );
  else if (!down && !up) found.required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
}

export const daemonSetValidation: KindValidation = {
  group: 'apps',
  resource: 'daemonsets',
  create(found, object) {
    daemonSetSpec(found, specOf(object));
  },
  update(found, next, previous) {
    sameSelector(found, next, previous);
    daemonSetSpec(found, specOf(next));
  },
  status(found, next, previous) {
    const status = statusOf(next);
    found.nonNegative(
      status,
      'status',
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    );
    notDecremented(found, status, statusOf(previous));
  },
  // Its template has a generation of its own.
  warnings: (next, previous) => {
    const template = partOfObject(TEMPLATE, next);
    return previous !== undefined && jsonEqual(template, partOfObject(TEMPLATE, previous))
      ? []
      : podWarnings(template, `${TEMPLATE}.`);
  },
};

/** @param isNew whether what may never change is looked at too */
function statefulSetSpec(found: Findings, spec: JsonObject, isNew: boolean): void {
  const policy = textAt(spec, 'podManagementPolicy');
  if (policy === '') found.required('spec.podManagementPolicy');
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    found.invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'");
  statefulSetStrategy(found, partOrEmpty(spec, 'updateStrategy'));
  const retention = partAt(spec, 'persistentVolumeClaimRetentionPolicy');
  if (retention !== undefined) {
    for (const name of ['whenDeleted', 'whenScaled'])
      found.among(retention, 'spec.persistentVolumeClaimRetentionPolicy', name, ['Retain', 'Delete'], 'bad');
  }
  if (isNew)
    itemsAt(spec, 'volumeClaimTemplates').forEach((claim, i) => {
      claimSpec(found, partOrEmpty(claim, 'spec'), `spec.volumeClaimTemplates[${i}].spec`);
    });
  found.nonNegative(spec, 'spec', 'replicas', 'minReadySeconds');
  const ordinals = partAt(spec, 'ordinals');
  if (ordinals !== undefined) found.nonNegative(ordinals, 'spec.ordinals', 'start');
  if (isNew) found.form(spec, 'spec', 'serviceName', dns1123LabelProblems);
  selector(found, spec, 'statefulset');
  const given = partAt(spec, 'selector');
  const template = partOrEmpty(spec, 'template');
  if (!isUsableSelector(given)) found.invalid('spec.selector', given ?? null, '');
  else {
    if (!matchesTemplate(given, template)) unmatched(found, template, TEMPLATE);
    podTemplate(found, withClaims(template, spec), TEMPLATE);
    const metadata = partOrEmpty(template, 'metadata');
    found.labels(partAt(metadata, 'labels'), `${TEMPLATE}.labels`);
  }
  restartsAlways(found, partOrEmpty(template, 'spec'), `${TEMPLATE}.spec`, 'StatefulSet');
}

/** The template as its pods will be: with a volume for each claim, and with names that the controller gives. */
function withClaims(template: JsonObject, spec: JsonObject): JsonObject {
  const claims = itemsAt(spec, 'volumeClaimTemplates');
  const podSpec = partOrEmpty(template, 'spec');
  const names = new Set(claims.map((claim) => textAt(partAt(claim, 'metadata'), 'name')));
  const made = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const kept = itemsAt(podSpec, 'volumes').filter((one) => !names.has(textAt(one, 'name')));
  const named = textAt(podSpec, 'hostname') !== '' || textAt(podSpec, 'subdomain') !== '';
  if (made.length === 0 && !named) return template;
  return {
    ...template,
    spec: {
      ...podSpec,
      ...(made.length === 0 ? {} : { volumes: [...made, ...kept] }),
      ...(named ? { hostname: '', subdomain: '' } : {}),
    },
  };
}

function statefulSetStrategy(found: Findings, strategy: JsonObject): void {
  const type = textAt(strategy, 'type');
  const rolling = partAt(strategy, 'rollingUpdate');
  const at = 'spec.updateStrategy.rollingUpdate';
  if (type === '') found.required('spec.updateStrategy');
  else if (type === 'OnDelete') {
    if (rolling !== undefined) found.invalid(at, rolling, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type === 'RollingUpdate') {
    if (rolling === undefined) return;
    found.nonNegative(rolling, at, 'partition');
    if (!isSet(rolling, 'maxUnavailable')) return;
    countOrPercent(found, rolling, at, 'maxUnavailable');
    if (countOf(rolling, 'maxUnavailable') === 0)
      found.invalid(`${at}.maxUnavailable`, member(rolling, 'maxUnavailable') ?? 0, 'cannot be 0');
    atMostHundredPercent(found, rolling, at, 'maxUnavailable');
  } else found.invalid('spec.updateStrategy', strategy, "must be 'RollingUpdate' or 'OnDelete'");
}

/** What may change of the spec of a StatefulSet. */
const MUTABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];
const FROZEN =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export const statefulSetValidation: KindValidation = {
  group: 'apps',
  resource: 'statefulsets',
  create(found, object) {
    statefulSetSpec(found, specOf(object), true);
  },
  update(found, next, previous) {
    statefulSetSpec(found, specOf(next), false);
    const [now, before] = [specOf(next), specOf(previous)];
    const names = new Set([...keysAt(next, 'spec'), ...keysAt(previous, 'spec')]);
    for (const name of names) {
      if (MUTABLE.includes(name) || jsonEqual(member(now, name), member(before, name))) continue;
      found.forbidden('spec', FROZEN);
      return;
    }
  },
  status(found, next, previous) {
    const status = statusOf(next);
    const counts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
    found.nonNegative(status, 'status', 'replicas', ...counts, 'observedGeneration', 'collisionCount');
    replicaCounts(found, status, counts, 'status.readyReplicas');
    notDecremented(found, status, statusOf(previous));
  },
  warnings(next, previous) {
    const limit = integerAt(specOf(next), 'revisionHistoryLimit');
    const claims = itemsAt(specOf(next), 'volumeClaimTemplates').flatMap((claim, i) =>
      claimWarnings(partOrEmpty(claim, 'spec'), `spec.volumeClaimTemplates[${i}].spec`),
    );
    return [
      ...podTemplateWarnings(TEMPLATE)(next, previous),
      ...claims,
      ...(limit < 0
        ? [
            'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
          ]
        : []),
    ];
  },
};

export const podTemplateValidation: KindValidation = {
  group: '',
  resource: 'podtemplates',
  create(found, object) {
    podTemplate(found, partOrEmpty(object, 'template'), 'template');
  },
  update(found, next) {
    podTemplate(found, partOrEmpty(next, 'template'), 'template');
  },
  warnings: podTemplateWarnings('template'),
};
