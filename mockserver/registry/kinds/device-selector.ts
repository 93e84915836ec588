/** Expressions that select devices. Source: dynamic-resource-allocation cel/compile.go. */
import { compileExpression } from '../../schema/cel/expression.js';
import { Scope } from '../../schema/cel/scope.js';
import { DYN, isDyn, isSimple, mapOf, simple, typeText } from '../../schema/cel/types.js';
import { type Findings } from '../../schema/validation/findings.js';

const LONGEST_EXPRESSION = 10 * 1024;
const STRING = simple('string');
const DEVICE = Scope.of([
  [
    'device',
    {
      kind: 'object',
      fields: new Map([
        ['driver', STRING],
        ['allowMultipleAllocations', simple('bool')],
        ['attributes', mapOf(STRING, mapOf(STRING, DYN))],
        ['capacity', mapOf(STRING, mapOf(STRING, simple('quantity')))],
      ]),
    },
  ],
]);

export function selectorExpression(found: Findings, expression: string, field: string): void {
  if (Buffer.byteLength(expression) > LONGEST_EXPRESSION) {
    found.tooLong(field, LONGEST_EXPRESSION);
    return;
  }
  const result = compileExpression(expression, DEVICE);
  if (!result.ok) {
    found.invalid(field, expression, `compilation failed: ${result.problem}`);
    return;
  }
  const { type } = result.compiled;
  if (!isSimple(type, 'bool') && !isDyn(type))
    found.invalid(field, expression, `must evaluate to bool or the unknown type, not ${typeText(type)}`);
}
