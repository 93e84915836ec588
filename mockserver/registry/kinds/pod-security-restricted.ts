/** The checks of PodSecurity's level `restricted`. Source: pod-security-admission policy. */
import { type JsonObject, member } from '../../ground/json.js';
import { isSet, itemsAt, partOrEmpty, textAt, textsAt } from '../../schema/validation/field-values.js';
import { addedCapabilities, isGoodSeccomp, seccompProfile, seccompTypeOf } from './pod-security-baseline.js';
import {
  type PodCheck,
  called,
  containersOf,
  contextOf,
  isWindows,
  plural,
  quoted,
  settersOf,
  settersText,
  sortedSet,
} from './pod-security-parts.js';

/** Pods for Windows need not say what only Linux has. */
export const unlessWindows =
  (check: PodCheck): PodCheck =>
  (pod) =>
    isWindows(pod.spec) ? undefined : check(pod);

export const allowPrivilegeEscalation: PodCheck = ({ spec }) => {
  const bad = containersOf(spec).filter(
    (one) => member(contextOf(one), 'allowPrivilegeEscalation') !== false,
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${called(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const droppedCapabilities: PodCheck = ({ spec }) => {
  const added = (container: JsonObject): readonly string[] =>
    addedCapabilities(container).filter((one) => one !== 'NET_BIND_SERVICE');
  const keeping = containersOf(spec).filter(
    (one) => !textsAt(partOrEmpty(contextOf(one), 'capabilities'), 'drop').includes('ALL'),
  );
  const adding = containersOf(spec).filter((one) => added(one).length > 0);
  const details = [
    ...(keeping.length > 0 ? [`${called(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [
          `${called(adding)} must not include ${quoted(sortedSet(adding.flatMap(added)))} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const GOOD_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

export const restrictedVolumes: PodCheck = ({ spec }) => {
  const bad = itemsAt(spec, 'volumes').filter((volume) => !GOOD_VOLUMES.some((name) => isSet(volume, name)));
  if (bad.length === 0) return undefined;
  const types = sortedSet(
    bad.map(
      (volume) => Object.keys(volume).find((name) => name !== 'name' && isSet(volume, name)) ?? 'unknown',
    ),
  );
  const names = quoted(bad.map((volume) => textAt(volume, 'name')));
  return {
    reason: 'restricted volume types',
    detail: `${plural('volume', 'volumes', bad.length)} ${names} ${plural('uses', 'use', bad.length)} ${plural('restricted volume type', 'restricted volume types', types.length)} ${quoted(types)}`,
  };
};

export const runAsNonRoot: PodCheck = ({ spec }) => {
  const reason = 'runAsNonRoot != true';
  const said = (owner: JsonObject): unknown => member(contextOf(owner), 'runAsNonRoot');
  const who = settersText(settersOf(spec, (context) => member(context, 'runAsNonRoot') === false));
  if (who !== '') return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = said(spec) === true ? [] : containersOf(spec).filter((one) => said(one) !== true);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${called(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: PodCheck = ({ spec }) => {
  const who = settersText(settersOf(spec, (context) => member(context, 'runAsUser') === 0));
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

export const requiredSeccompProfile: PodCheck = (pod) => {
  const wrong = seccompProfile(pod);
  if (wrong !== undefined) return wrong;
  const said = (owner: JsonObject): boolean => isGoodSeccomp(seccompTypeOf(contextOf(owner)) ?? '');
  const silent = said(pod.spec) ? [] : containersOf(pod.spec).filter((one) => !said(one));
  if (silent.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${called(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
