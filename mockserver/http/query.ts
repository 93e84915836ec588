/** Query strings, read as Go reads them. */
import { percentDecode } from './path.js';

/** Values by name, each list in the order sent. Names are case-sensitive. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a raw query string (without the question mark).
 *
 * Shape: `+` and `%20` are blanks; a pair that holds `;` or a wrong escape is left out, silently; `a` alone is `a=`.
 * Source: Go net/url, ParseQuery, whose errors kube-apiserver does not look at.
 */
export function parseQuery(raw: string): Query {
  const values = new Map<string, string[]>();
  if (raw === '') return values;
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const mark = pair.indexOf('=');
    const name = decodePart(mark < 0 ? pair : pair.slice(0, mark));
    const value = decodePart(mark < 0 ? '' : pair.slice(mark + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** The first value of a parameter, the one that counts; undefined when there is none. */
export function firstValue(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}

function decodePart(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replace(/\+/g, ' ') : text;
  return percentDecode(spaced);
}
