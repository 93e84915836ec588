/** What pods of one operating system may not say. Source: kubernetes apis/core/validation/validation.go, validateLinux, validateWindows. */
import { type JsonObject } from '../../ground/json.js';
import { flagAt, isSet, itemsAt, listAt, partAt, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';

const WINDOWS = 'cannot be set for a windows pod';
const LINUX = 'windows options cannot be set for a linux pod';

/** In the order in which a server looks. */
const LINUX_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

export function osErrors(found: Findings, spec: JsonObject, at: string): void {
  const os = partAt(spec, 'os');
  if (os === undefined) return;
  const name = textAt(os, 'name');
  if (name === '') found.required(`${at}.os.name`);
  else if (name === 'linux') linux(found, spec, at);
  else if (name === 'windows') windows(found, spec, at);
  else found.notSupported(`${at}.os`, name, ['linux', 'windows']);
}

function eachContext(spec: JsonObject, at: string, visit: (context: JsonObject, at: string) => void): void {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    itemsAt(spec, list).forEach((one, i) => {
      const context = partAt(one, 'securityContext');
      if (context !== undefined) visit(context, `${at}.${list}[${i}].securityContext`);
    });
  }
}

function linux(found: Findings, spec: JsonObject, at: string): void {
  if (isSet(partAt(spec, 'securityContext'), 'windowsOptions'))
    found.forbidden(`${at}.securityContext.windowsOptions`, LINUX);
  eachContext(spec, at, (context, place) => {
    if (isSet(context, 'windowsOptions')) found.forbidden(`${place}.windowsOptions`, LINUX);
  });
}

function windows(found: Findings, spec: JsonObject, at: string): void {
  const context = partAt(spec, 'securityContext');
  const ofContext = (...names: readonly string[]): void => {
    for (const name of names)
      if (isSet(context, name)) found.forbidden(`${at}.securityContext.${name}`, WINDOWS);
  };
  ofContext('appArmorProfile', 'seLinuxOptions');
  if (isSet(spec, 'hostUsers')) found.forbidden(`${at}.hostUsers`, WINDOWS);
  if (flagAt(spec, 'hostPID')) found.forbidden(`${at}.hostPID`, WINDOWS);
  if (flagAt(spec, 'hostIPC')) found.forbidden(`${at}.hostIPC`, WINDOWS);
  ofContext('seccompProfile', 'fsGroup', 'fsGroupChangePolicy');
  if (listAt(context, 'sysctls').length > 0) found.forbidden(`${at}.securityContext.sysctls`, WINDOWS);
  if (isSet(spec, 'shareProcessNamespace')) found.forbidden(`${at}.shareProcessNamespace`, WINDOWS);
  ofContext(
    'runAsUser',
    'runAsGroup',
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'seLinuxChangePolicy',
  );
  eachContext(spec, at, (one, place) => {
    for (const name of LINUX_CONTAINER) if (isSet(one, name)) found.forbidden(`${place}.${name}`, WINDOWS);
  });
}
