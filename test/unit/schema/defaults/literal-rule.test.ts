/** Which records of defaults say all there is to know, and what they say. */
import { type JsonValue } from '../../../../mockserver/ground/json.js';
import { literalRules } from '../../../../mockserver/schema/defaults/literal-rule.js';

const read = (path: string, value: JsonValue, when: string): unknown =>
  literalRules({ path, value, when })?.map((rule) => [rule.path.join('.'), rule.value, rule.replacesEmpty]);

test.each<[name: string, path: string, value: JsonValue, when: string, rules: unknown]>([
  ['a value at a path', 'spec.replicas', 1, 'absent', [['spec.replicas', 1, false]]],
  ['a value that replaces empty ones', 'a[].b', 'X', 'absent or ""', [['a.b', 'X', true]]],
  [
    'a text that looks like a number',
    'divisor',
    '0',
    'absent (the zero quantity is written)',
    [['divisor', '0', false]],
  ],
  [
    'several members of one place',
    'spec.a, b',
    'false, 3',
    'each absent',
    [
      ['spec.a', false, false],
      ['spec.b', 3, false],
    ],
  ],
  [
    'a place and its members',
    'spec a, b[].c',
    '{}, [X]',
    'each absent',
    [
      ['spec.a', {}, false],
      ['spec.b.c', ['X'], false],
    ],
  ],
  [
    'several places',
    'spec.a; spec.b c',
    'Fail; *',
    'each absent',
    [
      ['spec.a', 'Fail', false],
      ['spec.b.c', '*', false],
    ],
  ],
  [
    'whole paths in a row',
    'spec.a.b, spec.c',
    'X, Y',
    'each absent',
    [
      ['spec.a.b', 'X', false],
      ['spec.c', 'Y', false],
    ],
  ],
  [
    'one of two names',
    'a/b.c',
    'X',
    'absent',
    [
      ['a.c', 'X', false],
      ['b.c', 'X', false],
    ],
  ],
  [
    'each member of a value',
    'probe',
    { x: 1, y: 2 },
    'each absent or 0',
    [
      ['probe.x', 1, true],
      ['probe.y', 2, true],
    ],
  ],
  ['a value for a member of what is there', 'a.b', 'X', 'a present and b absent', [['a.b', 'X', false]]],
])('reads %s', (_name, path, value, when, rules) => {
  expect(read(path, value, when)).toEqual(rules);
});

test.each<[name: string, path: string, value: JsonValue, when: string]>([
  ['a condition on another member', 'spec.a', 1, 'type X and absent'],
  ['a condition on several', 'spec.a, spec.b', '1, 1', 'both absent'],
  ['a value that is a sentence', 'spec.a', 'copied from b', 'absent'],
  ['sentences in a row', 'spec.a, b', 'lower-case kind, 1', 'each absent'],
  ['fewer values than paths', 'spec.a, b', 'TCP', 'absent'],
  ['what is always so', 'status', { x: 1 }, 'always'],
])('leaves %s to a function', (_name, path, value, when) => {
  expect(read(path, value, when)).toBeUndefined();
});
