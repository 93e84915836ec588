#!/usr/bin/env node
/** Runs every code block of README.md and docs/, as a reader would, with the packed tarball installed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fidelity } from '../../scripts/fidelity.mjs';
import { ROOT } from '../programs/server.mjs';
import { blocksOf } from './blocks.mjs';
import { PageRun } from './page-run.mjs';
import { installWorkspace } from './workspace.mjs';

const USAGE = `usage: npm run docs -- [PAGE…] [--verbose]
  PAGE       only these, such as docs/faults.md; else README.md and all below docs/
  --verbose  what each block prints
Needs a built dist/ and a package registry. Blocks whose comment says \`needs TOOL\` are skipped where it is not there.
exit: 0 when every block runs, 1 when one does not, 2 usage`;

const args = process.argv.slice(2);
const verbose = args.includes('--verbose');
const wanted = args.filter((one) => one !== '--verbose');
const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((one) => `docs/${one}`),
]
  .map((one) => one.replaceAll('\\', '/'))
  .filter((one) => one.endsWith('.md'))
  .sort();
if (wanted.some((one) => !pages.includes(one))) {
  console.error(USAGE);
  process.exit(2);
}

const words = (text) => text.replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ').trim();
const totals = { ran: 0, failed: 0, skipped: 0, 'not run': 0 };
// Tables are laid out by the formatter.
if (words(readFileSync(join(ROOT, 'docs/fidelity.md'), 'utf8')) !== words(fidelity(ROOT))) {
  console.log('docs/fidelity.md: not what the floors say: npm run references');
  totals.failed += 1;
}
const workspace = installWorkspace();
const failures = (outcomes) => outcomes.filter(({ outcome }) => outcome === 'failed').length;
async function attempt(page, blocks) {
  const outcomes = await new PageRun(workspace, page, verbose).run(blocks);
  for (const { line, outcome, why } of outcomes)
    if (outcome !== 'ran') console.log(`${page}:${line}: ${outcome}: ${why}`);
  return outcomes;
}
for (const page of wanted.length > 0 ? wanted : pages) {
  const blocks = blocksOf(readFileSync(join(ROOT, page), 'utf8'));
  if (blocks.length === 0) continue;
  const began = Date.now();
  let outcomes = await attempt(page, blocks);
  // Blocks run in real time: a page of a machine that stood still for some seconds comes right when it is run again.
  if (failures(outcomes) > 0) {
    console.log(`${page}: once more`);
    outcomes = await attempt(page, blocks);
  }
  for (const { outcome } of outcomes) totals[outcome] += 1;
  console.log(`${page}: ${blocks.length} blocks, ${failures(outcomes)} failed (${Date.now() - began} ms)`);
}
console.log(`${totals.skipped} skipped, ${totals['not run']} not run`);
console.log(`docs: ${totals.ran} blocks ran, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;
