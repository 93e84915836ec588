/** Takes out of a command's output what differs from one run to the next. */

const UNIT = '(?:ms|[smhdy])';

/** In the order in which they are applied. */
const RULES = [
  [/https?:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/(resourceVersion\\?"?: ?\\?"?)\d+/g, '$1<version>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} UTC/g, '<time>'],
  [/("?git(?:Commit|TreeState)"?: ?).*/g, '$1<build>'],
  [/(Resource Version:\s+)\d+/g, '$1<version>'],
  [/(resource_version=|resourceVersion=)\d+/g, '$1<version>'],
  [/^(\s*)[IWE]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ /gm, '$1'],
  [new RegExp(String.raw`(?<![\w.:/=-])\d+${UNIT}(?:\d+${UNIT})?(?![\w.:/-])`, 'g'), '<age>'],
  [/(?<![\w.])milliseconds=\d+/g, 'milliseconds=<n>'],
  [/\/tmp\/[\w./-]+/g, '<file>'],
];

/** Generated names end in five characters of this alphabet: `job-x7k2p`. Each command says if it has such. */
const GENERATED = /-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

/**
 * @param {string} text
 * @param {{ generated?: boolean, keep?: string, shape?: 'fields', sorted?: boolean }} of
 *   `generated`: names made by the server; `keep`: a pattern, only the lines with it count, and of them what it matches;
 *   `shape: fields`: what `explain` says about types, without the sentences; `sorted`: the order of lines is open
 */
export function masked(text, of = {}) {
  let result = text;
  for (const [pattern, instead] of RULES) result = result.replaceAll(pattern, instead);
  if (of.generated === true) result = result.replaceAll(GENERATED, '-<name>');
  let lines = result
    .split('\n')
    // Columns are as wide as their widest cell, ages included.
    .map((line) => line.trimEnd().replaceAll(/(?<=\S) {2,}/g, '  '));
  if (of.keep !== undefined) {
    const pattern = new RegExp(of.keep);
    lines = lines.flatMap((line) => pattern.exec(line)?.[0] ?? []);
  }
  if (of.shape === 'fields') lines = fieldLines(lines);
  if (of.sorted === true) lines = lines.sort();
  return lines.join('\n').trim();
}

/** Heads, fields with their types and enums. Sentences are indented deeper or come under DESCRIPTION. */
const fieldLines = (lines) =>
  lines.filter((line) =>
    /^(?:GROUP|KIND|VERSION|FIELD|FIELDS|DESCRIPTION|ENUM)\b|^\s*[\w$-]+\t?<[^>]+>|^\s*enum:|^error/.test(
      line,
    ),
  );
