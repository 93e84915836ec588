/** What the settings of a cluster come to: its options, its name, its time. */
import { LAST_MS, parseTime } from '../ground/clock.js';
import { controllersNamed } from '../controllers/known-controllers.js';
import { serviceAccountController } from '../controllers/service-accounts/service-account-controller.js';
import { type AdmissionOption } from '../registry/admission-options.js';
import { serviceAccount } from '../registry/kinds/admission-service-account.js';
import { clusterOptions, type ClusterOptions } from '../registry/cluster-options.js';
import { type ClusterSettings } from './options.js';

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
