/** Glob patterns, compiled once. */
import { type Pattern } from './rule.js';

export type TextTest = (text: string) => boolean;

/** Shape: undefined when every text matches. */
export function textTest(pattern: Pattern | undefined): TextTest | undefined {
  if (pattern === undefined) return undefined;
  const tests = (typeof pattern === 'string' ? [pattern] : pattern).map(globTest);
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (text) => tests.some((test) => test(text));
}

function globTest(glob: string): TextTest {
  if (glob === '*') return () => true;
  if (!/[*?]/.test(glob)) return (text) => text === glob;
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  const compiled = new RegExp(`^${source}$`, 'u');
  return (text) => compiled.test(text);
}
