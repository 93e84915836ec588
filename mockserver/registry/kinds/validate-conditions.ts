/** Validation of the conditions of a status. Source: apimachinery apis/meta/v1/validation, ValidateConditions. */
import { type JsonObject } from '../../ground/json.js';
import { labelKeyProblems, syntaxRule } from '../../ground/name-syntax.js';
import { integerAt, isSet, itemsAt, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';

const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonPattern = new RegExp(`^${REASON}$`);

/** @param at path of the list, the member `conditions` of `status` */
export function conditions(found: Findings, status: JsonObject, at: string): void {
  const types = new Set<string>();
  itemsAt(status, 'conditions').forEach((one, i) => {
    const type = textAt(one, 'type');
    if (types.has(type)) found.duplicate(`${at}[${i}].type`, type);
    types.add(type);
    condition(found, one, `${at}[${i}]`);
  });
}

function condition(found: Findings, one: JsonObject, at: string): void {
  found.problems(`${at}.type`, textAt(one, 'type'), labelKeyProblems);
  found.among(one, at, 'status', ['False', 'True', 'Unknown'], 'bad');
  const generation = integerAt(one, 'observedGeneration');
  if (generation < 0)
    found.invalid(`${at}.observedGeneration`, generation, 'must be greater than or equal to zero');
  if (!isSet(one, 'lastTransitionTime')) found.required(`${at}.lastTransitionTime`);
  const reason = found.needs(one, at, 'reason');
  if (reason !== '') {
    found.problems(`${at}.reason`, reason, reasonProblems);
    if (Buffer.byteLength(reason) > LONGEST_REASON) found.tooLong(`${at}.reason`, LONGEST_REASON);
  }
  if (Buffer.byteLength(textAt(one, 'message')) > LONGEST_MESSAGE)
    found.tooLong(`${at}.message`, LONGEST_MESSAGE);
}

const reasonProblems = (reason: string): readonly string[] =>
  reasonPattern.test(reason)
    ? []
    : [
        syntaxRule(
          "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
          REASON,
          'my_name',
          'MY_NAME',
          'MyName',
          'ReasonA,ReasonB',
          'ReasonA:ReasonB',
        ),
      ];
