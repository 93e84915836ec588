/** The table of docs/guarantees.md: what KEP-6268 asks for, and which tests show it. */
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Row {
  readonly asked: string;
  readonly file: string;
  readonly titles: readonly string[];
}

const rows: readonly Row[] = textOf('docs/guarantees.md')
  .split('\n')
  .flatMap((line): Row[] => {
    const [, asked = '', file, titles = ''] = /^\| (.*?) +\| `(test\/[^`]+)` +\| (.*) \|$/.exec(line) ?? [];
    if (file === undefined) return [];
    return [{ asked, file, titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title) }];
  });

test('the table names what the KEP names', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20);
});

test.each(rows)('$asked: the tests named for it are there', ({ file, titles }) => {
  const text = textOf(file);
  expect(titles.length).toBeGreaterThan(0);
  // A title that holds an apostrophe is written with other quotes; a name from a table stands as its $name.
  const missing = titles.filter(
    (title) => !["'", '"', '`'].some((quote) => text.includes(quote + title + quote)),
  );
  expect(missing).toEqual([]);
});
