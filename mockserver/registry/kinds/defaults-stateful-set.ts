/** StatefulSets: how pods are replaced, what becomes of their claims, and of what kind the claims are. */
import {
  type JsonObject,
  arrayMember,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { mapShared } from '../../schema/member-order.js';
import { type WrittenDefault } from './written-default.js';

const APPS = 'k8s.io.api.apps.v1';

/** Source: kubernetes apis/apps/v1/defaults.go, SetDefaults_StatefulSet; conversion.go for the kind of claims. */
export const statefulSetDefaults: readonly WrittenDefault[] = [
  { message: `${APPS}.StatefulSetSpec`, fill: statefulSetSpec, rules: ['d186', 'd188'] },
  { message: `${APPS}.StatefulSetUpdateStrategy`, fill: updateStrategy, rules: ['d184', 'd185'] },
];

function updateStrategy(strategy: JsonObject): JsonObject {
  const type = stringMember(strategy, 'type') ?? '';
  if (type !== '' && type !== 'RollingUpdate') return strategy;
  const given = objectMember(strategy, 'rollingUpdate');
  // Where the type was named and nothing said of rolling, nothing is said for it.
  if (type !== '' && (given === undefined || member(given, 'partition') !== undefined)) return strategy;
  return { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...given } };
}

function statefulSetSpec(spec: JsonObject): JsonObject {
  const policy = objectMember(spec, 'persistentVolumeClaimRetentionPolicy');
  const templates = arrayMember(spec, 'volumeClaimTemplates');
  const typed = templates === undefined ? undefined : mapShared(templates, asClaim);
  const whenDeleted = stringMember(policy, 'whenDeleted') ?? 'Retain';
  const whenScaled = stringMember(policy, 'whenScaled') ?? 'Retain';
  const settled =
    member(policy, 'whenDeleted') === whenDeleted && member(policy, 'whenScaled') === whenScaled;
  if (settled && typed === templates) return spec;
  return {
    ...spec,
    ...(typed === undefined ? {} : { volumeClaimTemplates: typed }),
    ...(settled ? {} : { persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } }),
  };
}

const CLAIM = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' } as const;

function asClaim(template: JsonObject[string]): JsonObject[string] {
  if (!isJsonObject(template)) return template;
  if (member(template, 'kind') === CLAIM.kind && member(template, 'apiVersion') === CLAIM.apiVersion)
    return template;
  return { ...CLAIM, ...template, ...CLAIM };
}
