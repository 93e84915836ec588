/** Expressions on their own, for tests. */
import { CelError } from '../../../../mockserver/schema/cel/cel-error.js';
import { Compiler } from '../../../../mockserver/schema/cel/compiler.js';
import { Frame } from '../../../../mockserver/schema/cel/frame.js';
import { SyntaxIssue } from '../../../../mockserver/schema/cel/issue.js';
import { parseExpression } from '../../../../mockserver/schema/cel/parser.js';
import { Scope } from '../../../../mockserver/schema/cel/scope.js';
import { type Value } from '../../../../mockserver/schema/cel/values.js';

/** What it gives, or the text of the error, of its evaluation or of its compilation. */
export function evaluate(source: string): Value {
  try {
    const compiler = new Compiler(new Scope([]));
    const { run } = compiler.compile(parseExpression(source));
    const [issue] = compiler.issues;
    return issue === undefined ? run(new Frame([])) : `${issue.at}: ${issue.message}`;
  } catch (error) {
    if (error instanceof CelError || error instanceof SyntaxIssue) return error.message;
    throw error;
  }
}
