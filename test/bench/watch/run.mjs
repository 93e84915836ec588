#!/usr/bin/env node
/** The speed of watches under stalls; prints tables in Markdown. */
import { family } from './family.mjs';
import { neighbours } from './neighbours.mjs';
import { memory, socketNeighbours } from './over-sockets.mjs';
import { resync, starvation, together } from './together.mjs';

const USAGE = `usage: npm run bench:watch -- [--quick] [--only NAME[,NAME]]
  --quick  short rounds: to see that it runs, not to compare
  --only   of family, neighbours, sockets, together, resync, starvation, memory`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
const quick = args.includes('--quick');
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',') : undefined;
const seconds = quick ? 1 : 10;

const TABLES = {
  family: ['A slow companion and a healthy watcher', () => family({ seconds })],
  neighbours: [
    'A healthy watcher beside stalled ones, in process',
    async () => [
      ...(await neighbours({ seconds, stallResume: true })),
      ...(await neighbours({ seconds, stallResume: false })),
    ],
  ],
  sockets: ['The same over sockets', () => socketNeighbours({ seconds: quick ? 1 : 3 })],
  together: ['Catching up together', together],
  resync: ['Time until synced again, 5000 events behind', resync],
  starvation: ['Nobody starves', starvation],
  memory: ['An idle watch', () => memory({ watches: quick ? 1000 : 10_000 })],
};
for (const [name, [title, measure]] of Object.entries(TABLES)) {
  if (only !== undefined && !only.includes(name)) continue;
  console.log(`\n### ${title}\n`);
  console.log(markdown(await measure()));
}
process.exit(0);

function markdown(rows) {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(names.map((name) => shown(row[name])))),
  ].join('\n');
}

function shown(value) {
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
