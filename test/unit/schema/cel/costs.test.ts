/** Rules are estimated, and stopped, as a real server does it. */
import { readFileSync } from 'node:fs';
import { fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { DeclaredSizes } from '../../../../mockserver/schema/cel/declared-size.js';
import { DeclaredTypes } from '../../../../mockserver/schema/cel/declared-type.js';
import { ruleFindings } from '../../../../mockserver/schema/cel/rule-errors.js';
import { ruleTree } from '../../../../mockserver/schema/cel/rule-tree.js';
import { compileRule } from '../../../../mockserver/schema/cel/validation-rule.js';
import { compileSchema } from '../../../../mockserver/schema/structural/compile-schema.js';

interface Recorded {
  readonly schema: JsonObject;
  readonly rules: readonly (readonly [rule: string, cost: number])[];
}

// The shape is that of the file, which a script wrote.
const recorded = JSON.parse(readFileSync('fixtures/recorded/cel-costs.json', 'utf8')) as Recorded;
const schema = compileSchema(recorded.schema);

test.each(recorded.rules)('%s is estimated at %d', (rule, cost) => {
  const type = new DeclaredTypes().of(schema, true);
  if (type === undefined) throw new Error('the schema has a type');
  const sized = new DeclaredSizes().of(schema, true);
  expect(compileRule({ rule }, { type, sized, schema }).cost).toBe(cost);
});

/** `field: message` of what rules on a list find wrong with it. */
function findings(rules: readonly JsonObject[], list: readonly number[]): readonly string[] {
  const ints = { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [...rules] };
  const tree = ruleTree(compileSchema({ type: 'object', properties: { list: ints } }));
  if (tree === undefined) throw new Error('there are rules');
  return ruleFindings(tree, { list: [...list] }, undefined, undefined).errors.map(
    (one) => `${one.field}: ${fieldErrorText(one)}`,
  );
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_one, i) => i);
const quadratic = 'self.all(a, self.all(b, a + b >= 0))';

test('a rule that costs too much is stopped, and no other is evaluated after it', () => {
  expect(findings([{ rule: quadratic }, { rule: 'self.size() < 3' }], numbers(1000))).toEqual([
    `list: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${quadratic}`,
  ]);
});

test('what stands around a rule that is stopped does not make up for it', () => {
  const [error] = findings([{ rule: `${quadratic} || true` }], numbers(1000));
  expect(error).toContain('actual cost limit exceeded');
});

test('the rules of one object have a budget together', () => {
  const rules = Array.from({ length: 13 }, (_one, i) => ({
    rule: `self.all(a, self.all(b, a + b >= ${-i}))`,
  }));
  expect(findings(rules, numbers(340))).toEqual([
    'list: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

test('a message that costs too much ends the evaluation', () => {
  const rule = { rule: 'false', messageExpression: `string(${quadratic})` };
  expect(findings([rule, { rule: 'false' }], numbers(1000))).toEqual([
    `list: Invalid value: "array": no further validation rules will be run due to call cost exceeds limit for messageExpression: "string(${quadratic})"`,
  ]);
});

test.each([
  ['lists.range(1000000000000).size() > 1'],
  ["self.all(a, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$'))"],
  [
    "self.all(a, self.all(b, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.matches('(a?){30}(a?){30}(a?){30}b')))",
  ],
  [`self.map(a, self)${'.map(a, a + a)'.repeat(30)}.all(a, a.all(b, b >= 0))`],
  [`[1]${'.map(a, [a, a, a, a, a, a, a, a])'.repeat(9)}.flatten(9).size() < 0`],
  [
    `[1]${'.map(a, [a, a, a, a, a, a, a, a])'.repeat(12)} != [2]${'.map(a, [a, a, a, a, a, a, a, a])'.repeat(12)} && false`,
  ],
  [`['x']${".map(a, '%s%s%s%s%s%s%s%s'.format([a, a, a, a, a, a, a, a]))".repeat(12)}.size() < 0`],
  [`['xxxxxxxxxx']${".map(a, a.replace('', a))".repeat(9)}.size() < 0`],
])('%s does not hang', (rule) => {
  expect(findings([{ rule }], numbers(1000))).toHaveLength(1);
});

test('long lists that nobody reads are cheap', () => {
  const rule = `self.map(a, self)${'.map(a, a + a)'.repeat(20)}[0].size() == 1048576000`;
  expect(findings([{ rule }], numbers(1000))).toEqual([]);
});
