/** Rules of a schema: where they apply, when, and in which words they refuse. */
import { fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { ruleFindings } from '../../../../mockserver/schema/cel/rule-errors.js';
import { ruleTree } from '../../../../mockserver/schema/cel/rule-tree.js';
import { compileSchema } from '../../../../mockserver/schema/structural/compile-schema.js';
import { Correlation } from '../../../../mockserver/schema/structural/correlation.js';

/** `field: message` of errors and warnings. */
function findings(properties: JsonObject, next: JsonObject, previous?: JsonObject): object {
  const schema = compileSchema({ type: 'object', properties });
  const tree = ruleTree(schema);
  if (tree === undefined) return { errors: [], warnings: [] };
  const correlation = previous && new Correlation(next, previous, schema);
  const { errors, warnings } = ruleFindings(tree, next, previous, correlation);
  return { errors: errors.map((one) => `${one.field}: ${fieldErrorText(one)}`), warnings };
}

const rules = (...list: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': list });
const immutable = rules({ rule: 'self == oldSelf', message: 'is immutable' });

const found = (...errors: string[]): object => ({ errors, warnings: [] });

describe('a rule', () => {
  const range = {
    spec: {
      type: 'object',
      properties: { min: { type: 'integer' }, max: { type: 'integer' } },
      ...rules({ rule: 'self.min <= self.max' }),
    },
  };

  test('that holds finds nothing', () => {
    expect(findings(range, { spec: { min: 1, max: 2 } })).toEqual(found());
  });

  test('on an object shows no value', () => {
    expect(findings(range, { spec: { min: 3, max: 2 } })).toEqual(
      found('spec: Invalid value: failed rule: self.min <= self.max'),
    );
  });

  test('that fails at run time says how, with the type', () => {
    expect(findings(range, { spec: { min: 3 } })).toEqual(
      found('spec: Invalid value: "object": no such key: max evaluating rule: self.min <= self.max'),
    );
  });

  test('on a scalar shows its value', () => {
    expect(
      findings({ a: { type: 'integer', ...rules({ rule: 'self > 5', message: ' big ' }) } }, { a: 3 }),
    ).toEqual(found('a: Invalid value: 3: big'));
  });

  test('may say its message by an expression, its reason, and a path below', () => {
    const rule = {
      rule: 'self.size < 3',
      messageExpression: "'size is %d'.format([self.size])",
      reason: 'FieldValueForbidden',
      fieldPath: '.size',
    };
    const spec = { type: 'object', properties: { size: { type: 'integer' } }, ...rules(rule) };
    expect(findings({ spec }, { spec: { size: 7 } })).toEqual(found('spec.size: Forbidden: size is 7'));
  });

  test('falls back to its message when the expression fails', () => {
    const rule = { rule: 'false', messageExpression: 'string(1 / int(self))', message: 'plain' };
    expect(findings({ a: { type: 'string', ...rules(rule) } }, { a: 'x' })).toEqual(
      found('a: Invalid value: "x": plain'),
    );
  });

  test('sees properties by their escaped names', () => {
    const spec = {
      type: 'object',
      properties: { 'a-b': { type: 'integer' }, 'c.d': { type: 'integer' }, for: { type: 'integer' } },
      ...rules({ rule: 'self.a__dash__b + self.c__dot__d + self.__for__ == 6' }),
    };
    expect(findings({ spec }, { spec: { 'a-b': 1, 'c.d': 2, for: 3 } })).toEqual(found());
  });

  test('of the whole object sees its name', () => {
    const schema = compileSchema({ type: 'object', ...rules({ rule: "self.metadata.name == 'x'" }) });
    const tree = ruleTree(schema);
    const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'y' } };
    expect(tree && ruleFindings(tree, object, undefined, undefined).errors).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: '',
        detail: "failed rule: self.metadata.name == 'x'",
        omitsValue: true,
      },
    ]);
  });

  test('compares sets without their order, and lists with theirs', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const set = { ...list, 'x-kubernetes-list-type': 'set' };
    const spec = {
      type: 'object',
      properties: { a: set, b: set, c: list, d: list },
      ...rules({ rule: 'self.a == self.b' }, { rule: 'self.c == self.d' }),
    };
    const value = { a: ['x', 'y'], b: ['y', 'x'], c: ['x', 'y'], d: ['y', 'x'] };
    expect(findings({ spec }, { spec: value })).toEqual(
      found('spec: Invalid value: failed rule: self.c == self.d'),
    );
  });
});

describe('a transition rule', () => {
  test('is not asked on a create, nor for a value that was not there', () => {
    const properties = { a: { type: 'string', ...immutable } };
    expect(findings(properties, { a: 'x' })).toEqual(found());
    expect(findings(properties, { a: 'x' }, {})).toEqual(found());
  });

  test('refuses a change', () => {
    expect(findings({ a: { type: 'string', ...immutable } }, { a: 'y' }, { a: 'x' })).toEqual(
      found('a: Invalid value: "y": is immutable'),
    );
  });

  test('with an optional old value is always asked', () => {
    const rule = { rule: "oldSelf.orValue('x') == self", optionalOldSelf: true };
    const properties = { a: { type: 'string', ...rules(rule) } };
    expect(findings(properties, { a: 'x' })).toEqual(found());
    expect(findings(properties, { a: 'y' })).toEqual(
      found(`a: Invalid value: "y": failed rule: ${rule.rule}`),
    );
  });

  test('follows elements of a map list by their keys', () => {
    const items = {
      type: 'object',
      properties: { name: { type: 'string' }, size: { type: 'integer', ...immutable } },
    };
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items,
    };
    const before = {
      list: [
        { name: 'a', size: 1 },
        { name: 'b', size: 2 },
      ],
    };
    const after = {
      list: [
        { name: 'b', size: 3 },
        { name: 'a', size: 1 },
      ],
    };
    expect(findings({ list }, after, before)).toEqual(found('list[0].size: Invalid value: 3: is immutable'));
  });
});

test('A value that is what it was may break a rule, with a warning', () => {
  const properties = { a: { type: 'string', ...rules({ rule: "self != 'bad'" }) }, b: { type: 'integer' } };
  expect(findings(properties, { a: 'bad', b: 2 }, { a: 'bad', b: 1 })).toEqual({
    errors: [],
    warnings: ['a: Invalid value: "bad": failed rule: self != \'bad\''],
  });
});
