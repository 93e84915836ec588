/** Counts of replicas in a status: none is above that of all. Source: kubernetes apis/apps/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { integerAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';

/** @param readyName what the error about more available than ready ones calls the ready ones */
export function replicaCounts(
  found: Findings,
  status: JsonObject,
  names: readonly string[],
  readyName: string,
): void {
  const all = integerAt(status, 'replicas');
  for (const name of names) {
    const count = integerAt(status, name);
    if (count > all) found.invalid(`status.${name}`, count, 'cannot be greater than status.replicas');
  }
  const available = integerAt(status, 'availableReplicas');
  if (available > integerAt(status, 'readyReplicas'))
    found.invalid('status.availableReplicas', available, `cannot be greater than ${readyName}`);
}
