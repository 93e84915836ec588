/** Windows pods that run as processes of their host. Source: kubernetes apis/core/validation/validation.go, validateWindowsHostProcessPod. */
import { type JsonObject, booleanMember } from '../../ground/json.js';
import { flagAt, itemsAt, partAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';

const hostProcessOf = (owner: JsonObject): boolean | undefined =>
  booleanMember(partAt(partAt(owner, 'securityContext'), 'windowsOptions'), 'hostProcess');

/** All containers of a pod are such processes, or none; they share the network of their host. */
export function windowsHost(found: Findings, spec: JsonObject, at: string): void {
  const ofPod = hostProcessOf(spec);
  const own = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    itemsAt(spec, list).map((container, i) => {
      const value = hostProcessOf(container);
      if (ofPod !== undefined && value !== undefined && value !== ofPod)
        found.invalid(
          `${at}.${list}[${i}].securityContext.windowsOptions.hostProcess`,
          value,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        );
      return value ?? ofPod ?? false;
    }),
  );
  if (!own.includes(true)) return;
  if (own.includes(false))
    found.invalid(
      at,
      '',
      'If pod contains any hostProcess containers then all containers must be HostProcess containers',
    );
  if (!flagAt(spec, 'hostNetwork'))
    found.invalid(
      `${at}.hostNetwork`,
      false,
      'hostNetwork must be true if pod contains any hostProcess containers',
    );
}
