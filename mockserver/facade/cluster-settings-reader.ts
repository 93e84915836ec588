/** The settings of a cluster as a request has them: checked, since they are not a program's. */
import { type FaultRule } from '../faults/rule.js';
import { readRules, RuleError } from '../faults/rule-reader.js';
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { optionMistake } from './option-checks.js';
import { REQUEST_OPTIONS, type RequestedSettings } from './options.js';

/** Errors: RangeError that names a member that is unknown or has another type. */
export function readClusterSettings(given: JsonObject): RequestedSettings {
  const mistake = optionMistake(given, REQUEST_OPTIONS);
  if (mistake !== undefined) throw new RangeError(mistake);
  const { faults, ...settings } = given;
  return { ...settings, ...(faults === undefined ? {} : { faults: rulesOf(faults) }) };
}

function rulesOf(faults: JsonValue): readonly FaultRule[] {
  try {
    return readRules(faults).rules;
  } catch (error) {
    if (error instanceof RuleError) throw new RangeError(error.message, { cause: error });
    throw error;
  }
}
