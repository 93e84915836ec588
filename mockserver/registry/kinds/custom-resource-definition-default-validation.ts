/** Defaults in schemas of definitions: they must be values that the schema takes. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { jsonEqual, member } from '../../ground/json.js';
import { pruned } from '../../schema/structural/prune.js';
import { type StructuralSchema, asRoot } from '../../schema/structural/structural-schema.js';
import { isTypeMember } from '../../schema/structural/type-members.js';
import { valueErrors } from '../../schema/structural/validate-value.js';
import { compileRules } from '../../schema/structural/value-rules.js';
import { embeddedErrors } from '../embedded-validation.js';

/**
 * Errors of the defaults of a structural schema. Those inside additionalProperties are not looked at.
 * @param schema of a whole object
 * Source: apiextensions-apiserver apiserver/schema/defaulting/validation.go.
 */
export function defaultErrors(schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(asRoot(schema), path, false, errors);
  return errors;
}

/** @param insideMeta whether the schema is one of apiVersion, kind or metadata, or stands in it */
function visit(schema: StructuralSchema, path: string, insideMeta: boolean, errors: FieldError[]): void {
  const inside = insideMeta && !schema.embedded;
  const value = member(schema.json, 'default') ?? null;
  if (value !== null) {
    const field = `${path}.default`;
    if (!inside && !jsonEqual(pruned(value, schema, []), value))
      errors.push(invalid(field, value, 'must not have unknown fields'));
    const embedded = inside ? [] : embeddedErrors(value, schema, field);
    errors.push(
      ...(embedded.length > 0
        ? embedded
        : valueErrors(value, compileRules(schema.json, { verbatim: true }), field)),
    );
  }
  if (schema.items !== undefined) visit(schema.items, `${path}.items`, inside, errors);
  for (const [name, property] of schema.properties) {
    visit(property, `${path}.properties[${name}]`, inside || (schema.embedded && isTypeMember(name)), errors);
  }
}
