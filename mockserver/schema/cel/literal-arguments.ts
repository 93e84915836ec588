/** Arguments whose text is known beforehand: patterns, times, durations and templates are checked with the expression. */
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

/** Of a template and its values, where both are written out. Source: cel-go ext/formatting.go, stringFormatValidator. */
export function formatProblem([template, values]: readonly Expr[]): string | undefined {
  if (template?.kind !== 'literal' || typeof template.value !== 'string' || values?.kind !== 'list') {
    return undefined;
  }
  let next = 0;
  for (const [all, clause] of template.value.matchAll(/%(?:%|(?:\.[0-9]*)?(.)?)/gsu)) {
    if (all === '%%') continue;
    if (clause === undefined) return 'unexpected end of string';
    if (!'sdfebxXo'.includes(clause)) {
      return `could not parse formatting clause: unrecognized formatting clause "${clause}"`;
    }
    if (next >= values.elements.length) return `index ${next} out of range`;
    next++;
  }
  return undefined;
}
