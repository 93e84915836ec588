/** Values as the structs that a real server works with show them in JSON: all fields, by their Go names. */
import { type InternalField, type InternalLayouts } from '../../openapi/internal-layouts.js';
import {
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setMember,
} from '../ground/json.js';

const AS_STORED = 'json:';
const LIST = '[]';
const MAP = 'map[]';
const ABOVE = '../';
/** What an absent member of a type is that is written as the stored version is. */
const ZERO_AS_STORED: Readonly<Record<string, JsonValue>> = {
  'resource.Quantity': '0',
  'intstr.IntOrString': 0,
  'v1.Time': null,
  'v1.MicroTime': null,
  'runtime.RawExtension': null,
};
const ZERO_SCALAR: Readonly<Record<string, JsonValue>> = { string: '', bool: false };

/**
 * The value of a Go type as encoding/json writes it: fields that are unset too.
 *
 * @param goType as the layouts have it: `core.PodSpec`, `*int64`, `[]core.Volume`, `map[]string`
 * @param value in its stored version; undefined: absent
 * @param above the object that the value is a member of
 * Source: Go encoding/json; a server's internal types have no tags.
 */
export function internalForm(
  layouts: InternalLayouts,
  goType: string,
  value: JsonValue | undefined,
  above?: JsonObject,
): JsonValue {
  const present = value ?? undefined;
  if (goType.startsWith('*'))
    return present === undefined ? null : internalForm(layouts, goType.slice(1), present, above);
  if (goType.startsWith(AS_STORED)) return present ?? zeroAsStored(goType.slice(AS_STORED.length));
  if (goType.startsWith(LIST)) {
    if (!isJsonArray(present)) return present ?? null; // bytes are a text
    return present.map((item) => internalForm(layouts, goType.slice(LIST.length), item));
  }
  if (goType.startsWith(MAP)) {
    if (!isJsonObject(present)) return null;
    const entries = Object.entries(present).sort(([a], [b]) => compareUtf8(a, b));
    return objectOf(
      entries.map(([name, item]) => [name, internalForm(layouts, goType.slice(MAP.length), item)]),
    );
  }
  const fields = layouts.structs[goType];
  if (fields === undefined) return present ?? ZERO_SCALAR[goType] ?? 0;
  const object = isJsonObject(present) ? present : {};
  return objectOf(fields.flatMap((field) => fieldForm(layouts, field, object, above)));
}

type Entry = readonly [name: string, value: JsonValue];

function fieldForm(
  layouts: InternalLayouts,
  [shown, goType, place]: InternalField,
  object: JsonObject,
  above: JsonObject | undefined,
): readonly Entry[] {
  const form = internalForm(layouts, goType, valueAt(place, object, above), object);
  if (shown !== '') return [[shown, form]];
  return isJsonObject(form) ? Object.entries(form) : [];
}

function valueAt(
  place: string | undefined,
  object: JsonObject,
  above: JsonObject | undefined,
): JsonValue | undefined {
  if (place === undefined) return undefined;
  if (place === '') return object;
  return place.startsWith(ABOVE) ? member(above, place.slice(ABOVE.length)) : member(object, place);
}

const zeroAsStored = (goType: string): JsonValue => {
  const zero = ZERO_AS_STORED[goType];
  return zero === undefined ? {} : zero;
};

function objectOf(entries: readonly Entry[]): JsonObject {
  const object: MutableJsonObject = {};
  for (const [name, value] of entries) setMember(object, name, value);
  return object;
}

const SEGMENT = /([^.[\]]+)|\[([^\]]*)\]/g;

/**
 * The Go type of what an error's path names in an object of a kind.
 * @param kind `apps/v1 Deployment`
 * @param field `spec.template.spec.volumes[0]`
 * Shape: undefined where the layouts do not have it.
 */
export function goTypeAt(layouts: InternalLayouts, kind: string, field: string): string | undefined {
  let goType = layouts.kinds[kind];
  for (const [, name, key] of field.matchAll(SEGMENT)) {
    if (goType === undefined) return undefined;
    const plain: string = goType.replace(/^\*/, '');
    goType = key === undefined ? memberType(layouts, plain, name ?? '') : elementType(plain);
  }
  return goType;
}

const elementType = (goType: string): string | undefined =>
  [LIST, MAP].flatMap((prefix) => (goType.startsWith(prefix) ? [goType.slice(prefix.length)] : []))[0];

function memberType(layouts: InternalLayouts, goType: string, name: string): string | undefined {
  for (const [shown, type, place] of layouts.structs[goType] ?? []) {
    if (place === name) return type;
    if (place === '' && shown === '') {
      const within = memberType(layouts, type, name);
      if (within !== undefined) return within;
    }
  }
  return undefined;
}
