import * as fc from 'fast-check';
import {
  FieldSelector,
  METADATA_FIELDS,
  checkFields,
  labelNotSupported,
  parseFieldSelector,
} from '../../../mockserver/watch/field-selector.js';
import { Selection } from '../../../mockserver/watch/selection.js';
import { parseLabelSelector } from '../../../mockserver/watch/label-selector-parser.js';
import { nameOf } from '../../../mockserver/ground/object.js';
import { refusal } from '../refusal.js';

const reader =
  (fields: Record<string, string>) =>
  (field: string): string =>
    fields[field] ?? '';

describe('a field selector matches', () => {
  test.each([
    ['everything when empty', '', [{}], []],
    ['everything when it is a lone operator', '!=', [{}, { a: '1' }], []],
    ['everything when it is commas', ',,', [{}], []],
    ['one value', 'a=1', [{ a: '1' }], [{ a: '2' }, {}]],
    ['one value, doubly equal', 'a==1', [{ a: '1' }], [{}]],
    ['any other value', 'a!=1', [{ a: '2' }, {}], [{ a: '1' }]],
    ['a missing field as the empty text', 'a=', [{}, { a: '' }], [{ a: '1' }]],
    ['all terms together', 'a=1,b!=2', [{ a: '1' }], [{ a: '1', b: '2' }]],
    ['escaped values', 'a=x\\,y\\=z\\\\', [{ a: 'x,y=z\\' }], [{ a: 'x' }]],
    ['blanks as they are', 'a= 1', [{ a: ' 1' }], [{ a: '1' }]],
  ])('%s', (_name, text, matching, others) => {
    const selector = parseFieldSelector(text);
    for (const fields of matching) expect(selector.matches(reader(fields))).toBe(true);
    for (const fields of others) expect(selector.matches(reader(fields))).toBe(false);
  });
});

// All texts as kube-apiserver 1.36.3 answered them.
describe('a field selector that cannot be read says', () => {
  test.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['b,a', "invalid selector: 'b,a'; can't understand 'a'"],
    ['z=1,a', "invalid selector: 'z=1,a'; can't understand 'a'"],
    ['!a', "invalid selector: '!a'; can't understand '!a'"],
    ['x in (y)', "invalid selector: 'x in (y)'; can't understand 'x in (y)'"],
    ['a===b', 'invalid field selector: unescaped character in value: 61'],
    ['a\\=x=1', 'invalid field selector: unescaped character in value: 61'],
    ['a=b\\c', 'invalid field selector: invalid escape sequence: \\c'],
    ['a=é\\é', 'invalid field selector: invalid escape sequence: \\é'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j: its words', (text, message) => {
    expect(refusal(() => parseFieldSelector(text))).toMatchObject({ name: 'SelectorError', message });
  });
});

describe('fields that a resource cannot be selected by are refused', () => {
  const own = { fields: ['metadata.name', 'spec.color'], refusal: labelNotSupported };
  test.each([
    [
      'own fields, the first in byte order',
      own,
      'metadata.name=x,spec.b=1,spec.a=1',
      'field label not supported: spec.a',
    ],
    ['own fields, no name', own, '=a', 'field label not supported: '],
    [
      'metadata alone',
      METADATA_FIELDS,
      '"x"=1',
      '"\\"x\\"" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'metadata alone, with a sign that JSON escapes',
      METADATA_FIELDS,
      'a<b=1',
      '"a<b" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])('%s', (_name, selectable, text, message) => {
    expect(refusal(() => checkFields(parseFieldSelector(text), selectable))).toMatchObject({ message });
  });

  test('but the others pass', () => {
    expect(() => checkFields(parseFieldSelector('spec.color=red,metadata.name!=a'), own)).not.toThrow();
    expect(() => checkFields(parseFieldSelector('='), METADATA_FIELDS)).not.toThrow();
  });
});

test('a field selector tells the value that it asks for', () => {
  const selector = parseFieldSelector('metadata.name=b,metadata.name=a,x!=1');
  expect(selector.exactValueOf('metadata.name')).toBe('a');
  expect(selector.exactValueOf('x')).toBeUndefined();
});

test('a field selector that is written and read again matches the same', () => {
  const term = fc.record({
    field: fc.stringMatching(/^[a-z.]{1,6}$/),
    operator: fc.constantFrom('=' as const, '!=' as const),
    value: fc.string({ unit: fc.constantFrom('a', ',', '=', '\\', '!', 'é', ' ') }),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), (terms) => {
      const again = parseFieldSelector(new FieldSelector(terms).toString());
      expect([...again.terms]).toEqual(expect.arrayContaining(terms));
      expect(again.terms).toHaveLength(terms.length);
    }),
  );
});

describe('a selection', () => {
  const object = (namespace: string, name: string, color: string) => ({
    apiVersion: 'ex.io/v1',
    kind: 'Widget',
    metadata: { namespace, name, labels: { color } },
    spec: { size: name.length },
  });
  const selection = (labels: string, fields: string, scope = {}) =>
    new Selection(
      { ...scope, labels: parseLabelSelector(labels), fields: parseFieldSelector(fields) },
      (one, field) => (field === 'metadata.name' ? nameOf(one) : undefined),
    );

  test('asks for key range, labels and fields together', () => {
    const narrow = selection('color=red', 'metadata.name!=b', { namespace: 'n' });
    expect(narrow.matches(object('n', 'a', 'red'))).toBe(true);
    expect(narrow.matches(object('m', 'a', 'red'))).toBe(false);
    expect(narrow.matches(object('n', 'b', 'red'))).toBe(false);
    expect(narrow.matches(object('n', 'a', 'blue'))).toBe(false);
    expect(narrow.scope).toEqual({ namespace: 'n' });
  });

  test('filters only when a selector asks for something', () => {
    expect(selection('', '', { namespace: 'n', name: 'a' }).filter).toBeUndefined();
    const filter = selection('', 'spec.none=').filter;
    expect(filter?.(object('m', 'a', 'red'))).toBe(true);
    expect(selection('', 'spec.none!=').filter?.(object('m', 'a', 'red'))).toBe(false);
  });
});
