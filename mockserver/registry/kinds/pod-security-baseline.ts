/** The checks of PodSecurity's level `baseline`. Source: pod-security-admission policy. */
import { type JsonObject, member } from '../../ground/json.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import {
  type PodCheck,
  called,
  containersOf,
  contextOf,
  plural,
  quoted,
  settersOf,
  settersText,
  sortedSet,
} from './pod-security-parts.js';
import { usesOwnUsers } from './validate-pod-security.js';

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

export const appArmorProfile: PodCheck = ({ metadata, spec }) => {
  const typeOf = (context: JsonObject): string | undefined =>
    isSet(context, 'appArmorProfile') ? textAt(partAt(context, 'appArmorProfile'), 'type') : undefined;
  const isBad = (context: JsonObject): boolean =>
    !['RuntimeDefault', 'Localhost', undefined].includes(typeOf(context));
  const setters = settersOf(spec, isBad);
  const types = [...(setters.pod ? [spec] : []), ...setters.containers].map(
    (one) => typeOf(contextOf(one)) ?? '',
  );
  const annotations = Object.entries(partOrEmpty(metadata, 'annotations'))
    .filter(([key, value]) => key.startsWith(APP_ARMOR) && !isKnownProfile(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const values = [...sortedSet(types), ...annotations];
  if (values.length === 0) return undefined;
  const who = [
    settersText(setters),
    annotations.length === 0 ? '' : plural('annotation', 'annotations', annotations.length),
  ].filter((one) => one !== '');
  return {
    reason: plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const isKnownProfile = (value: JsonObject[string]): boolean =>
  value === '' ||
  value === 'runtime/default' ||
  (typeof value === 'string' && value.startsWith('localhost/'));

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const addedCapabilities = (container: JsonObject): readonly string[] =>
  textsAt(partOrEmpty(contextOf(container), 'capabilities'), 'add');

export const defaultCapabilities: PodCheck = ({ spec }) => {
  const added = (container: JsonObject): readonly string[] =>
    addedCapabilities(container).filter((one) => !DEFAULT_CAPABILITIES.has(one));
  const bad = containersOf(spec).filter((one) => added(one).length > 0);
  if (bad.length === 0) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: `${called(bad)} must not include ${quoted(sortedSet(bad.flatMap(added)))} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: PodCheck = ({ spec }) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => flagAt(spec, name));
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
};

export const hostPathVolumes: PodCheck = ({ spec }) => {
  const bad = itemsAt(spec, 'volumes').filter((volume) => isSet(volume, 'hostPath'));
  if (bad.length === 0) return undefined;
  const names = quoted(bad.map((volume) => textAt(volume, 'name')));
  return { reason: 'hostPath volumes', detail: `${plural('volume', 'volumes', bad.length)} ${names}` };
};

export const hostPorts: PodCheck = ({ spec }) => {
  const ports = (container: JsonObject): readonly string[] =>
    itemsAt(container, 'ports').flatMap((port) => {
      const number = integerAt(port, 'hostPort');
      return number === 0 ? [] : [`${number}`];
    });
  const bad = containersOf(spec).filter((one) => ports(one).length > 0);
  if (bad.length === 0) return undefined;
  const used = sortedSet(bad.flatMap(ports));
  return {
    reason: 'hostPort',
    detail: `${called(bad)} ${plural('uses', 'use', bad.length)} ${plural('hostPort', 'hostPorts', used.length)} ${used.join(', ')}`,
  };
};

export const hostProbes: PodCheck = ({ spec }) => {
  const hosts = (container: JsonObject): readonly string[] =>
    [
      ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => partOrEmpty(container, name)),
      ...['postStart', 'preStop'].map((name) => partOrEmpty(partOrEmpty(container, 'lifecycle'), name)),
    ].flatMap((handler) =>
      ['httpGet', 'tcpSocket']
        .map((name) => textAt(partOrEmpty(handler, name), 'host'))
        .filter((one) => one !== ''),
    );
  const bad = containersOf(spec).filter((one) => hosts(one).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.map((one) => textAt(one, 'name')));
  const named = sortedSet(bad.flatMap(hosts));
  return {
    reason: 'probe or lifecycle host',
    detail: `${plural('container', 'containers', names.length)} ${quoted(names)} ${plural('uses', 'use', names.length)} ${plural('probe or lifecycle host', 'probe or lifecycle hosts', named.length)} ${quoted(named)}`,
  };
};

export const privileged: PodCheck = ({ spec }) => {
  const bad = containersOf(spec).filter((one) => flagAt(contextOf(one), 'privileged'));
  if (bad.length === 0) return undefined;
  return { reason: 'privileged', detail: `${called(bad)} must not set securityContext.privileged=true` };
};

export const procMount: PodCheck = ({ spec }) => {
  const typeOf = (container: JsonObject): string => textAt(contextOf(container), 'procMount');
  const bad = containersOf(spec).filter(
    (one) => isSet(contextOf(one), 'procMount') && typeOf(one) !== 'Default',
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${called(bad)} must not set securityContext.procMount to ${quoted(sortedSet(bad.map(typeOf)))}`,
  };
};

/** A pod with users of its own may do more. */
export const unlessOwnUsers =
  (check: PodCheck): PodCheck =>
  (pod) =>
    usesOwnUsers(pod.spec) ? undefined : check(pod);

export const seLinuxOptions =
  (types: readonly string[]): PodCheck =>
  ({ spec }) => {
    const optionsOf = (context: JsonObject): JsonObject => partOrEmpty(context, 'seLinuxOptions');
    const isBad = (context: JsonObject): boolean => {
      const options = optionsOf(context);
      return (
        !types.includes(textAt(options, 'type')) ||
        textAt(options, 'user') !== '' ||
        textAt(options, 'role') !== ''
      );
    };
    const setters = settersOf(spec, isBad);
    const all = [...(setters.pod ? [spec] : []), ...setters.containers].map((one) =>
      optionsOf(contextOf(one)),
    );
    if (all.length === 0) return undefined;
    const bad = sortedSet(all.map((one) => textAt(one, 'type')).filter((one) => !types.includes(one)));
    const problems = [
      ...(bad.length > 0 ? [`${plural('type', 'types', bad.length)} ${quoted(bad)}`] : []),
      ...['user', 'role'].flatMap((name) =>
        all.some((one) => textAt(one, name) !== '') ? [`${name} may not be set`] : [],
      ),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${settersText(setters)} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`,
    };
  };

export const seccompTypeOf = (context: JsonObject): string | undefined =>
  isSet(context, 'seccompProfile') ? textAt(partAt(context, 'seccompProfile'), 'type') : undefined;

export const isGoodSeccomp = (type: string): boolean => type === 'Localhost' || type === 'RuntimeDefault';

export const seccompProfile: PodCheck = ({ spec }) => {
  const isBad = (context: JsonObject): boolean => {
    const type = seccompTypeOf(context);
    return type !== undefined && !isGoodSeccomp(type);
  };
  const setters = settersOf(spec, isBad);
  const who = settersText(setters);
  if (who === '') return undefined;
  const types = [...(setters.pod ? [spec] : []), ...setters.containers].map(
    (one) => seccompTypeOf(contextOf(one)) ?? '',
  );
  return {
    reason: 'seccompProfile',
    detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(sortedSet(types))}`,
  };
};

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** As it was before there was a field for it. */
export const seccompAnnotations: PodCheck = ({ metadata, spec }) => {
  const annotations = partOrEmpty(metadata, 'annotations');
  const keys = [
    SECCOMP_POD,
    ...containersOf(spec).map((one) => `${SECCOMP_CONTAINER}${textAt(one, 'name')}`),
  ];
  const bad = keys.filter((key) => {
    const value = member(annotations, key);
    return (
      typeof value === 'string' &&
      value !== 'runtime/default' &&
      value !== 'docker/default' &&
      !value.startsWith('localhost/')
    );
  });
  if (bad.length === 0) return undefined;
  const shown = sortedSet(bad.map((key) => `${key}=${JSON.stringify(member(annotations, key))}`));
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', 'annotations', shown.length)} ${shown.join(', ')}`,
  };
};

export const sysctls =
  (allowed: readonly string[]): PodCheck =>
  ({ spec }) => {
    const bad = itemsAt(contextOf(spec), 'sysctls')
      .map((one) => textAt(one, 'name'))
      .filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };

export const windowsHostProcess: PodCheck = ({ spec }) => {
  const who = settersText(
    settersOf(spec, (context) => flagAt(partOrEmpty(context, 'windowsOptions'), 'hostProcess')),
  );
  if (who === '') return undefined;
  return {
    reason: 'hostProcess',
    detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};
