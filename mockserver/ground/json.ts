/**
 * The value model: JSON as Go keeps it.
 *
 * A `number` that is integral is an int64; one with a fraction is a float64. What a JavaScript number cannot
 * say has a form of its own: integers beyond 2^53 are `bigint`, and a float64 whose value is integral
 * (`1.0`, `1e3`, `2^63`) is a `Float`, since a real server tells 1.0 from 1 in custom resources.
 *
 * Objects are ordinary objects with own members only. A member may be named like one of Object.prototype's
 * (`toString`, `__proto__`), so a name that a client chose is read with `member` and written with `setMember`.
 */

/** A float64 whose value happens to be integral: `1.0`, `1e3`, `9223372036854775808`. */
export class Float {
  readonly value: number;
  readonly #literal: string | undefined;
  /** @param literal how the number was written, for errors and quantities, which show it. */
  constructor(value: number, literal?: string) {
    this.value = value;
    this.#literal = literal;
  }
  /** How the number was written (`1.0`, `1e9`); how it would be written when nobody wrote it. */
  get literal(): string {
    return this.#literal ?? JSON.stringify(this.value);
  }
  /** JSON.stringify writes it as ECMAScript writes the number, which is Go's form too. */
  toJSON(): number {
    return this.value;
  }
}

export type JsonValue = null | boolean | number | bigint | Float | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [name: string]: JsonValue;
}
/** An object under construction; it is not shared until it is finished. */
export interface MutableJsonObject {
  [name: string]: JsonValue;
}

/**
 * What `T` would have to be to be JSON all the way down: itself where it is, `never` at what is none (functions, maps, symbols).
 * Classes with methods are none: their methods are members.
 */
export type JsonMembers<T> = T extends JsonValue | undefined
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { readonly [K in keyof T]: JsonMembers<T[K]> }
      : never;

/** An interface's value as the JSON that it is: interfaces have no index signature, so the compiler needs telling, once. */
export function jsonObject<T extends object>(value: T & JsonMembers<T>): JsonObject {
  return value as unknown as JsonObject; // JsonMembers has seen to it
}

/** The same of a list. */
export function jsonArray<T>(values: readonly (T & JsonMembers<T>)[]): JsonArray {
  return values as unknown as JsonArray; // JsonMembers has seen to it
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** The own member `name` of `object`; undefined when there is none, whatever Object.prototype has. */
export function member(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Adds or replaces an own member, also one named `__proto__`. */
export function setMember(object: MutableJsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** A shallow copy whose members may be changed. */
export function copyObject(object: JsonObject): MutableJsonObject {
  return { ...object };
}

export function stringMember(object: JsonObject | undefined, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function objectMember(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = member(object, name);
  return isJsonObject(value) ? value : undefined;
}

export function arrayMember(object: JsonObject | undefined, name: string): JsonArray | undefined {
  const value = member(object, name);
  return isJsonArray(value) ? value : undefined;
}

export function booleanMember(object: JsonObject | undefined, name: string): boolean | undefined {
  const value = member(object, name);
  return typeof value === 'boolean' ? value : undefined;
}

export function numberMember(object: JsonObject | undefined, name: string): number | undefined {
  const value = member(object, name);
  return typeof value === 'number' ? value : undefined;
}

/**
 * Whether two values are the same JSON. The order of an object's members does not count; an int64 and a float64
 * of equal value differ, as they do inside a real server.
 */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return equalWithin(a, b, 0, (x, y) => deepEqual(x, y));
}

/** Recursion ends here and an explicit stack takes over: bodies may be 10,000 levels deep. */
const SHALLOW = 200;

type Compound = JsonArray | JsonObject;

function equalWithin(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  depth: number,
  beyond: (a: Compound, b: Compound) => boolean,
): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof Float || b instanceof Float) {
    return a instanceof Float && b instanceof Float && a.value === b.value;
  }
  if (depth === SHALLOW) return beyond(a, b);
  if (isJsonArray(a) || isJsonArray(b)) {
    if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equalWithin(a[i], b[i], depth + 1, beyond)) return false;
    return true;
  }
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name) || !equalWithin(a[name], b[name], depth + 1, beyond)) return false;
  }
  return true;
}

function deepEqual(a: Compound, b: Compound): boolean {
  const left: [Compound, Compound][] = [[a, b]];
  const later = (x: Compound, y: Compound): boolean => {
    left.push([x, y]);
    return true;
  };
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    if (!equalWithin(pair[0], pair[1], 0, later)) return false;
  }
  return true;
}

/** Orders texts by the bytes of their UTF-8 form, as Go orders map keys and etcd orders keys. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      // Code units order as UTF-8 does, except that surrogates (beyond U+FFFF) come after U+E000…U+FFFF.
      const xs = x >= 0xd800 && x <= 0xdfff;
      const ys = y >= 0xd800 && y <= 0xdfff;
      if (xs !== ys) return xs ? 1 : -1;
      return x - y;
    }
  }
  return a.length - b.length;
}
