/** Amounts of resources: not negative, and whole where the resource is counted. */
import { type JsonValue } from '../../ground/json.js';
import { type Findings } from '../../schema/validation/findings.js';
import { amountOf, notNegative } from '../../schema/validation/quantities.js';
import { isWhole } from './resource-names.js';

const UNIT = 10n ** 9n;

/** Source: kubernetes apis/core/validation/validation.go, ValidateResourceQuantityValue. */
export function resourceAmount(found: Findings, resource: string, value: JsonValue, field: string): void {
  notNegative(found, value, field);
  if (isWhole(resource) && amountOf(value) % UNIT !== 0n) found.invalid(field, value, 'must be an integer');
}
