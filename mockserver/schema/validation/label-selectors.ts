/** Validation of label selectors. Source: apimachinery meta/v1/validation, ValidateLabelSelector. */
import { type JsonObject } from '../../ground/json.js';
import { labelKeyProblems, labelValueProblems } from '../../ground/name-syntax.js';
import { itemsAt, partAt, textAt, textsAt } from './field-values.js';
import { type Findings } from './findings.js';

/** An absent selector is good. */
export function labelSelector(found: Findings, selector: JsonObject | undefined, at: string): void {
  if (selector === undefined) return;
  found.labels(partAt(selector, 'matchLabels'), `${at}.matchLabels`);
  itemsAt(selector, 'matchExpressions').forEach((one, i) => {
    requirement(found, one, `${at}.matchExpressions[${i}]`);
  });
}

function requirement(found: Findings, one: JsonObject, at: string): void {
  labelRequirement(found, one, at, () => {
    found.invalid(`${at}.operator`, textAt(one, 'operator'), 'not a valid selector operator');
  });
}

/** @param unknown what to do about an operator that nobody knows; left out: nothing */
export function labelRequirement(
  found: Findings,
  one: JsonObject,
  at: string,
  unknown: () => void = () => undefined,
): void {
  const values = textsAt(one, 'values');
  if (!isSetRequirement(found, one, at)) unknown();
  found.problems(`${at}.key`, textAt(one, 'key'), labelKeyProblems);
  values.forEach((value, i) => {
    found.problems(`${at}.values[${i}]`, value, labelValueProblems);
  });
}

/**
 * Checks the number of values of the operators that selectors of labels and of nodes share.
 *
 * Shape: whether the operator is one of them.
 */
export function isSetRequirement(found: Findings, one: JsonObject, at: string): boolean {
  const values = textsAt(one, 'values');
  switch (textAt(one, 'operator')) {
    case 'In':
    case 'NotIn':
      if (values.length === 0)
        found.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
      return true;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        found.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      return true;
    default:
      return false;
  }
}
