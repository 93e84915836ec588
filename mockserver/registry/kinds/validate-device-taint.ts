/** Validation of taints of devices and of what tolerates them. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { labelKeyProblems, labelValueProblems } from '../../ground/name-syntax.js';
import { textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';

const TAINT_EFFECTS = ['NoExecute', 'NoSchedule', 'None'];

export function deviceToleration(found: Findings, one: JsonObject, at: string): void {
  found.form(one, at, 'key', labelKeyProblems);
  const value = textAt(one, 'value');
  const operator = textAt(one, 'operator');
  if (operator === 'Exists') {
    if (value !== '') found.invalid(`${at}.value`, value, 'must be empty for operator `Exists`');
  } else if (operator === 'Equal') found.problems(`${at}.value`, value, labelValueProblems);
  else found.among(one, at, 'operator', ['Equal', 'Exists'], 'missing');
  if (textAt(one, 'effect') !== '') found.among(one, at, 'effect', TAINT_EFFECTS);
}

export function deviceTaint(found: Findings, one: JsonObject, at: string): void {
  found.problems(`${at}.key`, textAt(one, 'key'), labelKeyProblems);
  found.form(one, at, 'value', labelValueProblems);
  found.among(one, at, 'effect', TAINT_EFFECTS, 'missing');
}
