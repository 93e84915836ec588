/** Checks of values that may be a number or a text: ports, counts and percentages. */
import { type JsonObject, member } from '../../ground/json.js';
import { type Findings, join } from './findings.js';
import { isPercent, isPort, PERCENT_PROBLEM, PORT_PROBLEM, portNameProblems } from './text-forms.js';

/** A port by number or name; a missing one is port 0. */
export function portOrName(found: Findings, object: JsonObject, at: string, name: string): void {
  const value = member(object, name) ?? 0;
  if (typeof value === 'string') found.problems(join(at, name), value, portNameProblems);
  else if (typeof value !== 'number' || !isPort(value)) found.invalid(join(at, name), value, PORT_PROBLEM);
}

/** A count that is not negative, or a percentage. */
export function countOrPercent(found: Findings, object: JsonObject, at: string, name: string): void {
  const value = member(object, name);
  if (typeof value === 'string') {
    if (!isPercent(value)) found.invalid(join(at, name), value, PERCENT_PROBLEM);
  } else if (typeof value === 'number' && value < 0) {
    found.invalid(join(at, name), value, 'must be greater than or equal to 0');
  }
}

/** Of a percentage. */
export function atMostHundredPercent(found: Findings, object: JsonObject, at: string, name: string): void {
  const value = member(object, name);
  if (typeof value !== 'string' || !isPercent(value)) return;
  if (Number(value.slice(0, -1)) > 100) found.invalid(join(at, name), value, 'must not be greater than 100%');
}

/** The count, or the percentage as a number; 0 for what is neither. */
export function countOf(object: JsonObject, name: string): number {
  const value = member(object, name);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isPercent(value) ? Number(value.slice(0, -1)) : 0;
}
