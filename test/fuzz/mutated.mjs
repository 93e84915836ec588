/** Documents with places changed, at random. */

/** Values that no member expects, and some that most do. */
const VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  'x',
  'X Y',
  'é\u0000',
  '__proto__',
  '1Gi',
  '50%',
  '9'.repeat(40),
  'a'.repeat(300),
  '10.0.0.1',
  '2026-01-01T00:00:00Z',
  [],
  [null],
  ['x', 'x'],
  [[]],
  {},
  { x: 'y' },
  { '': '' },
  { constructor: {}, toString: 1 },
];

/** Every place in a document, as the keys that lead there. */
function placesIn(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => placesIn(value[key], [...path, key]))];
}

/** The document with one place changed, or a copy where there is no place. `__proto__` is a member like any other. */
function mutated(document, random, donors) {
  const copy = structuredClone(document);
  const places = placesIn(copy).filter((path) => path.length > 0);
  const path = random.pick(places);
  if (path === undefined) return copy;
  const owner = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const key = path.at(-1);
  const put = (name, value) =>
    Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
  switch (random.pick(['value', 'value', 'drop', 'name', 'double', 'graft'])) {
    case 'value':
      put(key, structuredClone(random.pick(VALUES)));
      break;
    case 'drop':
      if (Array.isArray(owner)) owner.splice(Number(key), 1);
      else delete owner[key];
      break;
    case 'name':
      if (!Array.isArray(owner)) put(random.pick(['x', '__proto__', 'spec', 'name', '']), owner[key]);
      break;
    case 'double':
      if (Array.isArray(owner)) owner.push(structuredClone(owner[key]));
      else put(`${key}2`, owner[key]);
      break;
    case 'graft':
      put(key, structuredClone(random.pick(donors)));
      break;
  }
  return copy;
}

/** The document after so many changes; with nothing left to change, as it is. */
export function mutatedTimes(times, document, random, donors) {
  let changed = document;
  for (let left = times; left > 0; left--) changed = mutated(changed, random, donors);
  return changed;
}
