/** What the rules of a schema find wrong with an object. Source: apiextensions-apiserver apiserver/schema/cel/validation.go. */
import {
  type FieldError,
  duplicate,
  fieldErrorText,
  forbidden,
  invalid,
  required,
} from '../../ground/field-error.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
} from '../../ground/json.js';
import { type Correlation } from '../structural/correlation.js';
import { scalarKey } from '../structural/scalar-key.js';
import { type StructuralSchema } from '../structural/structural-schema.js';
import { CelError, CostExceeded } from './cel-error.js';
import { valueOf } from './json-value.js';
import { type RuleInput, evaluation, messageOf, ruleMessage, runtimeProblem } from './rule-evaluation.js';
import { type RuleTree } from './rule-tree.js';
import { type ValidationRule } from './validation-rule.js';
import { OptionalValue, type Value } from './values.js';

export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Of values that are what they were before: texts of warnings. */
  readonly warnings: readonly string[];
}

/**
 * @param correlation of the object with what it was; undefined on a create
 * @param previous undefined on a create
 */
export function ruleFindings(
  tree: RuleTree,
  next: JsonObject,
  previous: JsonObject | undefined,
  correlation: Correlation | undefined,
): RuleFindings {
  const run = new RuleRun();
  run.visit(tree, next, previous, '', { current: correlation, parent: undefined });
  return run;
}

interface Ratchet {
  /** Undefined where the value cannot be told to have been there before. */
  readonly current: Correlation | undefined;
  /** The nearest one above that can. */
  readonly parent: Correlation | undefined;
}

const isUnchanged = ({ current, parent }: Ratchet): boolean => (current ?? parent)?.unchanged === true;

function below(ratchet: Ratchet, place: string | number): Ratchet {
  const { current, parent } = ratchet;
  if (current === undefined) return ratchet;
  // Both objects are of one version, so that these say nothing of a change.
  if (parent === undefined && (place === 'apiVersion' || place === 'kind')) {
    return { current: undefined, parent: undefined };
  }
  const next = typeof place === 'string' ? current.member(place) : current.element(place);
  return { current: next, parent: current };
}

/** Units that all rules of one object may cost together. Source: apiserver pkg/apis/cel/config.go, RuntimeCELCostBudget. */
const OBJECT_BUDGET = 10_000_000;
const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

class RuleRun implements RuleFindings {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  /** Units that are left for the object. */
  #budget = OBJECT_BUDGET;
  #stopped = false;

  visit(
    tree: RuleTree,
    next: JsonValue,
    previous: JsonValue | undefined,
    path: string,
    ratchet: Ratchet,
  ): void {
    if (next === null || this.#stopped) return;
    if (tree.rules.length > 0) this.#rules(tree, next, previous ?? undefined, path, ratchet);
    for (const one of tree.allOf) {
      this.visit(one, next, previous, path, { current: undefined, parent: ratchet.parent });
    }
    if (isJsonArray(next)) this.#list(tree, next, previous, path, ratchet);
    else if (isJsonObject(next)) this.#object(tree, next, previous, path, ratchet);
  }

  #list(
    { items, schema }: RuleTree,
    next: JsonArray,
    previous: JsonValue | undefined,
    path: string,
    ratchet: Ratchet,
  ): void {
    if (items === undefined) return;
    const before = keyedElements(schema, previous);
    next.forEach((one, i) => {
      const key = elementKey(one, schema);
      this.visit(
        items,
        one,
        key === undefined ? undefined : before.get(key),
        `${path}[${i}]`,
        below(ratchet, i),
      );
    });
  }

  /** Members in byte order, where a server's order is chance. */
  #object(
    { additional, properties }: RuleTree,
    next: JsonObject,
    previous: JsonValue | undefined,
    path: string,
    ratchet: Ratchet,
  ): void {
    if (additional === undefined && properties.size === 0) return;
    const before = isJsonObject(previous) ? previous : undefined;
    for (const name of Object.keys(next).sort(compareUtf8)) {
      const property = properties.get(name);
      const tree = property ?? additional;
      const value = next[name];
      if (tree === undefined || value === undefined) continue;
      const dotted = path === '' ? name : `${path}.${name}`;
      const field = property === undefined ? `${path}[${name}]` : dotted;
      this.visit(tree, value, member(before, name), field, below(ratchet, name));
    }
  }

  #rules(
    { rules, schema, isRoot, usesOldSelf }: RuleTree,
    next: JsonValue,
    previous: JsonValue | undefined,
    path: string,
    ratchet: Ratchet,
  ): void {
    if (this.#budget <= 0) {
      this.#stop(path, schema.type, OUT_OF_BUDGET);
      return;
    }
    const self = readable(next, schema, isRoot);
    const old = usesOldSelf && previous !== undefined && previous !== null;
    const oldSelf = old ? readable(previous, schema, isRoot) : undefined;
    const optional = new OptionalValue(oldSelf instanceof CelError ? undefined : oldSelf);
    for (const rule of rules) {
      if (this.#stopped) return;
      if (rule.usesOldSelf && oldSelf === undefined && !rule.optionalOldSelf) continue;
      const input = { self, oldSelf: rule.optionalOldSelf ? optional : oldSelf };
      if (!this.#breaks(rule, input, path, schema.type)) continue;
      const field = appended(path, rule.fieldPath);
      const message = messageOf(rule, { self, oldSelf }, this.#budget);
      if ('failure' in message) {
        this.#stop(field, schema.type, message.failure);
        return;
      }
      this.#budget -= message.cost;
      const isWhole = schema.type === 'object' || schema.type === 'array';
      const error = ruleError(rule, field, isWhole ? undefined : next, message.text ?? ruleMessage(rule));
      if (!rule.usesOldSelf && isUnchanged(ratchet)) {
        this.warnings.push(`${error.field === '' ? '<nil>' : error.field}: ${fieldErrorText(error)}`);
      } else this.errors.push(error);
    }
  }

  /** Whether the rule says no. What keeps it from an answer is an error at once. */
  #breaks(rule: ValidationRule, input: RuleInput, path: string, type: string): boolean {
    if (rule.run === undefined) return false;
    const { value, cost } = evaluation(rule.run, input);
    if (cost > this.#budget) {
      this.#stop(path, type, OUT_OF_BUDGET);
      return false;
    }
    this.#budget -= cost;
    if (value instanceof CostExceeded) this.#stop(path, type, runtimeProblem(value, rule));
    else if (value instanceof CelError) this.errors.push(invalid(path, type, runtimeProblem(value, rule)));
    else return value !== true;
    return false;
  }

  #stop(path: string, type: string, why: string): void {
    this.errors.push(invalid(path, type, why));
    this.#stopped = true;
  }
}

/** Errors in the value count when the rule reads it. */
function readable(json: JsonValue, schema: StructuralSchema, isRoot: boolean): Value | CelError {
  try {
    return valueOf(json, schema, isRoot);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

const appended = (path: string, relative: string): string =>
  path === '' && relative.startsWith('.') ? relative.slice(1) : path + relative;

/** @param value undefined: not shown */
function ruleError(
  { reason }: ValidationRule,
  field: string,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return value === undefined ? { reason, field, detail: '', omitsValue: true } : duplicate(field, value);
    default:
      return value === undefined
        ? { reason: 'FieldValueInvalid', field, detail, omitsValue: true }
        : invalid(field, value, detail);
  }
}

/** Elements of a list of type map, the first of each key. Elements of other lists cannot be told apart. */
function keyedElements(
  schema: StructuralSchema,
  list: JsonValue | undefined,
): ReadonlyMap<string, JsonValue> {
  const keyed = new Map<string, JsonValue>();
  if (!isJsonArray(list)) return keyed;
  for (const one of list) {
    const key = elementKey(one, schema);
    if (key !== undefined && !keyed.has(key)) keyed.set(key, one);
  }
  return keyed;
}

function elementKey(element: JsonValue, { listType, listMapKeys }: StructuralSchema): string | undefined {
  if (listType !== 'map' || listMapKeys.length === 0 || !isJsonObject(element)) return undefined;
  const parts: string[] = [];
  for (const name of listMapKeys) {
    const value = member(element, name);
    if (value === undefined || value === null || isJsonArray(value) || isJsonObject(value)) return undefined;
    parts.push(scalarKey(value));
  }
  return parts.join('\0');
}
