/** An expression compiled against variables: its type and its program, or what is wrong with its text. */
import { type Compiled } from './compiled.js';
import { Compiler } from './compiler.js';
import { type Sized } from './declared-size.js';
import { type Issue, SyntaxIssue, issuesText } from './issue.js';
import { parseExpression } from './parser.js';
import { type Scope } from './scope.js';

export type CompiledExpression =
  | {
      readonly ok: true;
      readonly compiled: Compiled;
      /** Names of the scope's outermost variables that the expression uses. */
      readonly used: ReadonlySet<string>;
    }
  | {
      readonly ok: false;
      /** As a server shows it: `ERROR: <input>:1:5: …` with the line and a mark, for each problem. */
      readonly problem: string;
    };

/** @param sized how large the scope's variables may be; undefined: not known */
export function compileExpression(source: string, scope: Scope, sized?: Sized): CompiledExpression {
  const wrong = (issues: readonly Issue[]): CompiledExpression => ({
    ok: false,
    problem: issuesText(source, issues),
  });
  const compiler = new Compiler(scope, sized);
  try {
    const compiled = compiler.compile(parseExpression(source));
    return compiler.issues.length > 0 ? wrong(compiler.issues) : { ok: true, compiled, used: compiler.used };
  } catch (error) {
    if (error instanceof SyntaxIssue) return wrong([{ at: error.at, message: error.message }]);
    throw error;
  }
}
