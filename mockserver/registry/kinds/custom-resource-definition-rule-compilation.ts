/** Validation rules (x-kubernetes-validations) in schemas of definitions: that they compile, and may use oldSelf. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { type JsonObject, type JsonValue, isJsonObject, member, stringMember } from '../../ground/json.js';
import { DeclaredTypes } from '../../schema/cel/declared-type.js';
import { type ValidationRule, compileRule, saysOptionalOldSelf } from '../../schema/cel/validation-rule.js';
import { type StructuralSchema } from '../../schema/structural/structural-schema.js';

/**
 * Errors of the rules of a structural schema, each schema after what it holds.
 *
 * @param found errors of the schema otherwise: where there are any, here or deeper, rules are not looked at
 * Source: apiextensions apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema.
 */
export function ruleCompileErrors(
  schema: StructuralSchema,
  path: string,
  found: readonly FieldError[],
): readonly FieldError[] {
  if (!schema.hasRules) return [];
  const errors: FieldError[] = [];
  visit(schema, { path, isRoot: true, uncorrelatable: undefined }, new DeclaredTypes(), found, errors);
  return errors;
}

interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** The list above whose elements cannot be told apart; undefined: none, so that there is an oldSelf. */
  readonly uncorrelatable: string | undefined;
}

function visit(
  schema: StructuralSchema,
  place: Place,
  types: DeclaredTypes,
  found: readonly FieldError[],
  errors: FieldError[],
): void {
  const { path, isRoot } = place;
  const below = (
    one: StructuralSchema | undefined,
    name: string,
    uncorrelatable = place.uncorrelatable,
  ): void => {
    if (one?.hasRules !== true) return;
    visit(one, { path: `${path}.${name}`, isRoot: false, uncorrelatable }, types, found, errors);
  };
  below(schema.additional?.schema, 'additionalProperties');
  for (const [name, property] of schema.properties) below(property, `properties[${name}]`);
  const hasKeys = schema.listType === 'map';
  below(schema.items, 'items', place.uncorrelatable ?? (hasKeys ? undefined : path));
  const type = types.of(schema, isRoot || schema.embedded);
  if (type === undefined || found.some(({ field }) => field.startsWith(path))) return;
  schema.rules.filter(isJsonObject).forEach((json, i) => {
    const rule = compileRule(json, type, schema);
    errors.push(...ruleErrors(rule, `${path}.x-kubernetes-validations[${i}]`, place));
  });
}

function ruleErrors(rule: ValidationRule, path: string, { uncorrelatable }: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { json, problem, messageProblem } = rule;
  if (problem !== undefined) errors.push(invalid(`${path}.rule`, shownRule(json), problem));
  if (messageProblem !== undefined) {
    errors.push(invalid(`${path}.messageExpression`, shownRule(json), messageProblem));
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
