import * as fc from 'fast-check';
import {
  type FieldSet,
  EMPTY_SET,
  difference,
  intersection,
  leaves,
  pathsOf,
  recursiveDifference,
  sameSet,
  setOfPath,
  setOfPaths,
  union,
} from '../../../mockserver/patch/field-set.js';
import { FieldSetTable, decodeFields, encodeFields } from '../../../mockserver/patch/fields-v1.js';
import {
  type PathElement,
  compareElements,
  fieldElement,
  indexElement,
  keyElement,
  parseElement,
  showPath,
  valueElement,
} from '../../../mockserver/patch/path-element.js';

const scalar = fc.oneof(
  fc.constantFrom('a', 'b', '<', '"', 'é', '\u{1f600}', '\uffee'),
  fc.integer({ min: -3, max: 12 }),
  fc.boolean(),
);
const element: fc.Arbitrary<PathElement> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', '__proto__', 'x/y', '.').map(fieldElement) },
  scalar.map(valueElement),
  fc.tuple(scalar, scalar).map(([name, port]) =>
    keyElement([
      ['port', port],
      ['name', name],
    ]),
  ),
  fc.nat(3).map(indexElement),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const set = fc.array(path, { maxLength: 8 }).map(setOfPaths);

const texts = (of: FieldSet): string[] => pathsOf(of).map((one) => one.map(({ text }) => text).join(' '));
const holds = (of: FieldSet, wanted: (path: string) => boolean, from: FieldSet): boolean =>
  JSON.stringify([...texts(of)].sort()) === JSON.stringify(texts(from).filter(wanted).sort());

describe('field sets', () => {
  test('hold the paths that are put in, and no others', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        const made = setOfPaths(paths);
        expect(new Set(texts(made))).toEqual(
          new Set(paths.map((one) => one.map(({ text }) => text).join(' '))),
        );
        for (const one of paths) expect(made.has(one)).toBe(true);
      }),
    );
  });

  test('a union holds what is in either, whichever comes first', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        expect(new Set(texts(union(a, b)))).toEqual(new Set([...texts(a), ...texts(b)]));
        expect(sameSet(union(a, b), union(b, a))).toBe(true);
        expect(sameSet(union(union(a, b), c), union(a, union(b, c)))).toBe(true);
      }),
    );
  });

  test('an intersection holds what is in both', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const others = new Set(texts(b));
        expect(holds(intersection(a, b), (one) => others.has(one), a)).toBe(true);
        expect(sameSet(intersection(a, b), intersection(b, a))).toBe(true);
      }),
    );
  });

  test('a difference holds what is in the first alone', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const others = new Set(texts(b));
        expect(holds(difference(a, b), (one) => !others.has(one), a)).toBe(true);
        expect(sameSet(union(difference(a, b), intersection(a, b)), a)).toBe(true);
      }),
    );
  });

  test('a recursive difference takes what is below a path along', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const others = texts(b);
        const kept = (one: string): boolean =>
          !others.some((other) => one === other || one.startsWith(`${other} `));
        expect(holds(recursiveDifference(a, b), kept, a)).toBe(true);
      }),
    );
  });

  test('leaves are the paths that none goes on from', () => {
    fc.assert(
      fc.property(set, (a) => {
        const all = texts(a);
        expect(holds(leaves(a), (one) => !all.some((other) => other.startsWith(`${one} `)), a)).toBe(true);
      }),
    );
  });

  test('an operation that changes nothing answers the set it was given', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const both = union(a, b);
        expect(union(both, a)).toBe(both);
        expect(difference(both, EMPTY_SET)).toBe(both);
        expect(intersection(both, both)).toBe(both);
        expect(difference(a, difference(b, a))).toBe(a);
      }),
    );
  });

  test('sets are the same exactly when they hold the same paths', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(sameSet(a, b)).toBe(JSON.stringify(texts(a)) === JSON.stringify(texts(b)));
      }),
    );
  });
});

describe('FieldsV1', () => {
  test('says the set again when it is read', () => {
    fc.assert(
      fc.property(set, (a) => {
        const read = decodeFields(encodeFields(a));
        expect(read !== undefined && sameSet(read, a)).toBe(true);
      }),
    );
  });

  test('has fields before keys, values and positions, numbers by value, `.` first', () => {
    const made = setOfPaths([
      [fieldElement('l')],
      [fieldElement('l'), indexElement(1)],
      [fieldElement('l'), valueElement('a')],
      [fieldElement('l'), valueElement(80)],
      [fieldElement('l'), valueElement(443)],
      [
        fieldElement('l'),
        keyElement([
          ['port', 80],
          ['name', 'b'],
        ]),
      ],
      [fieldElement('l'), keyElement([['name', 'a']])],
      [fieldElement('l'), fieldElement('z')],
    ]);
    expect(JSON.stringify(encodeFields(made))).toBe(
      '{"f:l":{".":{},"f:z":{},"k:{\\"name\\":\\"a\\"}":{},"k:{\\"name\\":\\"b\\",\\"port\\":80}":{},"v:80":{},"v:443":{},"v:\\"a\\"":{},"i:1":{}}}',
    );
  });

  test.each([
    ['an unknown sort of step is left out', { 'x:y': {}, 'f:a': {} }, ['f:a']],
    ['a path whose steps below are all unknown is one itself', { 'f:a': { 'x:y': {} } }, ['f:a']],
    ['null is an empty object', { 'f:a': null }, ['f:a']],
    [
      'one step in two writings is one',
      { 'k:{"a": 1}': {}, 'k:{"a":1}': { 'f:b': {} } },
      ['k:{"a":1}', 'k:{"a":1} f:b'],
    ],
  ])('%s', (_, value, expected) => {
    const read = decodeFields(value);
    expect(read === undefined ? undefined : texts(read)).toEqual(expected);
  });

  test.each([
    ['a text without a colon', { foo: {} }],
    ['a key that is no JSON', { 'k:{': {} }],
    ['a position that is no number', { 'i:x': {} }],
    ['a scalar below a step', { 'f:a': 1 }],
    ['a list', []],
  ])('is not made of %s', (_, value) => {
    expect(decodeFields(value)).toBeUndefined();
  });

  test('equal sets are one set with one encoding in a table, also when read from text', () => {
    const table = new FieldSetTable();
    const make = (): FieldSet => setOfPaths([[fieldElement('a'), fieldElement('b')], [fieldElement('c')]]);
    const first = table.encode(make(), 'typed');
    expect(table.encode(make(), 'typed')).toBe(first);
    expect(table.decode(first)).toBe(table.canonical(make()));
    expect(table.decode({ 'f:c': {}, 'f:a': { 'f:b': {} } })).toBe(table.canonical(make()));
    expect(Object.isFrozen(first)).toBe(true);
  });

  test('of objects that are maps has its members in byte order', () => {
    const table = new FieldSetTable();
    const made = setOfPaths([[valueElement(80)], [valueElement(443)], [valueElement('b')]]);
    expect(Object.keys(table.encode(made, 'typed'))).toEqual(['v:80', 'v:443', 'v:"b"']);
    expect(Object.keys(table.encode(made, 'sorted'))).toEqual(['v:"b"', 'v:443', 'v:80']);
  });
});

describe('steps', () => {
  test('order totally, and are read from their own text', () => {
    fc.assert(
      fc.property(element, element, element, (a, b, c) => {
        expect(Math.sign(compareElements(a, b))).toBe(-Math.sign(compareElements(b, a)) + 0);
        if (compareElements(a, b) < 0 && compareElements(b, c) < 0)
          expect(compareElements(a, c)).toBeLessThan(0);
        const read = parseElement(a.text);
        expect(read.kind === 'element' && read.element.text === a.text).toBe(true);
      }),
    );
  });

  test('are shown as a conflict names them', () => {
    expect(
      showPath([
        fieldElement('spec'),
        keyElement([
          ['port', 80],
          ['name', 'a"b'],
          ['on', true],
          ['no', null],
        ]),
        valueElement(1.5),
        indexElement(2),
      ]),
    ).toBe('.spec[name="a\\"b",no=null,on=true,port=80][=1.5][2]');
  });

  test('escape in keys and values what Go escapes in HTML', () => {
    expect(valueElement('a<b').text).toBe('v:"a\\u003cb"');
    expect(keyElement([['n', 'a&b']]).text).toBe('k:{"n":"a\\u0026b"}');
  });

  test('the empty path is in no set', () => {
    expect(setOfPath([]).empty).toBe(true);
    expect(EMPTY_SET.has([])).toBe(false);
  });
});
