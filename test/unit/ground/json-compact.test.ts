import { compactJson } from '../../../mockserver/ground/json-compact.js';
import { type JsonObject, type JsonValue, Float, setMember } from '../../../mockserver/ground/json.js';

const wide = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`member${i}`, i]));

const odd = (): JsonObject => {
  const object = { constructor: 1, 10: 'index', toString: null };
  setMember(object, '__proto__', { own: true });
  return object;
};

function nested(levels: number): JsonValue {
  let value: JsonValue = 'inside';
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

describe('a compact value', () => {
  test.each<[string, JsonValue]>([
    ['a text', 'a'],
    ['nothing', null],
    ['an empty list', []],
    ['an empty object', {}],
    ['a list of objects', [{ a: 1 }, { b: [2, 3n] }]],
    ['an object of many members', wide(40)],
    ['names of JavaScript itself', odd()],
    ['a value too deep for recursion', nested(20_000)],
  ])('equals what it was made of: %s', (_, value) => {
    const made = compactJson(value);
    expect(membersOf(made)).toEqual(membersOf(value));
  });

  test('keeps the order of members', () => {
    const value = { b: 1, a: { d: 1, c: 2 }, ...wide(20) };
    expect(JSON.stringify(compactJson(value))).toBe(JSON.stringify(value));
  });

  test('shares what is frozen and copies what is not', () => {
    const kept = Object.freeze({ name: 'a' });
    const made = compactJson({ kept, list: [kept], number: new Float(1) });
    expect(made.kept).toBe(kept);
    expect(made.list[0]).toBe(kept);
    expect(compactJson(kept)).toBe(kept);
  });

  test('leaves its argument as it was', () => {
    const value = { list: [1], inner: { a: 1 } };
    const made = compactJson(value);
    expect([made === value, made.list === value.list, made.inner === value.inner]).toEqual([
      false,
      false,
      false,
    ]);
    expect(Object.isFrozen(value)).toBe(false);
  });
});

/** Own members from the top down, without recursion. */
function membersOf(value: JsonValue): unknown[] {
  const found: unknown[] = [];
  const left: JsonValue[] = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) {
      found.push(one);
      continue;
    }
    const entries = Object.entries(one) as [string, JsonValue][]; // of JSON values
    found.push(entries.map(([name]) => name));
    left.push(...entries.map(([, inner]) => inner));
  }
  return found;
}
