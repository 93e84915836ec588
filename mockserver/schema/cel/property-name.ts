/** Names of properties as expressions write them: `a.b` is `a__dot__b`. */

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const WORDS: readonly (readonly [text: string, word: string])[] = [
  ['__', 'underscores'],
  ['.', 'dot'],
  ['-', 'dash'],
  ['/', 'slash'],
];

const ESCAPE = /__([^_]+)__/g;

/** Undefined for a name that no expression can write. Source: apiserver pkg/cel/escaping.go. */
export function escapedName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][\w./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (one) => `__${WORDS.find(([text]) => text === one)?.[1] ?? ''}__`);
}

/** Undefined for a name with an escape that there is not. */
export function unescapedName(escaped: string): string | undefined {
  const wrong = (all: string, word: string): boolean =>
    !WORDS.some(([, one]) => one === word) && (!RESERVED.has(word) || all.length !== escaped.length);
  if (Array.from(escaped.matchAll(ESCAPE)).some(([all, word = '']) => wrong(all, word))) return undefined;
  return escaped.replaceAll(
    ESCAPE,
    (_all, word: string) => WORDS.find(([, one]) => one === word)?.[0] ?? word,
  );
}
