/** Validation of security contexts, of pods and containers. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject, type JsonValue, member } from '../../ground/json.js';
import { dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { descendingPath } from '../../schema/validation/file-paths.js';
import { type Findings, rangeProblem } from '../../schema/validation/findings.js';

const MAX_ID = 2147483647;

function id(found: Findings, context: JsonObject, at: string, name: string): void {
  found.between(context, at, name, 0, MAX_ID);
}

/** @param ownUsers whether the container has users of its own, apart from those of the host */
export function containerSecurity(
  found: Findings,
  context: JsonObject | undefined,
  at: string,
  ownUsers: boolean,
): void {
  if (context === undefined) return;
  const privileged = flagAt(context, 'privileged');
  if (privileged) found.forbidden(`${at}.privileged`, 'disallowed by cluster policy');
  id(found, context, at, 'runAsUser');
  id(found, context, at, 'runAsGroup');
  if (isSet(context, 'procMount')) {
    found.among(context, at, 'procMount', ['Default', 'Unmasked'], 'bad');
    if (!ownUsers && textAt(context, 'procMount') === 'Unmasked')
      found.invalid(`${at}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`');
  }
  seccomp(found, partAt(context, 'seccompProfile'), `${at}.seccompProfile`);
  if (member(context, 'allowPrivilegeEscalation') === false) {
    const why = (what: string): void => {
      found.invalid(at, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
    };
    if (privileged) why('`privileged` to true');
    for (const one of textsAt(partAt(context, 'capabilities'), 'add'))
      if (one === 'CAP_SYS_ADMIN') why('`capabilities.Add` CAP_SYS_ADMIN');
  }
  windowsOptions(found, partAt(context, 'windowsOptions'), `${at}.windowsOptions`);
  appArmor(found, partAt(context, 'appArmorProfile'), `${at}.appArmorProfile`);
}

const profile = (one: JsonObject | undefined): JsonValue =>
  one === undefined
    ? null
    : { Type: member(one, 'type') ?? '', LocalhostProfile: member(one, 'localhostProfile') ?? null };

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function seccomp(found: Findings, one: JsonObject | undefined, at: string): void {
  if (one === undefined) return;
  const type = textAt(one, 'type');
  if (type === '') found.required(`${at}.type`, 'type is required when seccompProfile is set');
  else found.among(one, at, 'type', PROFILE_TYPES);
  const field = `${at}.localhostProfile`;
  if (type === 'Localhost') {
    if (!isSet(one, 'localhostProfile')) found.required(field, 'must be set when seccomp type is Localhost');
    else descendingPath(found, textAt(one, 'localhostProfile'), field);
  } else if (isSet(one, 'localhostProfile')) {
    found.invalid(field, profile(one), 'can only be set when seccomp type is Localhost');
  }
}

function appArmor(found: Findings, one: JsonObject | undefined, at: string): void {
  if (one === undefined) return;
  const field = `${at}.localhostProfile`;
  const text = textAt(one, 'localhostProfile');
  switch (textAt(one, 'type')) {
    case 'Localhost':
      if (!isSet(one, 'localhostProfile'))
        found.required(field, 'must be set when AppArmor type is Localhost');
      else {
        if (text.trim() !== text) found.invalid(field, text, 'must not be padded with whitespace');
        else if (text === '') found.required(field, 'must be set when AppArmor type is Localhost');
        if (text.length > 4095) found.tooLong(field, 4095);
      }
      break;
    case 'RuntimeDefault':
    case 'Unconfined':
      if (isSet(one, 'localhostProfile'))
        found.invalid(field, text, 'can only be set when AppArmor type is Localhost');
      break;
    case '':
      found.required(`${at}.type`, 'type is required when appArmorProfile is set');
      break;
    default:
      found.among(one, at, 'type', PROFILE_TYPES);
  }
}

function windowsOptions(found: Findings, options: JsonObject | undefined, at: string): void {
  if (options === undefined) return;
  found.form(options, at, 'gmsaCredentialSpecName', dns1123SubdomainProblems);
  if (member(options, 'gmsaCredentialSpec') === '')
    found.invalid(`${at}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string');
  else if (textAt(options, 'gmsaCredentialSpec').length > 64 * 1024)
    found.invalid(
      `${at}.gmsaCredentialSpec`,
      textAt(options, 'gmsaCredentialSpec'),
      'gmsaCredentialSpec size must be under 64 KiB',
    );
  if (!isSet(options, 'runAsUserName')) return;
  const name = textAt(options, 'runAsUserName');
  for (const problem of windowsUserProblems(name))
    found.invalid(`${at}.runAsUserName`, name, `runAsUserName${problem}`);
}

const DOMAIN_NAME =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

function windowsUserProblems(name: string): readonly string[] {
  if (name === '') return [' cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const problems: string[] = [];
  if (domain !== undefined) {
    if (domain.length >= 256) problems.push("'s Domain length must be under 256 characters");
    if (!NET_BIOS.test(domain) && !DOMAIN_NAME.test(domain))
      problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') problems.push("'s User cannot be empty");
  else if (user.length > 104) problems.push("'s User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  return problems;
}

const SYSCTL = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlPattern = new RegExp(`^${SYSCTL}$`);

export function podSecurity(found: Findings, spec: JsonObject, at: string): void {
  const context = partAt(spec, 'securityContext');
  const place = `${at}.securityContext`;
  // It stands in the security context inside the server, which exists as soon as one of its members is set.
  const shares = (): void => {
    if (flagAt(spec, 'shareProcessNamespace') && flagAt(spec, 'hostPID'))
      found.invalid(
        `${place}.shareProcessNamespace`,
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      );
  };
  if (context === undefined) {
    shares();
    return;
  }
  id(found, context, place, 'fsGroup');
  id(found, context, place, 'runAsUser');
  id(found, context, place, 'runAsGroup');
  listAt(context, 'supplementalGroups').forEach((group, i) => {
    const number = typeof group === 'number' ? group : Number(group);
    if (number < 0 || number > MAX_ID)
      found.invalid(`${place}.supplementalGroups[${i}]`, group, rangeProblem(0, MAX_ID));
  });
  shares();
  sysctls(found, spec, context, `${place}.sysctls`);
  found.among(context, place, 'fsGroupChangePolicy', ['Always', 'OnRootMismatch']);
  seccomp(found, partAt(context, 'seccompProfile'), `${place}.seccompProfile`);
  windowsOptions(found, partAt(context, 'windowsOptions'), `${place}.windowsOptions`);
  appArmor(found, partAt(context, 'appArmorProfile'), `${place}.appArmorProfile`);
  found.among(context, place, 'supplementalGroupsPolicy', ['Merge', 'Strict']);
  found.among(context, place, 'seLinuxChangePolicy', ['Recursive']);
}

const NETWORK = ['net.'];
const IPC = ['kernel.msg', 'kernel.sem', 'kernel.shm', 'fs.mqueue.'];

function sysctls(found: Findings, spec: JsonObject, context: JsonObject, at: string): void {
  const names = new Set<string>();
  itemsAt(context, 'sysctls').forEach((one, i) => {
    const name = textAt(one, 'name');
    const field = `${at}[${i}].name`;
    if (name === '') found.required(field);
    else if (name.length > 253 || !sysctlPattern.test(name))
      found.invalid(field, name, `must have at most 253 characters and match regex ^${SYSCTL}$`);
    else if (names.has(name)) found.duplicate(field, name);
    const dotted = name.replaceAll('/', '.');
    if (flagAt(spec, 'hostNetwork') && NETWORK.some((one) => dotted.startsWith(one)))
      found.invalid(field, name, "may not be specified when 'hostNetwork' is true");
    else if (flagAt(spec, 'hostIPC') && IPC.some((one) => dotted.startsWith(one)))
      found.invalid(field, name, "may not be specified when 'hostIPC' is true");
    names.add(name);
  });
}

export const usesOwnUsers = (spec: JsonObject): boolean => member(spec, 'hostUsers') === false;
