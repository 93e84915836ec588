/** The levels of PodSecurity, as they were in each version: which checks a pod must pass. */
import {
  appArmorProfile,
  defaultCapabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seccompAnnotations,
  seccompProfile,
  seLinuxOptions,
  sysctls,
  unlessOwnUsers,
  windowsHostProcess,
} from './pod-security-baseline.js';
import { type PodCheck, type PodUnderCheck, type Violation } from './pod-security-parts.js';
import {
  allowPrivilegeEscalation,
  droppedCapabilities,
  requiredSeccompProfile,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  unlessWindows,
} from './pod-security-restricted.js';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** `latest`, or the minor version of 1.x. */
export type LevelVersion = 'latest' | number;

export interface LevelAt {
  readonly level: Level;
  readonly version: LevelVersion;
}

export const levelText = ({ level, version }: LevelAt): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

interface VersionedCheck {
  readonly level: 'baseline' | 'restricted';
  /** From which minor version on which check holds, oldest first. */
  readonly versions: readonly (readonly [since: number, check: PodCheck])[];
  /** A check of baseline that this one stands for. */
  readonly instead?: VersionedCheck;
}

const baseline = (...versions: VersionedCheck['versions']): VersionedCheck => ({
  level: 'baseline',
  versions,
});
const restricted = (versions: VersionedCheck['versions'], instead?: VersionedCheck): VersionedCheck => ({
  level: 'restricted',
  versions,
  ...(instead === undefined ? {} : { instead }),
});

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const BASELINE_CAPABILITIES = baseline([0, defaultCapabilities]);
const HOST_PATHS = baseline([0, hostPathVolumes]);
const PROC_MOUNT = baseline([0, procMount], [35, unlessOwnUsers(procMount)]);
const BASELINE_SECCOMP = baseline([0, seccompAnnotations], [19, seccompProfile]);

/** In the order in which they are reported: by level, then by the names that they have on a server. */
const CHECKS: readonly VersionedCheck[] = [
  baseline([0, appArmorProfile]),
  BASELINE_CAPABILITIES,
  baseline([0, hostNamespaces]),
  HOST_PATHS,
  baseline([0, hostPorts]),
  baseline([34, hostProbes]),
  baseline([0, privileged]),
  PROC_MOUNT,
  baseline(
    [0, seLinuxOptions(SELINUX_TYPES)],
    [31, seLinuxOptions([...SELINUX_TYPES, 'container_engine_t'])],
  ),
  BASELINE_SECCOMP,
  baseline(
    [0, sysctls(SYSCTLS)],
    [27, sysctls(SYSCTLS_27)],
    [29, sysctls(SYSCTLS_29)],
    [32, sysctls(SYSCTLS_32)],
  ),
  baseline([0, windowsHostProcess]),
  restricted([
    [8, allowPrivilegeEscalation],
    [25, unlessWindows(allowPrivilegeEscalation)],
  ]),
  restricted(
    [
      [22, droppedCapabilities],
      [25, unlessWindows(droppedCapabilities)],
    ],
    BASELINE_CAPABILITIES,
  ),
  restricted([[35, procMount]], PROC_MOUNT),
  restricted([[0, restrictedVolumes]], HOST_PATHS),
  restricted([
    [0, runAsNonRoot],
    [35, unlessOwnUsers(runAsNonRoot)],
  ]),
  restricted([
    [23, runAsUser],
    [35, unlessOwnUsers(runAsUser)],
  ]),
  restricted(
    [
      [19, requiredSeccompProfile],
      [25, unlessWindows(requiredSeccompProfile)],
    ],
    BASELINE_SECCOMP,
  ),
];

/** What a pod does that a level does not allow. Source: pod-security-admission policy/registry.go. */
export function violationsOf(pod: PodUnderCheck, { level, version }: LevelAt): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? Infinity : version;
  const holds = ({ versions }: VersionedCheck): PodCheck | undefined =>
    versions.findLast(([since]) => since <= minor)?.[1];
  const chosen = CHECKS.filter((one) => one.level === 'baseline' || level === 'restricted');
  const replaced = chosen.flatMap((one) =>
    one.instead !== undefined && holds(one) !== undefined ? [one.instead] : [],
  );
  return chosen.filter((one) => !replaced.includes(one)).flatMap((one) => holds(one)?.(pod) ?? []);
}

/** `reason (detail), reason (detail)`. */
export const violationsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
