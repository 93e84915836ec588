/** Validation of objects inside custom resources (x-kubernetes-embedded-resource). */
import { type FieldError, invalid, required } from '../ground/field-error.js';
import {
  type JsonObject,
  type JsonValue,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
} from '../ground/json.js';
import { parseApiVersion } from '../ground/kind.js';
import { type StructuralSchema } from '../schema/structural/structural-schema.js';
import { dns1035LabelProblems } from '../ground/name-syntax.js';
import { validateEmbeddedMetadata } from './metadata-validation.js';

/**
 * Errors of their apiVersion, kind and metadata; what else they may hold is for the schema.
 * Source: apiextensions-apiserver apiserver/schema/objectmeta/validation.go. Where a server's order is chance
 * (members), in byte order.
 */
export function embeddedErrors(value: JsonValue, schema: StructuralSchema, path = ''): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, path, errors);
  return errors;
}

function visit(
  value: JsonValue,
  schema: StructuralSchema | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (schema?.hasEmbedded !== true) return;
  if (isJsonArray(value)) {
    value.forEach((one, i) => {
      visit(one, schema.items, `${path}[${i}]`, errors);
    });
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.embedded) errors.push(...typeErrors(value, path));
  for (const name of Object.keys(value).sort(compareUtf8)) {
    const property = schema.properties.get(name);
    const field = property === undefined ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    visit(value[name] ?? null, property ?? schema.additional?.schema, field, errors);
  }
}

function typeErrors(object: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = member(object, 'apiVersion');
  const kind = member(object, 'kind');
  const metadata = member(object, 'metadata');
  if (apiVersion === undefined) errors.push(required(`${path}.apiVersion`));
  if (kind === undefined) errors.push(required(`${path}.kind`));
  if (apiVersion !== undefined) errors.push(...apiVersionErrors(apiVersion, `${path}.apiVersion`));
  if (kind !== undefined) errors.push(...kindErrors(kind, `${path}.kind`));
  if (isJsonObject(metadata)) errors.push(...validateEmbeddedMetadata(metadata, `${path}.metadata`));
  return errors;
}

function apiVersionErrors(value: JsonValue, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')];
  if (value === '') return [invalid(field, value, 'must not be empty')];
  if (parseApiVersion(value) !== undefined) return [];
  return [invalid(field, value, `unexpected GroupVersion string: ${value}`)];
}

function kindErrors(value: JsonValue, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')];
  if (value === '') return [invalid(field, value, 'must not be empty')];
  const problems = dns1035LabelProblems(value.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(field, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}
