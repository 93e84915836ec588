// Writes what is declared into the pages of docs/ that show it, between `<!-- reference -->` and `<!-- /reference -->`.
// Needs dist/ (npm run build). Tests compare the pages with the declarations.
import { readFileSync, writeFileSync } from 'node:fs';
import { optionReference } from '../dist/mockserver/cli/option-reference.js';
import { commands } from '../dist/mockserver/cli/program.js';
import { reference } from '../dist/mockserver/faults/reference.js';
import { fileURLToPath } from 'node:url';
import { fidelity } from './fidelity.mjs';

const PAGES = { 'options.md': optionReference(commands(() => undefined)), 'faults.md': reference() };

for (const [name, text] of Object.entries(PAGES)) {
  const page = new URL(`../docs/${name}`, import.meta.url);
  const written = readFileSync(page, 'utf8').replace(
    /(<!-- reference -->\n)[^]*?(<!-- \/reference -->)/,
    (_whole, begin, end) => `${begin}\n${text}\n\n${end}`,
  );
  writeFileSync(page, written);
}

const root = fileURLToPath(new URL('..', import.meta.url));
writeFileSync(new URL('../docs/fidelity.md', import.meta.url), `${fidelity(root)}\n`);
