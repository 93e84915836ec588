import { type JsonObject } from '../../../mockserver/ground/json.js';
import { writeJson, writePretty } from '../../../mockserver/ground/json-write.js';
import { writeYaml } from '../../../mockserver/ground/yaml-write.js';
import { type ListParts, type Piece } from '../../../mockserver/http/format.js';
import { bareObject, jsonFormat } from '../../../mockserver/http/json-format.js';
import { yamlFormat } from '../../../mockserver/http/yaml-format.js';
import { configMap, stored, widget } from './support.js';

const bytesOf = (piece: Piece): Buffer => {
  if (Buffer.isBuffer(piece)) return piece;
  return Buffer.from(typeof piece === 'string' ? piece : piece.join(''), 'latin1');
};
const text = (pieces: Iterable<Piece>): string => Buffer.concat([...pieces].map(bytesOf)).toString();

const typed: ListParts = {
  head: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' } },
  items: [configMap('a', '<\u00e9>\n"}'), configMap('b')],
  itemForm: 'bare',
  memberOrder: 'typed',
};
const sorted: ListParts = {
  head: { kind: 'WidgetList', apiVersion: 'ex.io/v1', metadata: { continue: '', resourceVersion: '7' } },
  items: [widget('a'), widget('b')],
  itemForm: 'whole',
  memberOrder: 'sorted',
};
const whole: Record<string, [ListParts, JsonObject]> = {
  'of a built-in kind': [
    typed,
    { ...typed.head, items: typed.items.map(({ object }) => bareObject(object)) },
  ],
  'of a custom resource': [
    sorted,
    {
      apiVersion: 'ex.io/v1',
      items: sorted.items.map(({ object }) => object),
      kind: 'WidgetList',
      metadata: { continue: '', resourceVersion: '7' },
    },
  ],
  'without items': [
    { ...typed, items: [] },
    { ...typed.head, items: [] },
  ],
  'without items, of a custom resource': [
    { ...sorted, items: [] },
    {
      apiVersion: 'ex.io/v1',
      items: [],
      kind: 'WidgetList',
      metadata: { continue: '', resourceVersion: '7' },
    },
  ],
  'whose items do not begin with kind and apiVersion': [
    { ...typed, items: [stored({ metadata: { name: 'x' }, apiVersion: 'v1', kind: 'ConfigMap' })] },
    { ...typed.head, items: [{ metadata: { name: 'x' } }] },
  ],
};

describe.each(Object.entries(whole))('a list %s', (_name, [list, value]) => {
  test('is written piece by piece as it would be as a whole', () => {
    expect(text(jsonFormat.list(list, false))).toBe(`${writeJson(value)}\n`);
  });
  test('is indented piece by piece as it would be as a whole, and ends without a newline', () => {
    expect(text(jsonFormat.list(list, true))).toBe(writePretty(value));
  });
  test('is a YAML document', () => {
    expect(text(yamlFormat.list(list, false))).toBe(writeYaml(value));
  });
});

test.each([1, 2, 63, 64, 65, 128, 129, 200])('a list of %i objects of 5 KB is one JSON document', (count) => {
  const items = Array.from({ length: count }, (_, i) => configMap(`m${i}`, 'é'.repeat(2500)));
  const pieces = [...jsonFormat.list({ ...typed, items }, false)];
  expect(text(pieces)).toBe(
    `${writeJson({ ...typed.head, items: items.map(({ object }) => bareObject(object)) })}\n`,
  );
});

test('compact JSON ends with a newline, indented JSON does not', () => {
  expect(text(jsonFormat.object(configMap('a'), false))).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}\n',
  );
  expect(text(jsonFormat.object(configMap('a'), true))).toMatch(/^\{\n {2}"kind": "ConfigMap",[^]*\n\}$/);
  expect(text(jsonFormat.value({ a: 1 }, false))).toBe('{"a":1}\n');
  expect(text(jsonFormat.value({ a: 1 }, true))).toBe('{\n  "a": 1\n}');
});

test('an object is encoded once, for its own answers and for lists', () => {
  let reads = 0;
  const data = {
    get k() {
      reads++;
      return 'v';
    },
  };
  const item = stored({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data });
  text(jsonFormat.object(item, false));
  const readOnce = reads;
  expect(readOnce).toBeGreaterThan(0);
  text(jsonFormat.object(item, false));
  text(jsonFormat.list({ ...typed, items: [item, item] }, false));
  expect(reads).toBe(readOnce);
});

test('the bytes of an object in YAML are made once', () => {
  const item = configMap('a');
  expect([...yamlFormat.object(item, false)][0]).toBe([...yamlFormat.object(item, false)][0]);
});
