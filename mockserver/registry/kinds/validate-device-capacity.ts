/** Validation of what a device has and how it may be shared out. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject, type JsonValue, member } from '../../ground/json.js';
import { eachOfSet } from '../../schema/validation/bounded-lists.js';
import { isSet, listAt, partAt, partOrEmpty, plainText } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { isNative } from './resource-names.js';

const MOST_VALUES = 10;
/** Amounts are in billionths. */
const ONE = 10n ** 9n;

/** @param isShared whether the device may be given to several at once */
export function deviceCapacity(found: Findings, capacity: JsonObject, at: string, isShared: boolean): void {
  const policy = partAt(capacity, 'requestPolicy');
  if (policy === undefined) return;
  const field = `${at}.requestPolicy`;
  if (!isShared) {
    found.forbidden(field, 'allowMultipleAllocations must be true');
    return;
  }
  const values = listAt(policy, 'validValues');
  const range = partAt(policy, 'validRange');
  if (values.length > 0 && range !== undefined) {
    found.forbidden(
      field,
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
    );
    return;
  }
  const whole = quantityAt(capacity, 'value');
  const usual = isSet(policy, 'default') ? quantityAt(policy, 'default') : undefined;
  if (values.length > 0) {
    if (usual === undefined) found.required(`${field}.default`, 'required when validValues is defined');
    else validValues(found, values, `${field}.validValues`, { usual, whole });
  } else if (range !== undefined) {
    if (usual === undefined) found.required(`${field}.default`, 'required when validRange is defined');
    else validRange(found, range, `${field}.validRange`, { usual, whole });
  }
}

interface Amount {
  readonly text: string;
  readonly amount: bigint;
}

interface Bounds {
  /** What a request that names no amount gets. */
  readonly usual: Amount;
  readonly whole: Amount;
}

const quantity = (value: JsonValue | undefined): Amount => ({
  text: plainText(value),
  amount: amountOf(value),
});
const quantityAt = (object: JsonObject, name: string): Amount => quantity(member(object, name));

function validValues(found: Findings, values: readonly JsonValue[], at: string, bounds: Bounds): void {
  const { usual, whole } = bounds;
  const amounts = values.map(quantity);
  amounts.forEach(({ text, amount }, i) => {
    const before = amounts[i - 1];
    if (before !== undefined && before.amount > amount)
      found.invalid(`${at}[${i}]`, text, 'values must be sorted in ascending order');
  });
  eachOfSet(
    found,
    amounts,
    at,
    MOST_VALUES,
    ({ text, amount }, place) => {
      if (amount > whole.amount)
        found.invalid(place, text, `option is larger than capacity value: ${whole.text}`);
    },
    ({ amount }) => String((amount + ONE - 1n) / ONE),
  );
  if (amounts.length > MOST_VALUES || !amounts.some(({ amount }) => amount === usual.amount))
    found.invalid(at, usual.text, 'default value is not valid according to the requestPolicy');
}

function validRange(found: Findings, range: JsonObject, at: string, { usual, whole }: Bounds): void {
  if (!isSet(range, 'min')) {
    found.required(`${at}.min`, 'required when validRange is defined');
    return;
  }
  const min = quantityAt(range, 'min');
  if (min.amount > whole.amount)
    found.invalid(`${at}.min`, min.text, `min is larger than capacity value: ${whole.text}`);
  if (usual.amount < min.amount)
    found.invalid(`${at}.min`, usual.text, `default is less than min: ${min.text}`);
  const max = isSet(range, 'max') ? quantityAt(range, 'max') : undefined;
  if (max !== undefined) {
    if (min.amount > max.amount) found.invalid(`${at}.max`, min.text, `min is larger than max: ${max.text}`);
    if (max.amount > whole.amount)
      found.invalid(`${at}.max`, max.text, `max is larger than capacity value: ${whole.text}`);
    if (usual.amount > max.amount)
      found.invalid(`${at}.max`, usual.text, `default is more than max: ${max.text}`);
  }
  if (!isSet(range, 'step')) return;
  const step = quantityAt(range, 'step');
  if (min.amount + step.amount > whole.amount)
    found.invalid(
      `${at}.step`,
      step.text,
      `one step ${plainAmount(min.amount + step.amount)} is larger than capacity value: ${whole.text}`,
    );
  for (const value of max === undefined ? [usual] : [usual, max])
    if (step.amount > 0n && (value.amount - min.amount) % step.amount !== 0n)
      found.invalid(
        `${at}.step`,
        value.text,
        `value is not a multiple of a given step (${step.text}) from (${min.text})`,
      );
}

const plainAmount = (amount: bigint): string => `${amount / ONE}`;

/** What of a node's own resources a device takes. */
export function nodeResourceMappings(found: Findings, device: JsonObject, at: string): void {
  const capacities = partOrEmpty(device, 'capacity');
  const mappings = partOrEmpty(device, 'nodeAllocatableResourceMappings');
  for (const name of Object.keys(mappings)) {
    const place = `${at}[${name}]`;
    const mapping = partOrEmpty(mappings, name);
    if (!isNative(name)) found.invalid(place, name, 'must be a node allocatable resource name');
    const [multiplies, named] = [isSet(mapping, 'allocationMultiplier'), isSet(mapping, 'capacityKey')];
    if (!multiplies && !named)
      found.invalid(place, '', 'at least one of allocationMultiplier or capacityKey must be set');
    const multiplier = quantityAt(mapping, 'allocationMultiplier');
    if (multiplies && multiplier.amount <= 0n)
      found.invalid(`${place}.allocationMultiplier`, multiplier.text, 'must be positive');
    const key = plainText(member(mapping, 'capacityKey'));
    if (named && key === '')
      found.invalid(`${place}.capacityKey`, '', 'capacityKey must not be an empty string');
    else if (named && !Object.hasOwn(capacities, key)) found.notFound(`${place}.capacityKey`, key);
  }
}
