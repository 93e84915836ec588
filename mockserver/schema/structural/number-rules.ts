/** Range, bounds and factors of numbers. */
import { goFloat } from '../../ground/go-float.js';
import { Float } from '../../ground/json.js';
import { type Finding, type Findings, general } from './findings.js';
import { isNearlyWhole } from './type-rule.js';
import { type Bound, type ValueRules, asFloat, checkedFormat } from './value-rules.js';

type NumberValue = number | bigint | Float;

/**
 * Adds what is wrong with a number: its range, its factor, its minimum, its maximum.
 *
 * A bound that is itself no value of the type is complained of, and then applied to floats; an int64 is compared with
 * the whole part of a bound. Source: kube-openapi validation/validate/validator.go and values.go.
 */
export function checkNumber(value: NumberValue, rules: ValueRules, path: string, into: Findings): void {
  const { multipleOf, maximum, minimum } = rules;
  const inRange = rangeProblem(value, rules, 'Checked', path);
  if (inRange !== undefined) into.add(general(inRange));
  if (multipleOf !== undefined) {
    const problem = rangeProblem(new Float(multipleOf), rules, 'MultipleOf', path);
    if (problem !== undefined) into.add(general(problem));
    add(into, factorFinding(native(value, problem), multipleOf, path));
  }
  if (minimum !== undefined) {
    const problem = rangeProblem(new Float(minimum.limit), rules, 'Minimum boundary', path);
    if (problem !== undefined) into.add(general(problem));
    add(into, boundFinding(native(value, problem), minimum, 'greater', path));
  }
  if (maximum !== undefined) {
    const problem = rangeProblem(new Float(maximum.limit), rules, 'Maximum boundary', path);
    if (problem !== undefined) into.add(general(problem));
    add(into, boundFinding(native(value, problem), maximum, 'less', path));
  }
}

function add(into: Findings, finding: Finding | undefined): void {
  if (finding !== undefined) into.add(finding);
}

/** What a constraint is applied to: the number as it is or, when the constraint has a problem, as a float. */
const native = (value: NumberValue, problem: string | undefined): NumberValue =>
  problem === undefined || !isWhole(value) ? value : new Float(Number(value));

const isWhole = (value: NumberValue): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

const INT64 = 2n ** 63n;
const isInt64 = (value: bigint): boolean => value >= -INT64 && value < INT64;

/** Whether a number is one of the type and format, if there is exactly one type. */
function rangeProblem(value: NumberValue, rules: ValueRules, what: string, path: string): string | undefined {
  const type = rules.types.length === 1 ? rules.types[0] : undefined;
  const format = checkedFormat(rules.format, type === undefined ? [] : [type]);
  const float = asFloat(value) ?? NaN;
  let fits = true;
  if (type === 'integer') {
    fits = Number.isInteger(float);
    if (fits && format === 'int32') fits = float >= -0x80000000 && float <= 0x7fffffff;
    else if (fits) fits = isInt64(isWhole(value) ? BigInt(value) : BigInt(float));
  } else if (type === 'number' && format === 'float') {
    fits = Number.isFinite(Math.fround(float));
  }
  if (fits) return undefined;
  return `${what} value must be of type ${type ?? ''} ${format === '' ? '(default format)' : `with format ${format}`} in ${path}`;
}

function boundFinding(
  value: NumberValue,
  { limit, exclusive }: Bound,
  side: 'less' | 'greater',
  path: string,
): Finding | undefined {
  const whole = isWhole(value);
  const bound = whole ? Math.trunc(limit) : limit;
  const number = whole ? value : (asFloat(value) ?? NaN);
  const beyond = side === 'less' ? number > bound : number < bound;
  if (!beyond && !(exclusive && number == bound)) return undefined;
  const shown = whole ? String(bound) : goFloat(bound);
  return {
    path,
    text: `${path} in body should be ${side} than ${exclusive ? '' : 'or equal to '}${shown}`,
    reason: 'FieldValueInvalid',
    value,
  };
}

function factorFinding(value: NumberValue, multipleOf: number, path: string): Finding | undefined {
  const whole = isWhole(value);
  const factor = whole ? Math.trunc(multipleOf) : multipleOf;
  const shown = whole ? String(factor) : goFloat(factor);
  if (factor <= 0) {
    return {
      path,
      text: `factor MultipleOf declared for ${path} must be positive: ${shown}`,
      reason: 'FieldValueInvalid',
      value: whole ? factor : new Float(factor),
    };
  }
  const float = asFloat(value) ?? NaN;
  const fits = whole
    ? BigInt(value) % BigInt(factor) === 0n
    : isNearlyWhole(factor < 1 ? (1 / factor) * float : float / factor);
  if (fits) return undefined;
  return {
    path,
    text: `${path} in body should be a multiple of ${shown}`,
    reason: 'FieldValueInvalid',
    value,
  };
}
