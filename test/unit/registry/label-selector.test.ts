import { type JsonObject } from '../../../mockserver/ground/json.js';
import { labelSelectorOf } from '../../../mockserver/registry/label-selector.js';

test('a selector of an object is written with its requirements in the order of their keys', () => {
  const selector = {
    matchLabels: { b: 'c', a: 'b' },
    matchExpressions: [
      { key: 'z', operator: 'In', values: ['2', '1'] },
      { key: 'y', operator: 'Exists' },
      { key: 'x', operator: 'DoesNotExist' },
      { key: 'w', operator: 'NotIn', values: ['q'] },
    ],
  };
  expect(labelSelectorOf(selector)?.toString()).toBe('a=b,b=c,w notin (q),!x,y,z in (1,2)');
});

test.each<[string, JsonObject | undefined, boolean]>([
  ['an absent selector', undefined, false],
  ['an empty selector', {}, true],
  ['an operator that nobody knows', { matchExpressions: [{ key: 'a', operator: 'Foo' }] }, false],
  ['labels that are there', { matchLabels: { a: '1' } }, true],
  ['labels that differ', { matchLabels: { a: '2' } }, false],
])('%s', (_, selector, matches) => {
  expect(labelSelectorOf(selector)?.matches({ a: '1' }) ?? false).toBe(matches);
});
