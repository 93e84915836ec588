/** Texts by code points, which is how expressions count. */

/** One text for each code point. */
export const codePointsOf = (text: string): string[] => Array.from(text);
