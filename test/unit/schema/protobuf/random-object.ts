/** Objects by chance: any member of a message may be there, with any value of its type. */
import { type JsonValue, type MutableJsonObject } from '../../../../mockserver/ground/json.js';
import { type Random } from '../../../../mockserver/ground/random.js';
import { type MessageField, type MessageTable } from '../../../../mockserver/schema/message-table.js';

const TEXTS = ['', 'a', 'Ünï', '10', '2', '\u{1f600}', '__proto__', 'x'.repeat(200), '\u0000', '\ufb00'];
const INTEGERS = [0, 1, -1, 127, 128, 16_384, -2_147_483_648, 2_147_483_647];
const LONG_INTEGERS = [
  ...INTEGERS,
  2 ** 40,
  -(2 ** 40),
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
];
const QUANTITIES = ['0', '100m', '1Gi', '-5', '12e6', '1500u'];
const TIMES = [
  '1970-01-01T00:00:00Z',
  '2026-11-29T19:00:00Z',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59Z',
];
const TREES: readonly JsonValue[] = [{ 'f:a': { '.': {} } }, { kind: 'X', n: [1, 'ä', null, 1.5] }, {}];

export class RandomObjects {
  readonly #table: MessageTable;
  readonly #random: Random;

  constructor(table: MessageTable, random: Random) {
    this.#table = table;
    this.#random = random;
  }

  /** Its members, nested ones down to a depth that chance bounds. */
  message(name: string, depth = 0): MutableJsonObject {
    const out: MutableJsonObject = {};
    const fields = this.#table.fields(name) ?? [];
    for (const field of fields) {
      if (field.emission === 'inline') Object.assign(out, this.message(field.type, depth));
      else if (this.#random.next() < 0.6 / (1 + depth * 0.4)) out[field.name] = this.#member(field, depth);
    }
    return out;
  }

  #member(field: MessageField, depth: number): JsonValue {
    const one = (): JsonValue => this.#value(field.type, depth);
    if (field.label === 'opt') return one();
    const count = this.#index(4);
    if (field.label === 'rep') return Array.from({ length: count }, one);
    return Object.fromEntries(
      Array.from({ length: count }, () => [`${this.#pick(['', 'k', '1', 'z.'])}${this.#index(20)}`, one()]),
    );
  }

  #value(type: string, depth: number): JsonValue {
    switch (type) {
      case 'string':
        return this.#pick(TEXTS);
      case 'bool':
        return this.#random.next() < 0.5;
      case 'int32':
        return this.#pick(INTEGERS);
      case 'int64':
        return this.#pick(LONG_INTEGERS);
      case 'double':
        return this.#pick([0, 1.5, -2, 1e-7]);
      case 'bytes':
        return this.#pick(['', 'AAH/', 'YQ==']);
      default:
        return this.#special(type, depth) ?? this.message(type, depth + 1);
    }
  }

  #special(type: string, depth: number): JsonValue | undefined {
    const parts = type.split('.');
    const schema = (): JsonValue =>
      this.message([...parts.slice(0, -1), 'JSONSchemaProps'].join('.'), depth + 2);
    switch (parts.at(-1)) {
      case 'Time':
        return this.#pick(TIMES);
      case 'MicroTime':
        return this.#pick(TIMES).replace('Z', this.#pick(['.000000Z', '.000001Z', '.999999Z']));
      case 'Quantity':
        return this.#pick(QUANTITIES);
      case 'IntOrString':
        return this.#random.next() < 0.5 ? this.#pick(INTEGERS) : this.#pick(TEXTS);
      case 'FieldsV1':
      case 'RawExtension':
      case 'JSON':
        return this.#pick(TREES);
      case 'JSONSchemaPropsOrBool':
        return depth > 2 ? this.#random.next() < 0.5 : schema();
      case 'JSONSchemaPropsOrArray':
        return depth > 2 ? null : this.#pick([schema(), [schema(), schema()]]);
      case 'JSONSchemaPropsOrStringArray':
        return depth > 2 ? ['a', ''] : schema();
      case 'ExtraValue':
      case 'Verbs':
        return ['get', ''];
      default:
        return undefined;
    }
  }

  #pick<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    const found = from[this.#index(from.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }

  #index(below: number): number {
    return Math.floor(this.#random.next() * below);
  }
}
