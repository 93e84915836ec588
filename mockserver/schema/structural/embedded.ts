/** Objects inside custom resources (x-kubernetes-embedded-resource): their apiVersion, kind and metadata. */
import { type FieldError, fieldErrorText, invalid } from '../../ground/field-error.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  copyObject,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
  setMember,
} from '../../ground/json.js';
import { type Coder } from '../coder.js';
import { DecodeRun } from '../decode-run.js';
import { plainSortedMembers } from '../member-order.js';
import { type StructuralSchema } from './structural-schema.js';
import { isTypeMember } from './type-members.js';

/** `refuse`: the first member of a wrong type is the error. `drop`: such members are dropped. */
export type Malformed = 'refuse' | 'drop';

export type Coercion =
  | {
      readonly ok: true;
      /** The value itself where nothing changes. */
      readonly value: JsonValue;
      /** Paths of members of metadata that nobody knows, in byte order. */
      readonly unknown: readonly string[];
    }
  | {
      readonly ok: false;
      /** `spec.template.kind: Invalid value: 5: must be a string` */ readonly error: string;
    };

/**
 * Gives the metadata of embedded objects the form that metadata has.
 *
 * @param objectMeta decodes metadata
 * Source: apiextensions-apiserver pkg/apiserver/schema/objectmeta/algorithm.go and coerce.go. Deviation: where several
 * members are wrong, the first in byte order is named, and not any.
 */
export function coerceEmbedded(
  value: JsonValue,
  schema: StructuralSchema,
  objectMeta: Coder,
  malformed: Malformed,
): Coercion {
  if (!schema.hasEmbedded) return { ok: true, value, unknown: [] };
  const run = new CoercionRun(objectMeta, malformed);
  const coerced = run.coerce(value, schema, '');
  if (run.error !== undefined) {
    return { ok: false, error: `${run.error.field}: ${fieldErrorText(run.error)}` };
  }
  return { ok: true, value: coerced, unknown: run.unknown.sort(compareUtf8) };
}

class CoercionRun {
  readonly unknown: string[] = [];
  error: FieldError | undefined;
  readonly #objectMeta: Coder;
  readonly #malformed: Malformed;

  constructor(objectMeta: Coder, malformed: Malformed) {
    this.#objectMeta = objectMeta;
    this.#malformed = malformed;
  }

  coerce(value: JsonValue, schema: StructuralSchema | undefined, path: string): JsonValue {
    if (schema?.hasEmbedded !== true || this.error !== undefined) return value;
    if (isJsonArray(value)) return this.#list(value, schema.items, path);
    return isJsonObject(value) ? this.#object(value, schema, path) : value;
  }

  #list(list: JsonArray, schema: StructuralSchema | undefined, path: string): JsonArray {
    let out: JsonValue[] | undefined;
    list.forEach((one, i) => {
      const next = this.coerce(one, schema, `${path}[${i}]`);
      if (next !== one) (out ??= [...list])[i] = next;
    });
    return out ?? list;
  }

  #object(object: JsonObject, schema: StructuralSchema, path: string): JsonObject {
    let out: MutableJsonObject | undefined;
    const set = (name: string, next: JsonValue): void => {
      setMember((out ??= copyObject(object)), name, next);
    };
    for (const name of Object.keys(object).sort(compareUtf8)) {
      let one = object[name] ?? null;
      const field = path === '' ? name : `${path}.${name}`;
      if (schema.embedded && isTypeMember(name)) {
        const next = name === 'metadata' ? this.#metadata(one, field) : this.#text(one, field);
        if (this.error !== undefined) return object;
        if (next === undefined) {
          Reflect.deleteProperty((out ??= copyObject(object)), name);
          continue;
        }
        if (next !== one) set(name, next);
        one = next;
      }
      const property = schema.properties.get(name);
      const next = this.coerce(
        one,
        property ?? schema.additional?.schema,
        property === undefined ? `${path}[${name}]` : field,
      );
      if (next !== one) set(name, next);
    }
    return out ?? object;
  }

  #text(value: JsonValue, field: string): JsonValue | undefined {
    if (typeof value === 'string') return value;
    if (this.#malformed === 'refuse') this.error = invalid(field, value, 'must be a string');
    return undefined;
  }

  #metadata(value: JsonValue, field: string): JsonValue {
    if (value === null) return {};
    const sent = plainSortedMembers(value);
    const run = new DecodeRun();
    const metadata = this.#objectMeta.decode(sent, run);
    const error = run.error();
    if (error === undefined && metadata !== undefined) {
      for (const path of run.unknownPaths()) this.unknown.push(`${field}.${path}`);
      return jsonEqual(metadata, value) ? value : metadata;
    }
    if (this.#malformed === 'refuse') {
      this.error = invalid(field, value, error ?? '');
      return value;
    }
    return isJsonObject(sent) ? this.#readable(sent) : value;
  }

  /** Metadata with those of its members that can be read. */
  #readable(metadata: JsonObject): JsonObject {
    const out: MutableJsonObject = {};
    for (const name of Object.keys(metadata)) {
      const alone: MutableJsonObject = {};
      setMember(alone, name, metadata[name] ?? null);
      const run = new DecodeRun();
      const decoded = this.#objectMeta.decode(alone, run);
      if (run.error() !== undefined || !isJsonObject(decoded)) continue;
      const one = member(decoded, name);
      if (one !== undefined) setMember(out, name, one);
    }
    return out;
  }
}
