/**
 * Values of expressions. An int is a bigint, a double a number; null, bool and string are what they are in JSON.
 *
 * Source: the CEL language definition, "Values".
 */
import { CelError } from './cel-error.js';

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
  constructor(nanos: bigint) {
    this.nanos = nanos;
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

export class ListValue {
  readonly elements: readonly Value[];
  /** Undefined: element by element. */
  readonly semantics: ListSemantics | undefined;
  constructor(elements: readonly Value[], semantics?: ListSemantics) {
    this.elements = elements;
    this.semantics = semantics;
  }
}

export interface MapValue {
  readonly isMap: true;
  readonly size: number;
  /** Undefined where there is none. Errors: a CelError when no such key can be. */
  find(key: Value): Value | undefined;
  keys(): readonly Value[];
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
