/** Patterns of texts, compiled once. */
import { type OnePattern, type Pattern, type Span } from './member.js';

export type TextTest = (text: string) => boolean;

/** Shape: undefined when every text matches. Errors: SyntaxError for a regular expression that is none. */
export function textTest(pattern: Pattern | undefined): TextTest | undefined {
  if (pattern === undefined) return undefined;
  const tests = patternsOf(pattern).map(oneTest);
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (text) => tests.some((test) => test(text));
}

const isSeveral = (pattern: Pattern): pattern is readonly OnePattern[] => Array.isArray(pattern);

const patternsOf = (pattern: Pattern): readonly OnePattern[] => (isSeveral(pattern) ? pattern : [pattern]);

/** The texts that a pattern stands for. Shape: undefined when there is no telling. */
export function plainTexts(pattern: Pattern | undefined): readonly string[] | undefined {
  if (pattern === undefined) return undefined;
  const texts = patternsOf(pattern).filter((one) => typeof one === 'string' && !isGlob(one));
  // as: all that is left are texts
  return texts.length === patternsOf(pattern).length ? (texts as readonly string[]) : undefined;
}

/** What the texts of a pattern begin with, one for each of its alternatives; `''` where there is no telling. */
export const beginnings = (pattern: Pattern | undefined): readonly string[] =>
  pattern === undefined
    ? ['']
    : patternsOf(pattern).map((one) => (typeof one === 'string' ? one.replace(/[*?][^]*/, '') : ''));

const isGlob = (text: string): boolean => /[*?]/.test(text);

function oneTest(pattern: OnePattern): TextTest {
  if (typeof pattern !== 'string') {
    const given = new RegExp(pattern.regex, 'u');
    return (text) => given.test(text);
  }
  if (pattern === '*') return () => true;
  if (!isGlob(pattern)) return (text) => text === pattern;
  const compiled = globExpression(pattern);
  return (text) => compiled.test(text);
}

/** `*` stands for any run of characters, `?` for one; the whole text must match. */
export function globExpression(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`, 'u');
}

/** Whether a number is the one, or lies within the bounds (both inclusive). */
export function isWithin(span: Span, value: number): boolean {
  if (typeof span === 'number') return value === span;
  const { from = -Infinity, to = Infinity } = span;
  return value >= from && value <= to;
}

/** A pattern in words: `configmaps`, `a* or /b/`. */
export const patternWords = (pattern: Pattern): string =>
  patternsOf(pattern)
    .map((one) => (typeof one === 'string' ? (one === '' ? 'none' : one) : `/${one.regex}/`))
    .join(' or ');

/** `3`, `3 to 5`, `3 and later`, `up to 5`. */
export function spanWords(span: Span): string {
  if (typeof span === 'number') return String(span);
  const { from, to } = span;
  if (from !== undefined) return to === undefined ? `${from} and later` : `${from} to ${to}`;
  return to === undefined ? 'any' : `up to ${to}`;
}
