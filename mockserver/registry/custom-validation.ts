/** Validation of custom resources by the schema of their version. */
import { type FieldError, type FieldErrorReason, invalid } from '../ground/field-error.js';
import { type GroupResource } from '../ground/kind.js';
import { member } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { Correlation } from '../schema/structural/correlation.js';
import { type CustomSchema } from '../schema/structural/custom-schema.js';
import { listTypeErrors } from '../schema/structural/list-types.js';
import { type ScalePaths, scaleErrors } from '../schema/structural/replica-counts.js';
import { ruleFindings } from '../schema/cel/rule-errors.js';
import { type RuleTree, ruleTree } from '../schema/cel/rule-tree.js';
import { type StructuralSchema } from '../schema/structural/structural-schema.js';
import { valueErrors } from '../schema/structural/validate-value.js';
import { embeddedErrors } from './embedded-validation.js';
import { type KindRules } from './kind-rules.js';

export interface CustomValidationOptions {
  readonly schema: CustomSchema;
  readonly scale: ScalePaths | undefined;
}

/**
 * The rules of a custom resource: what comes after metadata is validated, by schema, scale paths, embedded objects,
 * list types and x-kubernetes-validations, in this order.
 *
 * Objects are in the version of the schema. On an update, what has not changed need not be valid; rules that it breaks become
 * warnings.
 * Source: apiextensions-apiserver registry/customresource/strategy.go, status_strategy.go, validator.go.
 */
export function customValidation(of: GroupResource, { schema, scale }: CustomValidationOptions): KindRules {
  // Compiled with the first object that is otherwise sound.
  let tree: RuleTree | undefined;
  // By the object as it was validated, which is the one that warnings are asked for.
  const warnings = new WeakMap<ApiObject, readonly string[]>();
  const withRules = (
    errors: readonly FieldError[],
    found: readonly FieldError[],
    next: ApiObject,
    previous?: { readonly object: ApiObject; readonly correlation: Correlation },
  ): readonly FieldError[] => {
    const { structural } = schema;
    if (!structural.hasRules) return errors;
    if ([...found, ...errors].some((error) => BLOCKING.has(error.reason))) return [...errors, UNCHECKED];
    tree ??= ruleTree(structural);
    if (tree === undefined) return errors;
    const findings = ruleFindings(tree, next, previous?.object, previous?.correlation);
    if (findings.warnings.length > 0) warnings.set(next, findings.warnings);
    return [...errors, ...findings.errors];
  };
  const ofScale = (object: ApiObject, subresource: string): readonly FieldError[] =>
    scale === undefined ? [] : scaleErrors(object, scale, subresource);
  return {
    ...of,
    validateCreate(object, _request, found = []) {
      const { structural, rules: values } = schema;
      const errors = [
        ...valueErrors(object, values, ''),
        ...ofScale(object, ''),
        ...embeddedErrors(object, structural),
        ...listTypeErrors(object, structural),
      ];
      return withRules(errors, found, object);
    },
    validateUpdate(next, previous, { subresource }, found = []) {
      const { structural, rules: values } = schema;
      const isStatus = subresource === 'status';
      const correlation = new Correlation(next, previous, structural);
      const errors = [
        ...(isStatus ? statusErrors(next, schema, correlation) : valueErrors(next, values, '', correlation)),
        ...ofScale(next, subresource),
        ...(isStatus ? [] : embeddedErrors(next, structural)),
        ...listErrors(next, previous, structural),
      ];
      return withRules(errors, found, next, { object: previous, correlation });
    },
    writeWarnings: (next) => warnings.get(next) ?? [],
  };
}

function statusErrors(
  next: ApiObject,
  { rules }: CustomSchema,
  correlation: Correlation,
): readonly FieldError[] {
  const status = member(next, 'status');
  const statusRules = rules.properties.get('status');
  if (status === undefined || statusRules === undefined) return [];
  return valueErrors(status, statusRules, 'status', correlation.member('status'));
}

/** An object that had such errors may keep them, or get others. */
function listErrors(next: ApiObject, previous: ApiObject, schema: StructuralSchema): readonly FieldError[] {
  const errors = listTypeErrors(next, schema);
  return errors.length > 0 && listTypeErrors(previous, schema).length > 0 ? [] : errors;
}

/** Errors after which values may not be what rules take them for. */
const BLOCKING: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const UNCHECKED: FieldError = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
