/** Messages whose JSON is not an object of their fields: times, quantities, raw JSON, unions, lists. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../ground/json.js';
import { readJson } from '../../ground/json-read.js';
import { decodeUtf8 } from '../../ground/utf8.js';
import { writeJsonBytes } from '../../ground/json-write.js';
import { type TimeForm, instantOf, writeTime } from '../go-time.js';
import { MessageWire, type WireField } from './message-wire.js';
import { type WireCoder, int32Wire, int64Wire, stringWire } from './wire-coder.js';
import { WireError } from './wire-error.js';
import { WIRE } from './wire-reader.js';

/** How the fields of a message and its JSON become each other. */
interface Form {
  /** Undefined for null. */
  readonly fromFields: (fields: JsonObject) => JsonValue | undefined;
  /** Undefined: the message is empty. */
  readonly toFields: (value: JsonValue | undefined) => JsonObject | undefined;
}

const formed = (message: MessageWire, { fromFields, toFields }: Form): WireCoder => ({
  wireType: WIRE.bytes,
  nullIsZero: toFields(null) === undefined,
  write(value, out) {
    const fields = toFields(value);
    if (fields === undefined) out.varint(0);
    else message.write(fields, out);
  },
  read(from) {
    const fields = message.read(from);
    return fromFields(isJsonObject(fields) ? fields : {});
  },
});

const field = (number: number, name: string, coder: WireCoder, more: Partial<WireField> = {}): WireField => ({
  number,
  name,
  goName: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  label: 'opt',
  coder,
  optional: false,
  ...more,
});

const numberOf = (fields: JsonObject, name: string): number => Number(fields[name] ?? 0);

/** An empty message is the zero time; one with fields is an instant, also when they are 0. */
function timeWire(form: TimeForm): WireCoder {
  const timestamp = new MessageWire('Timestamp', () => [
    field(1, 'seconds', int64Wire),
    field(2, 'nanos', int32Wire),
  ]);
  const inner: WireCoder = formed(timestamp, {
    fromFields(fields) {
      const nanos = form === 'micros' ? Math.trunc(numberOf(fields, 'nanos') / 1000) * 1000 : 0;
      const seconds = numberOf(fields, 'seconds') + Math.floor(nanos / 1e9);
      const rest = nanos - Math.floor(nanos / 1e9) * 1e9;
      // Beyond these years no text of the API names an instant.
      if (Math.abs(seconds) > 1e12) throw new WireError('Time.MarshalJSON: year outside of range [0,9999]');
      return writeTime(seconds, form === 'micros' ? rest / 1000 : undefined) ?? undefined;
    },
    toFields(value) {
      if (typeof value !== 'string') return undefined;
      // Without its fraction: so many seconds with a fraction are more than a double holds.
      const instant = instantOf(value.replace(/\.\d+/, ''));
      if (instant === null || instant === undefined) return undefined;
      const micros = form === 'micros' ? Number(/\.(\d{6})/.exec(value)?.[1] ?? 0) : 0;
      return { seconds: Math.floor(instant / 1000), nanos: micros * 1000 };
    },
  });
  return {
    ...inner,
    read(from) {
      if (from.bytes[from.at] !== 0 || from.at >= from.end) return inner.read(from);
      from.at++;
      return undefined;
    },
  };
}

const quantityWire = formed(
  new MessageWire('Quantity', () => [field(1, 'string', stringWire, { goName: 'String_' })]),
  {
    fromFields: ({ string = '' }) => string,
    toFields: (value) => ({ string: value ?? '0' }),
  },
);

const INT = 0;
const STRING = 1;

const intOrStringWire = formed(
  new MessageWire('IntOrString', () => [
    field(1, 'type', int64Wire),
    field(2, 'intVal', int32Wire),
    field(3, 'strVal', stringWire),
  ]),
  {
    fromFields({ type = INT, intVal = 0, strVal = '' }) {
      if (type === INT) return intVal;
      if (type === STRING) return strVal;
      throw new WireError('impossible IntOrString.Type');
    },
    toFields: (value) =>
      typeof value === 'string' ? { type: STRING, strVal: value } : { type: INT, intVal: value ?? 0 },
  },
);

/** JSON text as bytes; none at all is null. */
const jsonTextWire: WireCoder = {
  wireType: WIRE.bytes,
  write: (value, out) => out.bytes(writeJsonBytes(value ?? null)),
  read(from) {
    const text = from.slice();
    if (text.length === 0) return undefined;
    const reading = readJson(text);
    if (!reading.ok) throw new WireError(reading.error);
    return reading.value ?? undefined;
  },
};

/** Who owns what, as JSON text that a real server reads later: what is no JSON is an owner that cannot be read. */
const fieldSetWire: WireCoder = {
  ...jsonTextWire,
  read(from) {
    const text = from.slice();
    const reading = text.length === 0 ? undefined : readJson(text);
    return reading?.ok === false ? decodeUtf8(text) : reading?.value;
  },
};

const rawWire = (struct: string, content = jsonTextWire): WireCoder =>
  formed(new MessageWire(struct, () => [field(1, 'raw', content, { optional: true })]), {
    fromFields: ({ raw }) => raw,
    toFields: (value) => (value === undefined || value === null ? undefined : { raw: value }),
  });

/** A schema in the first field, or a list of something else in the second. */
const schemaOrListWire = (struct: string, schema: WireCoder, list: WireField): WireCoder =>
  formed(new MessageWire(struct, () => [field(1, 'schema', schema, { optional: true }), list]), {
    fromFields: (fields) => fields[list.name] ?? fields['schema'],
    toFields(value) {
      if (isJsonArray(value)) return { [list.name]: value };
      return isJsonObject(value) ? { schema: value } : undefined;
    },
  });

const schemaOrBoolWire = (struct: string, schema: WireCoder, bool: WireCoder): WireCoder =>
  formed(
    new MessageWire(struct, () => [field(1, 'allows', bool), field(2, 'schema', schema, { optional: true })]),
    {
      fromFields: ({ allows = false, schema: found }) => found ?? allows,
      toFields: (value) =>
        isJsonObject(value) ? { allows: true, schema: value } : { allows: value === true },
    },
  );

const listWire = (struct: string): WireCoder =>
  formed(new MessageWire(struct, () => [field(1, 'items', stringWire, { label: 'rep' })]), {
    fromFields: ({ items }) => items,
    toFields: (value) => (isJsonArray(value) ? { items: value } : undefined),
  });

/**
 * The coder of a message whose JSON is not an object of its fields; undefined for the others.
 *
 * @param message full name; the end of it decides, as in `specialCoder` of the JSON form.
 * @param coderOf gives the coder of another type, which may be asked before it is ready.
 * Source: apimachinery time_proto.go, quantity_proto.go, intstr and runtime generated.pb.go; apiextensions marshal.go.
 */
export function specialWire(message: string, coderOf: (type: string) => WireCoder): WireCoder | undefined {
  const parts = message.split('.');
  const struct = parts.at(-1) ?? '';
  const schema = (): WireCoder => coderOf([...parts.slice(0, -1), 'JSONSchemaProps'].join('.'));
  switch (struct) {
    case 'Time':
      return timeWire('seconds');
    case 'MicroTime':
      return timeWire('micros');
    case 'Quantity':
      return quantityWire;
    case 'IntOrString':
      return intOrStringWire;
    case 'FieldsV1':
      return rawWire(struct, fieldSetWire);
    case 'RawExtension':
    case 'JSON':
      return rawWire(struct);
    case 'JSONSchemaPropsOrBool':
      return schemaOrBoolWire(struct, schema(), coderOf('bool'));
    case 'JSONSchemaPropsOrArray':
      return schemaOrListWire(
        struct,
        schema(),
        field(2, 'jSONSchemas', schema(), { label: 'rep', goName: 'JSONSchemas' }),
      );
    case 'JSONSchemaPropsOrStringArray':
      return schemaOrListWire(struct, schema(), field(2, 'property', stringWire, { label: 'rep' }));
    case 'ExtraValue':
    case 'Verbs':
      return listWire(struct);
    default:
      return undefined;
  }
}
