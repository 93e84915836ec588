/** JSON as values of expressions, along its schema. Source: apiserver pkg/cel/common/valuesunstructured.go. */
import {
  Float,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
  stringMember,
} from '../../ground/json.js';
import { scalarKey } from '../structural/scalar-key.js';
import { type StructuralSchema, memberSchema } from '../structural/structural-schema.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { saysMetadata } from './declared-type.js';
import { valuesEqual } from './equality.js';
import { durationOf } from './library-standard.js';
import { escapedName, unescapedName } from './property-name.js';
import { readDate, readTimestamp, zoneOf } from './time-text.js';
import {
  Bytes,
  ListValue,
  type ListSemantics,
  type MapValue,
  Opaque,
  Timestamp,
  type Value,
} from './values.js';

/** Errors: a CelError for what does not suit the schema, which validation has refused before. */
export function valueOf(json: JsonValue, schema: StructuralSchema, isRoot = schema.embedded): Value {
  if (json === null) {
    if (schema.nullable) return null;
    throw new CelError('invalid data, got null for schema with nullable=false');
  }
  if (schema.intOrString) {
    if (typeof json === 'string') return json;
    const whole = integerOf(json);
    if (whole !== undefined) return whole;
    throw new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      if (isJsonObject(json)) return new JsonMap(json, schema, isRoot);
      throw new CelError('invalid data, expected a map for the provided schema with type=object');
    case 'array':
      if (isJsonArray(json)) return listOfJson(json, schema);
      throw new CelError('invalid data, expected an array for the provided schema with type=array');
    case 'string':
      if (typeof json === 'string') return textOf(json, stringMember(schema.json, 'format') ?? '');
      throw new CelError('invalid data, expected string');
    case 'number': {
      const number = json instanceof Float ? json.value : typeof json === 'bigint' ? Number(json) : json;
      if (typeof number === 'number') return number;
      throw new CelError('invalid data, expected float');
    }
    case 'integer': {
      const whole = integerOf(json);
      if (whole !== undefined) return whole;
      throw new CelError('invalid data, expected int');
    }
    case 'boolean':
      if (typeof json === 'boolean') return json;
      throw new CelError('invalid data, expected bool');
    default:
      return new Preserved(json);
  }
}

function integerOf(json: JsonValue): bigint | undefined {
  if (typeof json === 'bigint') return json;
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined;
}

function textOf(text: string, format: string): Value {
  switch (format) {
    case 'duration':
      return durationOf(text);
    case 'date':
      return instant(readDate(text), `Invalid date formatted string ${text}`);
    case 'date-time':
      return instant(readTimestamp(text), `Invalid date-time formatted string ${text}`, zoneOf(text));
    case 'byte':
      return new Bytes(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

function instant(nanos: bigint | undefined, error: string, zone?: string): Timestamp {
  if (nanos === undefined) throw new CelError(error);
  return new Timestamp(nanos, zone);
}

/** A value of which the schema says nothing: it can only be compared. */
class Preserved extends Opaque {
  readonly typeName = 'unknown';
  readonly json: JsonValue;
  constructor(json: JsonValue) {
    super();
    this.json = json;
  }
  equals(other: Opaque): boolean {
    return other instanceof Preserved && jsonEqual(this.json, other.json);
  }
}

/** Values in a document, itself included. */
function countOf(json: JsonValue): number {
  if (isJsonArray(json)) return json.reduce<number>((sum, one) => sum + countOf(one), 1);
  if (!isJsonObject(json)) return 1;
  return Object.values(json).reduce<number>((sum, one) => sum + countOf(one), 1);
}

class JsonMap implements MapValue {
  readonly isMap = true;
  readonly #json: JsonObject;
  readonly #schema: StructuralSchema;
  readonly #isRoot: boolean;
  #found: Map<string, Value> | undefined;
  #weight: number | undefined;

  constructor(json: JsonObject, schema: StructuralSchema, isRoot: boolean) {
    this.#json = json;
    this.#schema = schema;
    this.#isRoot = isRoot && !saysMetadata(schema);
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  /** A null member of an object counts as absent. */
  find(key: Value): Value | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const known = this.#found?.get(key);
    if (known !== undefined) return known;
    const name = this.#isObject ? unescapedName(key) : key;
    const found = name === undefined ? undefined : this.#read(name);
    if (found !== undefined) (this.#found ??= new Map()).set(key, found);
    return found;
  }

  keys(): readonly Value[] {
    return Object.keys(this.#json).flatMap((name) => {
      if (!this.#knows(name)) return [];
      return [this.#isObject ? (escapedName(name) ?? name) : name];
    });
  }

  equals(other: MapValue): boolean {
    if (this.size !== other.size) return false;
    return Object.keys(this.#json).every((name) => {
      if (!this.#knows(name)) {
        const there = other instanceof JsonMap ? member(other.#json, name) : undefined;
        return there === undefined || jsonEqual(member(this.#json, name), there);
      }
      const [left, right] = [this.find(name), other.find(name)];
      if (left === undefined || right === undefined) return left === right;
      return valuesEqual(left, right);
    });
  }

  weight(): number {
    return (this.#weight ??= countOf(this.#json));
  }

  get #isObject(): boolean {
    return this.#isRoot || this.#schema.properties.size > 0;
  }

  #knows(name: string): boolean {
    return (this.#isRoot && ROOT_MEMBERS.has(name)) || memberSchema(this.#schema, name) !== undefined;
  }

  #read(name: string): Value | undefined {
    const json = member(this.#json, name);
    if (json === undefined || (json === null && this.#isObject)) return undefined;
    if (this.#isRoot && ROOT_MEMBERS.has(name))
      return isJsonObject(json) ? new MetadataMap(json) : textOrNone(json);
    const schema = memberSchema(this.#schema, name);
    return schema === undefined ? undefined : valueOf(json, schema);
  }
}

const ROOT_MEMBERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const METADATA_MEMBERS: ReadonlySet<string> = new Set(['name', 'generateName']);
const textOrNone = (json: JsonValue): Value | undefined => (typeof json === 'string' ? json : undefined);

/** Metadata, of which only the name is seen. */
class MetadataMap implements MapValue {
  readonly isMap = true;
  readonly json: JsonObject;
  constructor(json: JsonObject) {
    this.json = json;
  }
  get size(): number {
    return Object.keys(this.json).length;
  }
  find(key: Value): Value | undefined {
    return typeof key === 'string' && METADATA_MEMBERS.has(key)
      ? textOrNone(member(this.json, key) ?? null)
      : undefined;
  }
  keys(): readonly Value[] {
    return Object.keys(this.json).filter((name) => METADATA_MEMBERS.has(name));
  }
  equals(other: MapValue): boolean {
    if (!(other instanceof MetadataMap) || this.size !== other.size) return false;
    return Object.keys(this.json).every((name) => {
      const there = member(other.json, name);
      return there === undefined || jsonEqual(member(this.json, name), there);
    });
  }
}

function listOfJson(json: JsonArray, schema: StructuralSchema): ListValue {
  const { items } = schema;
  if (items === undefined) throw new CelError('invalid array type, expected Items with a non-empty Schema');
  const elements = json.map((one) => valueOf(one, items));
  if (schema.listType === 'set') return new ListValue(elements, SET);
  if (schema.listType === 'map') return new ListValue(elements, keyed(schema.listMapKeys));
  return new ListValue(elements);
}

const has = (elements: readonly Value[], sought: Value): boolean =>
  elements.some((one) => valuesEqual(one, sought));

/** The order of a set does not matter, and adding one makes a union. */
const SET: ListSemantics = {
  equals: (list, other) =>
    list.elements.length === other.elements.length && other.elements.every((one) => has(list.elements, one)),
  add: (list, other) => {
    const added = [...list.elements];
    for (const one of other.elements) if (!has(added, one)) added.push(one);
    return new ListValue(added, SET);
  },
};

/** Elements correspond by their keys; adding replaces those that are there already, in their places. */
function keyed(names: readonly string[]): ListSemantics {
  const keyOf = (element: Value): string => {
    if (typeof element !== 'object' || element === null || !('isMap' in element)) return '';
    return names.map((name) => keyPart(element.find(escapedName(name) ?? name))).join('\0');
  };
  const semantics: ListSemantics = {
    equals: (list, other) => {
      if (list.elements.length !== other.elements.length) return false;
      const own = new Map(list.elements.map((one) => [keyOf(one), one]));
      return other.elements.every((one) => {
        const same = own.get(keyOf(one));
        return same !== undefined && valuesEqual(same, one);
      });
    },
    add: (list, other) => {
      const merged = new Map(list.elements.map((one) => [keyOf(one), one]));
      for (const one of other.elements) merged.set(keyOf(one), one);
      return new ListValue([...merged.values()], semantics);
    },
  };
  return semantics;
}

function keyPart(value: Value | undefined): string {
  const isScalar =
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    typeof value === 'number';
  return isScalar ? scalarKey(value) : '';
}
