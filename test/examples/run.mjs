#!/usr/bin/env node
/** Sends the recorded examples of the built-in API to the built server and holds each file to its floor. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, startServer } from '../programs/server.mjs';

const USAGE = `usage: npm run examples -- [--verbose] [--raise]
  --verbose  every answer that differs
  --raise    write floors that are higher than those in floor.json; none is lowered
The examples and their checker are ../shared/facts/openapi, or the folder that KUBE_EXAMPLES names.
exit: 0 at or above every floor, 1 below one, 2 usage; 0 and a line "skipped" where there are none`;

const FACTS = process.env.KUBE_EXAMPLES ?? join(ROOT, '../shared/facts/openapi');
const FLOORS = join(ROOT, 'test/examples/floor.json');
const options = new Set(process.argv.slice(2));
if ([...options].some((one) => !['--verbose', '--raise'].includes(one))) {
  console.error(USAGE);
  process.exit(2);
}
const checker = join(FACTS, 'check.mjs');
if (!existsSync(checker)) {
  console.log(`skipped: examples: no checker at ${checker}`);
  process.exit(0);
}

const floors = JSON.parse(readFileSync(FLOORS, 'utf8'));
const TOKEN = 'examples';
const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-examples-'));
const tokens = join(folder, 'tokens.csv');
writeFileSync(tokens, `${TOKEN},examples,examples-uid,"system:masters"\n`);
const server = await startServer(['--token-auth-file', tokens]);
const rows = [];
try {
  for (const name of Object.keys(floors)) {
    const args = [
      checker,
      '--server',
      server.url,
      '--token',
      TOKEN,
      '--quick',
      join(FACTS, `examples/${name}.json`),
    ];
    const { stdout } = spawnSync(process.execPath, options.has('--verbose') ? [...args, '--verbose'] : args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const counts = /exact (\d+)\/(\d+), shape (\d+)\/\d+, warnings (\d+)\//
      .exec(stdout)
      ?.slice(1)
      .map(Number);
    if (counts === undefined) throw new Error(`the checker said nothing of ${name}:\n${stdout}`);
    if (options.has('--verbose')) process.stdout.write(stdout);
    const [exact = 0, of = 0, shape = 0, warnings = 0] = counts;
    rows.push({ name, of, found: { exact, shape, warnings } });
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

const holds = ({ name, found }) =>
  Object.entries(floors[name]).every(([what, floor]) => found[what] >= floor);
for (const row of rows) {
  const shown = Object.entries(row.found).map(
    ([what, count]) => `${what} ${count} (floor ${floors[row.name][what]})`,
  );
  console.log(`${holds(row) ? 'ok  ' : 'LOW '} ${row.name}: of ${row.of} ${shown.join(', ')}`);
}
if (options.has('--raise')) {
  const raised = Object.fromEntries(
    rows.map(({ name, found }) => [
      name,
      Object.fromEntries(
        Object.entries(found).map(([what, count]) => [what, Math.max(count, floors[name][what])]),
      ),
    ]),
  );
  writeFileSync(FLOORS, `${JSON.stringify(raised, null, 2)}\n`);
}
const good = rows.filter(holds).length;
console.log(`examples: ${good} files at or above their floor, ${rows.length - good} below`);
process.exit(good === rows.length ? 0 : 1);
