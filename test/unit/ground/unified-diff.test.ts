import { unifiedDiff } from '../../../mockserver/ground/unified-diff.js';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`);
const changed = (lines: readonly string[], ...at: readonly number[]): string =>
  lines.map((line, i) => (at.includes(i) ? `${line} changed` : line)).join('\n');

test('equal texts have no difference', () => {
  expect(unifiedDiff('a\nb', 'a\nb')).toBe('');
});

test('three equal lines stand around a change', () => {
  const lines = numbered(9);
  expect(unifiedDiff(lines.join('\n'), changed(lines, 4))).toBe(
    '@@ -2,7 +2,7 @@\n line 1\n line 2\n line 3\n-line 4\n+line 4 changed\n line 5\n line 6\n line 7\n',
  );
});

test('changes with at most six equal lines between them stand together', () => {
  const lines = numbered(9);
  const heads = (...at: number[]): readonly string[] =>
    unifiedDiff(lines.join('\n'), changed(lines, ...at))
      .split('\n')
      .filter((line) => line.startsWith('@@'));
  expect(heads(0, 7)).toEqual(['@@ -1,9 +1,9 @@']);
  expect(heads(0, 8)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
});

test.each([
  ['an added line', 'a', 'a\nb', '@@ -1 +1,2 @@\n a\n+b\n'],
  ['a removed line', 'a\nb', 'b', '@@ -1,2 +1 @@\n-a\n b\n'],
  ['nothing in common', 'a', 'b', '@@ -1 +1 @@\n-a\n+b\n'],
  // Not the least change: the longest equal part comes first.
  ['the longest equal part', 'x\na\nb', 'a\nb\nx\nc', '@@ -1,3 +1,4 @@\n-x\n a\n b\n+x\n+c\n'],
])('%s', (_, before, after, difference) => {
  expect(unifiedDiff(before, after)).toBe(difference);
});

test('in a long text a line that stands everywhere begins no equal part', () => {
  const common = Array.from({ length: 210 }, () => 'null');
  const difference = unifiedDiff(['a', ...common].join('\n'), [...common, 'b'].join('\n'));
  expect(difference.split('\n').filter((line) => line === '-null')).toHaveLength(210);
});
