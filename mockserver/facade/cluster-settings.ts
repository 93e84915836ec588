/** What one cluster can be told when it is made. */
import { LAST_MS, parseTime } from '../ground/clock.js';
import { type FaultRule } from '../faults/rule.js';
import { type Snapshot } from '../control/snapshot.js';
import { type FakeNodeOptions } from '../controllers/nodes/fake-node.js';
import { controllersNamed } from '../controllers/known-controllers.js';
import { serviceAccountController } from '../controllers/service-accounts/service-account-controller.js';
import { type AdmissionOption } from '../registry/admission-options.js';
import { serviceAccount } from '../registry/kinds/admission-service-account.js';
import { clusterOptions, type ClusterOptions } from '../registry/cluster-options.js';

export interface ClusterSettings {
  /** Its name in paths, `/clusters/<name>`: a DNS label. @default one that is free */
  readonly name?: string;
  /** What it begins with: a snapshot of any cluster of the same server. @default a fresh cluster's objects */
  readonly from?: Snapshot;
  /** @default the server's */
  readonly cluster?: Partial<ClusterOptions>;
  /** Short for `cluster.admission`, before which it goes: the plugins of admission, or `'none'`. @default the server's */
  readonly admission?: AdmissionOption;
  /**
   * Controllers that run in the cluster, by the names that kube-controller-manager gives them; `*` stands for all there
   * are, `-name` takes one away. With serviceaccount-controller pods need a service account, as on a real server. Not
   * among `*` is `fake-node`, which runs pods.
   * @default the server's; there none
   */
  readonly controllers?: readonly string[];
  /** How `fake-node` runs pods. @default the server's; there they are ready at once */
  readonly fakeNode?: FakeNodeOptions;
  /** Content of a token file in kube-apiserver's form. @default the server's */
  readonly tokens?: string;
  /** Fixes uids, generated names, and all else that chance decides. @default real chance */
  readonly seed?: number;
  /** The revision that its first commit follows; not with `from`. @default 0 */
  readonly startRevision?: number;
  /** Milliseconds since 1970, or a time such as `2026-01-01T00:00:00Z`: its clock stands there. @default its clock runs */
  readonly frozenAt?: number | string;
  /** YAML or JSON files, or folders of them, whose objects are created at the start. @default none */
  readonly load?: readonly string[];
  /** Fault rules in force from the start. @default none */
  readonly faults?: readonly FaultRule[];
  /** For fault rules with a probability. @default `seed`, or 0 */
  readonly faultSeed?: number;
  /** Entries that the journal holds. @default the server's */
  readonly journalCapacity?: number;
}

/** Pods are held to the service accounts that a controller provides for. Errors: RangeError of a name or a bound. */
export function clusterOptionsOf({ cluster, admission, controllers = [] }: ClusterSettings): ClusterOptions {
  const names = controllersNamed(controllers).map(({ name }) => name);
  const chosen = admission ?? cluster?.admission ?? {};
  const hasAccounts = names.includes(serviceAccountController.name);
  return clusterOptions({ ...cluster, admission: hasAccounts ? withAccounts(chosen) : chosen });
}

function withAccounts(admission: AdmissionOption): AdmissionOption {
  if (admission === 'none') return admission;
  const { enable = [], disable = [] } = admission;
  return disable.includes(serviceAccount.name)
    ? admission
    : { ...admission, enable: [...enable, serviceAccount.name] };
}

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Errors: RangeError for a name that could not stand in a path and a host name. */
export function checkClusterName(name: string): void {
  if (!LABEL.test(name))
    throw new RangeError(
      `cluster name ${JSON.stringify(name)}: a lower-case DNS label is needed, such as team-a`,
    );
}

/** Errors: RangeError for what is no time from 1970 to the year 9999. */
export function frozenTime(at: number | string | undefined): number | undefined {
  if (at === undefined) return undefined;
  const ms = typeof at === 'number' ? at : parseTime(at);
  if (ms === undefined || !(ms >= 0 && ms <= LAST_MS))
    throw new RangeError(`frozenAt: ${JSON.stringify(at)} is no time`);
  return ms;
}
