/**
 * Values of expressions. An int is a bigint, a double a number; null, bool and string are what they are in JSON.
 *
 * Source: the CEL language definition, "Values".
 */
import { CelError, CostExceeded } from './cel-error.js';

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Bytes
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | TypeValue
  | OptionalValue
  | Opaque;

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Bytes {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export class Timestamp {
  /** Nanoseconds since 1970. */
  readonly nanos: bigint;
  /** In which it was written, and is written again: `UTC`, `+01:00`. */
  readonly zone: string;
  constructor(nanos: bigint, zone = 'UTC') {
    this.nanos = nanos;
    this.zone = zone;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** What `type(x)` gives. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export class OptionalValue {
  /** Undefined: none. */
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const NONE = new OptionalValue(undefined);

/** A value of a library's own type: compared, printed and asked by the functions of that library only. */
export abstract class Opaque {
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
}

/** How two lists are compared and added. */
export interface ListSemantics {
  equals(list: ListValue, other: ListValue): boolean;
  add(list: ListValue, other: ListValue): ListValue;
}

/** More than any request can bring. */
const MOST_ELEMENTS = 3_000_000;

export class ListValue {
  /** Undefined: element by element. */
  readonly semantics: ListSemantics | undefined;
  readonly size: number;
  #elements: readonly Value[] | undefined;
  readonly #halves: readonly [ListValue, ListValue] | undefined;

  constructor(
    elements: readonly Value[],
    semantics?: ListSemantics,
    halves?: readonly [ListValue, ListValue],
  ) {
    this.semantics = semantics;
    this.size = halves === undefined ? elements.length : halves[0].size + halves[1].size;
    this.#elements = halves === undefined ? elements : undefined;
    this.#halves = halves;
  }

  /** Both lists, one after the other. Nothing is copied before somebody reads it, so that doubling is cheap. */
  static joining(a: ListValue, b: ListValue): ListValue {
    return new ListValue([], undefined, [a, b]);
  }

  /** Errors: a CostExceeded for a joined list that is longer than a request could be. */
  get elements(): readonly Value[] {
    return (this.#elements ??= this.#joined());
  }

  #joined(): readonly Value[] {
    if (this.size > MOST_ELEMENTS) throw new CostExceeded();
    const out: Value[] = [];
    const waiting: ListValue[] = [this];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.#elements !== undefined) for (const one of next.#elements) out.push(one);
      else if (next.#halves !== undefined) waiting.push(next.#halves[1], next.#halves[0]);
    }
    return out;
  }
}

export interface MapValue {
  readonly isMap: true;
  readonly size: number;
  /** Undefined where there is none. Errors: a CelError when no such key can be. */
  find(key: Value): Value | undefined;
  keys(): readonly Value[];
  /** Of all that it holds, where that is known without asking for each. */
  weight?(): number;
  /** Where comparing is not key by key. */
  equals?(other: MapValue): boolean;
}

/** A map written as `{key: value}` or made by an expression. */
export class EntryMap implements MapValue {
  readonly isMap = true;
  readonly #entries = new Map<string, readonly [key: Value, value: Value]>();

  /** Errors: a CelError for a key that is there already, or cannot be one. */
  insert(key: Value, value: Value): void {
    const name = keyText(key);
    if (name === undefined) throw new CelError(`unsupported key type: ${typeName(key)}`);
    if (this.#entries.has(name)) throw new CelError(`insert failed: key ${plainText(key)} already exists`);
    this.#entries.set(name, [key, value]);
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Value | undefined {
    const name = keyText(key);
    return name === undefined ? undefined : this.#entries.get(name)?.[1];
  }

  keys(): readonly Value[] {
    return [...this.#entries.values()].map(([key]) => key);
  }
}

/** Numbers that are equal are one key. */
function keyText(key: Value): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${String(key)}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'number') return `n${key}`;
  return undefined;
}

/** As an error names it. */
export function plainText(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  if (typeof value === 'object') return typeName(value);
  return String(value);
}

export const isMapValue = (value: Value | undefined): value is MapValue =>
  typeof value === 'object' && value !== null && 'isMap' in value;

/** As `type()` names it. */
export function typeName(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof ListValue) return 'list';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof OptionalValue) return 'optional_type';
  if (value instanceof Opaque) return value.typeName;
  return 'map';
}
