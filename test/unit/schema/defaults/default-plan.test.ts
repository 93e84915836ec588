/** Compiled defaults: where they apply, in which order members stand, what is shared. */
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { DefaultPlans, ownerOf } from '../../../../mockserver/schema/defaults/default-plan.js';
import {
  type DefaultFunction,
  type DefaultRules,
} from '../../../../mockserver/schema/defaults/default-rules.js';
import { withMilliAmounts } from '../../../../mockserver/schema/defaults/resource-list.js';
import { messageTable } from '../../../../mockserver/schema/message-table.js';

/** A tree whose nodes have a size, named children, and a list of amounts; everything inlined stands in its place. */
const table = messageTable(
  {
    messages: {
      Kind: [
        ['metadata', 1, 'Meta', 'opt', 'always'],
        ['spec', 2, 'Node', 'opt', 'always'],
      ],
      Meta: [['name', 1, 'string', 'opt', 'omit']],
      Node: [
        ['first', 1, 'string', 'opt', 'omit'],
        ['common', 2, 'Common', 'opt', 'inline'],
        ['children', 3, 'Node', 'rep', 'omit'],
        ['named', 4, 'map<string,Node>', 'map', 'omit'],
        ['last', 5, 'string', 'opt', 'omit'],
      ],
      Common: [
        ['size', 1, 'int32', 'opt', 'omit'],
        ['amounts', 2, 'map<string,Quantity>', 'map', 'omit'],
      ],
    },
  },
  { typeMeta: [], types: { Common: { amounts: ['Amounts'] } } },
);

const rules = (more: Partial<DefaultRules> = {}): DefaultRules => ({
  values: [],
  functions: new Map(),
  mapFunctions: new Map(),
  untouched: new Set(),
  ...more,
});
const fill = (more: Partial<DefaultRules>): ((object: JsonObject) => JsonObject) => {
  const filled = new DefaultPlans(table, rules(more)).ofKind('Kind');
  return (object) => filled(object, 0);
};
const text = (object: JsonObject): string => JSON.stringify(object);
const size = { message: 'Node', path: ['size'], value: 1, replacesEmpty: true };

test('a value for a message is filled in wherever the message stands, in its place', () => {
  const object = {
    kind: 'K',
    metadata: {},
    spec: { last: 'x', children: [{ last: 'y' }], named: { __proto__x: {} } },
  };
  expect(text(fill({ values: [size] })(object))).toBe(
    '{"kind":"K","metadata":{},"spec":{"size":1,"children":[{"size":1,"last":"y"}],"named":{"__proto__x":{"size":1}},"last":"x"}}',
  );
});

test('a value for a path from a kind is filled in there alone', () => {
  const values = [{ message: 'Kind', path: ['spec', 'size'], value: 1, replacesEmpty: false }];
  expect(fill({ values })({ spec: { children: [{}] } })).toEqual({ spec: { size: 1, children: [{}] } });
});

test('nothing is filled into what is not there', () => {
  const object = { metadata: {} };
  expect(fill({ values: [size] })(object)).toBe(object);
});

test.each([
  ['0 is missing where empty values are replaced', true, 0, 1],
  ['0 is kept where they are not', false, 0, 0],
  ['null is missing', false, null, 1],
])('%s', (_name, replacesEmpty, given, expected) => {
  const values = [{ ...size, replacesEmpty }];
  expect(fill({ values })({ spec: { size: given } })).toEqual({ spec: { size: expected } });
});

test('parts that nothing is added to are shared', () => {
  const object = { metadata: { name: 'x' }, spec: { size: 1, children: [{ size: 2 }, {}] } };
  const filled = fill({ values: [size] })(object);
  expect(filled['metadata']).toBe(object.metadata);
  expect(filled).toEqual({ ...object, spec: { size: 1, children: [{ size: 2 }, { size: 1 }] } });
  expect(fill({ values: [size] })(filled)).toBe(filled);
});

test('functions see a message before its values and its parts are filled in', () => {
  const functions = new Map<string, DefaultFunction[]>([
    ['Node', [(node) => (node['size'] === undefined ? { ...node, first: 'unsized' } : node)]],
  ]);
  expect(text(fill({ functions, values: [size] })({ spec: { children: [{ size: 3 }] } }))).toBe(
    '{"spec":{"first":"unsized","size":1,"children":[{"size":3}]}}',
  );
});

test('a function of a type of maps is given every map of it', () => {
  const mapFunctions = new Map([['Amounts', withMilliAmounts]]);
  const object = { spec: { amounts: { a: '1500u', b: '1' }, children: [{ amounts: { c: '1n' } }] } };
  expect(fill({ mapFunctions })(object)).toEqual({
    spec: { amounts: { a: '2m', b: '1' }, children: [{ amounts: { c: '1m' } }] },
  });
  expect(fill({ mapFunctions, untouched: new Set(['Node']) })(object)).toBe(object);
});

test('a rule for a member that a message does not have is refused', () => {
  expect(() => fill({ values: [{ ...size, path: ['nothing'] }] })).toThrow(
    'a default for nothing, which Node has not',
  );
  expect(() => ownerOf(table, { ...size, message: 'Kind', path: ['nothing', 'x'] })).toThrow(
    'Kind has no member nothing',
  );
});

test('the owner of a path is the message of its last member', () => {
  expect(ownerOf(table, { ...size, message: 'Kind', path: ['spec', 'children', 'size'] })).toBe('Node');
});

test.each([
  ['1500u', '2m'],
  ['-1500u', '-2m'],
  ['1n', '1m'],
  ['100m', '100m'],
  ['1Gi', '1Gi'],
  ['1e3', '1e3'],
])('the amount %s in a list of resources becomes %s', (given, expected) => {
  expect(withMilliAmounts({ cpu: given })).toEqual({ cpu: expected });
});
