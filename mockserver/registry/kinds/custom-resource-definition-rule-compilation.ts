/** Validation rules (x-kubernetes-validations) in schemas of definitions: that they compile, are not too dear, and may use oldSelf. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { type JsonObject, type JsonValue, isJsonObject, member, stringMember } from '../../ground/json.js';
import { DeclaredSizes } from '../../schema/cel/declared-size.js';
import { DeclaredTypes } from '../../schema/cel/declared-type.js';
import { type ValidationRule, compileRule, saysOptionalOldSelf } from '../../schema/cel/validation-rule.js';
import { type StructuralSchema } from '../../schema/structural/structural-schema.js';
import {
  type Repetitions,
  TotalCost,
  costIn,
  repetitionsBelow,
  ruleCostError,
} from './custom-resource-definition-rule-cost.js';

/**
 * Errors of the rules of a structural schema, each schema after what it holds.
 *
 * @param found errors of the schema otherwise: where there are any, here or deeper, rules are not looked at
 * @param isKnown whether the schema stood there before: a single rule may then be as dear as it is
 * Source: apiextensions apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema.
 */
export function ruleCompileErrors(
  schema: StructuralSchema,
  path: string,
  found: readonly FieldError[],
  isKnown: boolean,
): readonly FieldError[] {
  if (!schema.hasRules) return [];
  const check: Check = {
    types: new DeclaredTypes(),
    sizes: new DeclaredSizes(),
    found,
    isKnown,
    total: new TotalCost(),
    errors: [],
  };
  visit(schema, { path, isRoot: true, uncorrelatable: undefined, repetitions: 1 }, check);
  return [...check.errors, ...check.total.errors(path)];
}

interface Check {
  readonly types: DeclaredTypes;
  readonly sizes: DeclaredSizes;
  readonly found: readonly FieldError[];
  readonly isKnown: boolean;
  readonly total: TotalCost;
  readonly errors: FieldError[];
}

interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** The list above whose elements cannot be told apart; undefined: none, so that there is an oldSelf. */
  readonly uncorrelatable: string | undefined;
  readonly repetitions: Repetitions;
}

function visit(schema: StructuralSchema, place: Place, check: Check): void {
  const { path, isRoot } = place;
  const repetitions = repetitionsBelow(schema, place.repetitions);
  const below = (
    one: StructuralSchema | undefined,
    name: string,
    uncorrelatable = place.uncorrelatable,
  ): void => {
    if (one?.hasRules !== true) return;
    visit(one, { path: `${path}.${name}`, isRoot: false, uncorrelatable, repetitions }, check);
  };
  below(schema.additional?.schema, 'additionalProperties');
  for (const [name, property] of schema.properties) below(property, `properties[${name}]`);
  const hasKeys = schema.listType === 'map';
  below(schema.items, 'items', place.uncorrelatable ?? (hasKeys ? undefined : path));
  const type = check.types.of(schema, isRoot || schema.embedded);
  const sized = check.sizes.of(schema, isRoot || schema.embedded);
  if (type === undefined || sized === undefined) return;
  if (check.found.some(({ field }) => field.startsWith(path))) return;
  schema.rules.filter(isJsonObject).forEach((json, i) => {
    const rule = compileRule(json, { type, sized, schema });
    const at = `${path}.x-kubernetes-validations[${i}]`;
    const cost = costIn(rule.cost, place.repetitions, sized);
    check.errors.push(
      ...costErrors('estimated rule cost', cost, `${at}.rule`, check),
      ...ruleErrors(rule, at, place, check),
    );
  });
}

function costErrors(
  subject: string,
  cost: number,
  field: string,
  { isKnown, total }: Check,
): readonly FieldError[] {
  total.add(field, cost);
  const error = isKnown ? undefined : ruleCostError(subject, cost, field);
  return error === undefined ? [] : [error];
}

function ruleErrors(
  rule: ValidationRule,
  path: string,
  { uncorrelatable }: Place,
  check: Check,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { json, problem, messageProblem } = rule;
  if (problem !== undefined) errors.push(invalid(`${path}.rule`, shownRule(json), problem));
  if (messageProblem !== undefined) {
    errors.push(invalid(`${path}.messageExpression`, shownRule(json), messageProblem));
  } else {
    const subject = 'estimated messageExpression cost';
    errors.push(...costErrors(subject, rule.messageCost, `${path}.messageExpression`, check));
  }
  if (rule.usesOldSelf && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(invalid(`${path}.rule`, stringMember(json, 'rule') ?? '', why));
  }
  if (!rule.usesOldSelf && saysOptionalOldSelf(rule)) {
    const why = 'may not be set if oldSelf is not used in rule';
    errors.push(invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, why));
  }
  return errors;
}

/** As a server's own structure of a rule is written. */
function shownRule(json: JsonObject): JsonValue {
  const text = (name: string): string => stringMember(json, name) ?? '';
  return {
    Rule: text('rule'),
    Message: text('message'),
    MessageExpression: text('messageExpression'),
    Reason: stringMember(json, 'reason') ?? null,
    FieldPath: text('fieldPath'),
    OptionalOldSelf: member(json, 'optionalOldSelf') ?? null,
  };
}
