/** What stands between the fields of a path. Source of the answers: client-go util/jsonpath 0.36. */
import { PathNumber, readJsonPath } from '../../../mockserver/schema/json-path.js';

const document = { spec: { list: [3, 1, 2] } };

function answerOf(path: string): unknown {
  const reading = readJsonPath(path);
  if (!reading.ok) return reading;
  const found = reading.first(document);
  return found instanceof PathNumber ? found.value : found;
}

test.each([
  ['.x "plain"', 'plain'],
  [".x 'plain'", 'plain'],
  ['.x "\\u00fc"', 'ü'],
  ['.x "\\U0001F600"', '😀'],
  ['.x "\\101\\x41"', 'AA'],
  ['.x "\\a\\t\\\\ "', '\x07\t\\ '],
  [".x 'it\\'s'", "it's"],
  ['.spec true', true],
  ['.spec 5', 5n],
  ['.spec -2.5', -2.5],
  ['.x 5', undefined],
])('%s', (path, answer) => {
  expect(answerOf(path)).toEqual(answer);
});

test.each([
  ['an escape of the other quote', '.x "it\\\'s"'],
  ['an unknown escape', '.x "\\q"'],
  ['half a character', '.x "\\ud800"'],
  ['an octal number that is no byte', '.x "\\400"'],
  ['a number that goes on as a word', '.x 1.2.3'],
  ['a text that does not end', '.x "y'],
  ['a second descent', '.x....y'],
])('%s cannot be read', (_name, path) => {
  expect(readJsonPath(path).ok).toBe(false);
});
