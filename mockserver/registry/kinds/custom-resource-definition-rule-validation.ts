/** The texts of validation rules (x-kubernetes-validations) in schemas of definitions; not what they mean. */
import { type FieldError, invalid, notSupported, required } from '../../ground/field-error.js';
import { type JsonObject, isJsonObject, stringMember } from '../../ground/json.js';
import { compileSchema } from '../../schema/structural/compile-schema.js';
import { followPath } from '../../schema/structural/field-path.js';
import { rulesOf } from './custom-resource-definition-schema-json.js';
import { conversionProblem } from './custom-resource-definition-structural-validation.js';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const LINE_BREAK = /[\n\r]/;

/** Source: apiextensions apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema. */
export function ruleTextErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return rulesOf(schema)
    .filter(isJsonObject)
    .flatMap((rule, i) => oneRule(rule, schema, `${path}.x-kubernetes-validations[${i}]`));
}

function oneRule(rule: JsonObject, schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const text = (name: string): string => stringMember(rule, name) ?? '';
  const expression = text('rule').trim();
  const message = text('message');
  const trimmed = message.trim();
  if (expression === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && trimmed === '')
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  else if (LINE_BREAK.test(trimmed))
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  else if (LINE_BREAK.test(expression) && trimmed === '') {
    const why = 'message must be specified if rule contains line breaks';
    errors.push(required(`${path}.message`, why));
  }
  const messageExpression = text('messageExpression');
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const why = 'messageExpression must be non-empty if specified';
    errors.push(required(`${path}.messageExpression`, why));
  }
  const reason = stringMember(rule, 'reason');
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  const fieldPath = text('fieldPath');
  const at = `${path}.fieldPath`;
  if (fieldPath !== '' && fieldPath.trim() === '')
    errors.push(invalid(at, fieldPath, 'must be non-empty if specified'));
  if (LINE_BREAK.test(fieldPath)) errors.push(invalid(at, fieldPath, 'must not contain line breaks'));
  // In a schema that is none, any path will do: other errors say so.
  const isKnown = (): boolean =>
    conversionProblem(schema) !== undefined || followPath(fieldPath, compileSchema(schema), true).ok;
  if (fieldPath !== '' && !isKnown()) errors.push(invalid(at, fieldPath, 'must be a valid path'));
  return errors;
}
