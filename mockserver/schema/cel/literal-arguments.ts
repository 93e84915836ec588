/** Arguments whose text is known beforehand: patterns, times and durations are checked with the expression. */
import { parseDuration } from '../../ground/go-duration.js';
import { patternProblem } from '../structural/pattern.js';
import { type Expr } from './ast.js';
import { readTimestamp } from './time-text.js';

/** Source: cel-go cel/validator.go. */
export function literalProblem(name: string, args: readonly Expr[]): string | undefined {
  const [first] = args;
  if (first?.kind !== 'literal' || typeof first.value !== 'string') return undefined;
  const text = first.value;
  const wrong =
    (name === 'matches' && patternProblem(text) !== undefined) ||
    (name === 'duration' && !parseDuration(text).ok) ||
    (name === 'timestamp' && readTimestamp(text) === undefined);
  return wrong ? `invalid ${name} argument` : undefined;
}
