/** docs/options.md. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { optionReference } from '../../../mockserver/cli/option-reference.js';
import { commands } from '../../../mockserver/cli/program.js';
import { SERVER_OPTIONS } from '../../../mockserver/facade/options.js';

const page = readFileSync(fileURLToPath(new URL('../../../docs/options.md', import.meta.url)), 'utf8');

test('the page has what is declared: after a change, npm run build && npm run references', () => {
  const written = /<!-- reference -->\n([^]*?)<!-- \/reference -->/.exec(page)?.[1]?.trim();
  expect(written).toBe(optionReference(commands(() => undefined)));
});

test.each(Object.keys(SERVER_OPTIONS))('the page tells of %s', (name) => {
  expect(page).toContain(`- \`${name}\`: `);
});
