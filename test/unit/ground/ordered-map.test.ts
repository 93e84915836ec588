import fc from 'fast-check';
import { OrderedMap } from '../../../mockserver/ground/ordered-map.js';

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function valuesIn(map: OrderedMap<string>, start: string, end: string): string[] {
  const values: string[] = [];
  map.forRange(start, end, (value) => values.push(value) > 0);
  return values;
}

// Letters before, at and after the surrogates, so that code units and bytes order differently.
const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '퟿', '', '�', '😀'), maxLength: 4 });

test('ranges are in the byte order of their keys, whatever was put in, replaced and taken out', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean())), key, key, (steps, start, end) => {
      const map = new OrderedMap<string>();
      const model = new Map<string, string>();
      steps.forEach(([name, put], i) => {
        if (put) {
          map.set(name, `${name} ${i}`);
          model.set(name, `${name} ${i}`);
        } else {
          map.delete(name);
          model.delete(name);
        }
      });
      const wanted = [...model.keys()]
        .filter((name) => byBytes(name, start) >= 0 && byBytes(name, end) < 0)
        .sort(byBytes);
      expect(valuesIn(map, start, end)).toEqual(wanted.map((name) => model.get(name)));
      expect(map.countRange(start, end)).toBe(wanted.length);
      for (const name of wanted) expect(map.get(name)).toBe(model.get(name));
    }),
  );
});

test('a visitor that answers false is not called again', () => {
  const map = new OrderedMap<number>();
  [1, 2, 3].forEach((value) => map.set(`k${value}`, value));
  const seen: number[] = [];
  map.forRange('k', 'l', (value) => seen.push(value) < 2);
  expect(seen).toEqual([1, 2]);
});

test('a key that is not there has no value', () => {
  const map = new OrderedMap<number>();
  map.set('a', 1);
  map.delete('a');
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
  expect(map.get('toString')).toBeUndefined();
});
