/** Patterns are RE2: no input makes them slow. Plain ones run on the engine's own expressions, which are faster. */
import { RE2JS, RE2JSException } from 're2js';

export interface Pattern {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
}

/** Errors: throws for a text that is no pattern; a definition's validation has refused those. */
export function compilePattern(text: string): Pattern {
  return isPlain(text) ? new RegExp(text, 'u') : RE2JS.compile(text);
}

/**
 * What is wrong with a pattern, in Go's words (``error parsing regexp: missing closing ): `(` ``); undefined when nothing
 * is.
 */
export function patternProblem(text: string): string | undefined {
  try {
    RE2JS.compile(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const trailing = error.message.endsWith('trailing backslash at end of expression');
    return trailing ? `${error.message}: \`\`` : error.message;
  }
}

/** One character or a set of them, of the kinds that both engines read alike. */
const ATOM = String.raw`(?:[A-Za-z0-9_/:, @%&=<>;"'!#~-]|\\[.\-/dw$^*+?()[\]{}|]|\[\^?-?(?:[A-Za-z0-9_.:/, @*+$=]|[A-Za-z0-9]-[A-Za-z0-9]|\\[.\-/dw])+-?\])`;
const QUANTIFIER = String.raw`(?:[*+?]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\})`;
const SEQUENCE = `(?:${ATOM}${QUANTIFIER}?)*`;
const CHOICE = String.raw`\(${SEQUENCE}(?:\|${SEQUENCE})*\)\??`;
const PLAIN = new RegExp(String.raw`^\^(?:${SEQUENCE}|${SEQUENCE}${CHOICE}${SEQUENCE})\$?$`);

/**
 * Whether backtracking cannot take long: anchored, no quantified group but an optional one, and at most one quantifier
 * that may take a varying number of characters.
 */
function isPlain(text: string): boolean {
  if (text.length > 200 || !PLAIN.test(text)) return false;
  const outsideSets = text.replace(/\\./g, 'a').replace(/\[[^\]]*\]/g, 'a');
  const varying = outsideSets.match(/[*+]|\{[0-9]+,/g) ?? [];
  const optional = outsideSets.match(/\?/g) ?? [];
  return varying.length <= 1 && optional.length <= 4;
}
