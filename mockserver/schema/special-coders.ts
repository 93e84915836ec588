/** Types with a JSON form of their own: times, quantities, int-or-string, raw JSON, the unions of CRD schemas. */
import { type JsonValue, isJsonArray, isJsonObject } from '../ground/json.js';
import { type Coder, listCoder, stringCoder } from './coder.js';
import { literalOf, wordOf, wordWithLiteral } from './decode-run.js';
import { type TimeForm, readTime } from './go-time.js';
import { plainSortedMembers } from './member-order.js';
import { QUANTITY_FORMAT_ERROR, canonicalQuantity } from './quantity.js';

const timeCoder = (goType: string, form: TimeForm): Coder => ({
  goType,
  zero: () => null,
  nullIsZero: true,
  decode(value, run) {
    if (typeof value !== 'string') return run.abort(wordOf(value), 'string');
    const reading = readTime(value, form);
    return reading.ok ? reading.text : run.refuse(reading.error);
  },
});

const quantityCoder: Coder = {
  goType: 'resource.Quantity',
  zero: () => '0',
  decode(value, run) {
    const text = typeof value === 'string' ? value.trim() : literalOf(value);
    const reading = text === undefined ? undefined : canonicalQuantity(text);
    return reading?.ok === true ? reading.text : run.refuse(reading?.error ?? QUANTITY_FORMAT_ERROR);
  },
};

const intOrStringCoder: Coder = {
  goType: 'intstr.IntOrString',
  zero: () => 0,
  decode(value, run) {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && value === (value | 0)) return value + 0;
    return run.abort(wordWithLiteral(value), 'int32');
  },
};

/** Kept as it is, and shared with the input. */
const rawCoder = (goType: string): Coder => ({
  goType,
  zero: () => null,
  nullIsZero: true,
  decode: (value) => value,
});

/** JSON that a server decodes and writes again: members sorted, whole floats as integers. */
const jsonCoder = (goType: string): Coder => ({
  goType,
  zero: () => null,
  nullIsZero: true,
  decode: (value) => plainSortedMembers(value),
  arrange: (value) => plainSortedMembers(value),
});

const objectOr = (schema: Coder, otherwise: (value: JsonValue) => JsonValue) => (value: JsonValue) =>
  isJsonObject(value) ? (schema.arrange?.(value) ?? value) : otherwise(value);

const schemaOrBoolCoder = (schema: Coder, goType: string): Coder => ({
  goType,
  zero: () => false,
  decode(value, run) {
    if (typeof value === 'boolean') return value;
    if (isJsonObject(value)) return run.nested(() => schema.decode(value, run));
    return run.refuse('boolean or JSON schema expected');
  },
  arrange: objectOr(schema, (value) => value),
});

/** A schema or a list; anything else, also an empty list, is null. */
function schemaOrListCoder(schema: Coder, list: Coder, goType: string): Coder {
  return {
    goType,
    zero: () => null,
    nullIsZero: true,
    decode(value, run) {
      if (isJsonObject(value)) return run.nested(() => schema.decode(value, run));
      if (isJsonArray(value) && value.length > 0) return run.nested(() => list.decode(value, run));
      return null;
    },
    arrange: objectOr(schema, (value) => list.arrange?.(value) ?? value),
  };
}

/**
 * The coder of a message whose JSON is not an object of its fields. Undefined for the others.
 *
 * @param message full name; the end of it decides, so that all versions of an API share one rule.
 * @param coderOf gives the coder of another message, which may be asked before it is ready.
 */
export function specialCoder(message: string, coderOf: (message: string) => Coder): Coder | undefined {
  const parts = message.split('.');
  const goType = parts.slice(-2).join('.');
  const schema = (): Coder => coderOf([...parts.slice(0, -1), 'JSONSchemaProps'].join('.'));
  switch (parts.at(-1)) {
    case 'Time':
      return timeCoder(goType, 'seconds');
    case 'MicroTime':
      return timeCoder(goType, 'micros');
    case 'Quantity':
      return quantityCoder;
    case 'IntOrString':
      return intOrStringCoder;
    case 'FieldsV1':
    case 'RawExtension':
      return rawCoder(goType);
    case 'JSON':
      return jsonCoder(goType);
    case 'JSONSchemaPropsOrBool':
      return schemaOrBoolCoder(schema(), goType);
    case 'JSONSchemaPropsOrArray':
      return schemaOrListCoder(schema(), listCoder(schema(), `[]${schema().goType}`), goType);
    case 'JSONSchemaPropsOrStringArray':
      return schemaOrListCoder(schema(), listCoder(stringCoder(), '[]string'), goType);
    case 'ExtraValue':
    case 'Verbs':
      return listCoder(stringCoder(), goType);
    default:
      return undefined;
  }
}
