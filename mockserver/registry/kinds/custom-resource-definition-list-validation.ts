/** List and map types (x-kubernetes-list-type, x-kubernetes-map-type) in schemas of definitions. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../../ground/field-error.js';
import {
  type JsonObject,
  arrayMember,
  isJsonArray,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { hasDefault, isTrue, textsOf, typeOf } from './custom-resource-definition-schema-json.js';

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_TYPE = 'x-kubernetes-map-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

/** Source: apiextensions apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema. */
export function listAndMapErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return [
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...mapKeyErrors(schema, path),
    ...elementErrors(schema, path),
  ];
}

function mapTypeErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const mapType = stringMember(schema, MAP_TYPE);
  if (mapType === undefined) return [];
  const errors = typeErrors(schema, path, 'object', MAP_TYPE);
  const known = ['atomic', 'granular'];
  return known.includes(mapType) ? errors : [...errors, notSupported(`${path}.${MAP_TYPE}`, mapType, known)];
}

function typeErrors(schema: JsonObject, path: string, type: string, because: string): readonly FieldError[] {
  const own = typeOf(schema);
  if (own === type) return [];
  const why = `must be ${type} if ${because} is specified`;
  return [own === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, own, why)];
}

function listTypeErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const listType = stringMember(schema, LIST_TYPE);
  const keys = textsOf(schema, MAP_KEYS);
  const field = `${path}.${LIST_TYPE}`;
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    const wrongType = typeErrors(schema, path, 'array', LIST_TYPE);
    errors.push(...wrongType);
    if (wrongType.length === 0 && listType === 'set') errors.push(...setItemErrors(schema, path));
    const known = ['atomic', 'set', 'map'];
    if (!known.includes(listType)) errors.push(notSupported(field, listType, known));
  }
  if (keys.length > 0 && listType !== 'map') {
    const why = `must be map if ${MAP_KEYS} is non-empty`;
    errors.push(listType === undefined ? required(field, why) : invalid(field, listType, why));
  }
  return errors;
}

/** Elements of a set are compared as a whole. */
function setItemErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const items = objectMember(schema, 'items');
  const listType = stringMember(items, LIST_TYPE);
  const why = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  // The value shown is the list type in both cases, as a server has it.
  const shown = listType ?? null;
  if (typeOf(items) === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(`${path}.items.${LIST_TYPE}`, shown, why)];
  if (typeOf(items) === 'object' && stringMember(items, MAP_TYPE) !== 'atomic')
    return [invalid(`${path}.items.${MAP_TYPE}`, shown, why)];
  return [];
}

function mapKeyErrors(schema: JsonObject, path: string): readonly FieldError[] {
  if (stringMember(schema, LIST_TYPE) !== 'map') return [];
  const errors: FieldError[] = [];
  const keys = textsOf(schema, MAP_KEYS);
  const items = objectMember(schema, 'items');
  const parent = `if parent array's ${LIST_TYPE} is map`;
  const keysField = `${path}.${MAP_KEYS}`;
  if (keys.length === 0) errors.push(required(keysField, `must not be empty if ${LIST_TYPE} is map`));
  const given = member(schema, 'items') ?? null;
  if (given === null) errors.push(required(`${path}.items`, `must have a schema if ${LIST_TYPE} is map`));
  if (isJsonArray(given)) {
    const why = `must only have a single schema if ${LIST_TYPE} is map`;
    errors.push(invalid(`${path}.items`, { Schema: null, JSONSchemas: given }, why));
  }
  if (items === undefined) return errors;
  if (typeOf(items) !== 'object') {
    errors.push(invalid(`${path}.items.type`, typeOf(items), `must be object ${parent}`));
    return errors;
  }
  const shown = arrayMember(schema, MAP_KEYS) ?? [];
  keys.forEach((key, i) => {
    const property = objectMember(objectMember(items, 'properties'), key);
    if (property === undefined)
      errors.push(invalid(keysField, shown, 'entries must all be names of item properties'));
    else if (['array', 'object'].includes(typeOf(property))) {
      // The type shown is that of the items, as a server has it.
      const field = `${path}.items.properties[${key}].type`;
      errors.push(invalid(field, typeOf(items), `must be a scalar type ${parent}`));
    }
    if (keys.indexOf(key) < i) errors.push(invalid(keysField, shown, 'must not contain duplicate entries'));
  });
  return errors;
}

/** Elements of sets and maps, and the keys of maps, are always there. */
function elementErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const listType = stringMember(schema, LIST_TYPE);
  const items = objectMember(schema, 'items');
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (isTrue(items, 'nullable')) {
    const why = `cannot be nullable when ${LIST_TYPE} is ${listType}`;
    errors.push(forbidden(`${path}.items.nullable`, why));
  }
  if (listType === 'set') return errors;
  const needed = new Set(textsOf(items, 'required'));
  for (const key of textsOf(schema, MAP_KEYS)) {
    const property = objectMember(objectMember(items, 'properties'), key);
    if (property === undefined) continue;
    const field = `${path}.items.properties[${key}]`;
    const because = `this property is in ${MAP_KEYS}, so it`;
    if (!needed.has(key) && !hasDefault(property))
      errors.push(required(`${field}.default`, `${because} must have a default or be a required property`));
    if (isTrue(property, 'nullable'))
      errors.push(forbidden(`${field}.nullable`, `${because} cannot be nullable`));
  }
  return errors;
}
