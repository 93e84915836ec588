/** Functions of patterns, which are RE2. Source: apiserver pkg/cel/library/regex.go. */
import { RE2JS, RE2JSException } from 're2js';
import { compilePattern } from '../structural/pattern.js';
import { CelError } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { int, text } from './readers.js';
import { ListValue, type Value } from './values.js';

/** Errors: the words of Go's regexp. */
function compiled<T>(pattern: string, compile: (pattern: string) => T, prefix: string): T {
  try {
    return compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new CelError(`${prefix}${error.message}`);
  }
}

const matches = (value: Value, pattern: Value): boolean =>
  compiled(text(pattern), compilePattern, '').test(text(value));

/** @param limit below 0: all */
function found(value: string, pattern: string, limit: bigint): readonly string[] {
  const matcher = compiled(pattern, (one) => RE2JS.compile(one), 'Illegal regex: ').matcher(value);
  const out: string[] = [];
  while ((limit < 0n || BigInt(out.length) < limit) && matcher.find()) out.push(matcher.group() ?? '');
  return out;
}

export const REGEX_LIBRARY: readonly Overload[] = [
  func('matches(string, string): bool', matches),
  method('string.matches(string): bool', matches),
  method('string.find(string): string', (a, b) => found(text(a), text(b), 1n)[0] ?? ''),
  method('string.findAll(string): list(string)', (a, b) => new ListValue(found(text(a), text(b), -1n))),
  method(
    'string.findAll(string, int): list(string)',
    (a, b, c) => new ListValue(found(text(a), text(b), int(c))),
  ),
];
