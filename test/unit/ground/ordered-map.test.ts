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

type MapStep =
  | { readonly kind: 'put' | 'delete' | 'get'; readonly map: number; readonly name: string }
  | { readonly kind: 'copy'; readonly map: number };

const mapStep: fc.Arbitrary<MapStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constantFrom('put' as const, 'put' as const, 'delete' as const, 'get' as const),
      map: fc.nat(4),
      name: fc.oneof(
        key,
        fc.nat(300).map((n) => `k${n}`),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), map: fc.nat(4) }) },
);

test('copies, and copies of copies, share nothing that either of them changes', () => {
  fc.assert(
    fc.property(fc.array(mapStep, { maxLength: 400 }), (steps) => {
      const maps = [{ map: new OrderedMap<string>(), model: new Map<string, string>() }];
      steps.forEach((step, i) => {
        const one = maps[step.map % maps.length];
        if (one === undefined) return;
        if (step.kind === 'copy') maps.push({ map: one.map.copy(), model: new Map(one.model) });
        else if (step.kind === 'get') expect(one.map.get(step.name)).toBe(one.model.get(step.name));
        else if (step.kind === 'put') {
          one.map.set(step.name, `${i}`);
          one.model.set(step.name, `${i}`);
        } else {
          one.map.delete(step.name);
          one.model.delete(step.name);
        }
      });
      for (const { map, model } of maps) {
        const seen: string[] = [];
        map.forEach((value) => seen.push(value));
        expect(seen).toEqual([...model].sort(([a], [b]) => byBytes(a, b)).map(([, value]) => value));
        for (const [name, value] of model) expect(map.get(name)).toBe(value);
      }
    }),
  );
});
