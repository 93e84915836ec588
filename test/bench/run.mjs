#!/usr/bin/env node
/** Measures the built server against the least that node:http can do, prints a table and writes bench-result.json. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../programs/server.mjs';
import * as measurements from './measurements.mjs';
import { TARGETS } from './targets.mjs';

const NAMES = [
  'get',
  'create',
  'list',
  'table',
  'protobuf',
  'ownership',
  'validation',
  'custom',
  'deletions',
  'watchers',
  'faults',
  'start',
  'import',
  'idle',
  'objects',
  'oracle',
];
const USAGE = `usage: npm run bench -- [--quick] [--only NAME[,NAME]] [--target URL [--token T] [--pid N]]
  --quick   small counts and short rounds: to see that it runs, not to compare
  --only    of ${NAMES.join(', ')}
  --target  an API server that is already running, instead of the built one (get, create, list, table, protobuf, watchers, objects, oracle)
exit: 0 all measured, whether or not they reach their targets; 1 a measurement failed`;

const options = parseOptions(process.argv.slice(2));
const found = {};
let broken = 0;
console.log(row('figure', 'value', 'target', ''));
for (const name of NAMES.filter((one) => options.only === undefined || options.only.includes(one))) {
  try {
    const figures = await measurements[name](options);
    Object.assign(found, figures);
    for (const [figure, value] of Object.entries(figures)) console.log(describe(figure, value));
    if (Object.keys(figures).length === 0) console.log(row(name, 'skipped: not to be had here', '', ''));
  } catch (error) {
    broken++;
    console.log(row(name, 'failed', '', ''));
    console.error(error);
  }
}
writeFileSync(
  join(ROOT, 'bench-result.json'),
  `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, quick: options.quick, figures: found, targets: TARGETS }, null, 2)}\n`,
);
process.exit(broken === 0 ? 0 : 1);

function describe(figure, value) {
  const target = TARGETS[figure];
  if (target === undefined) return row(figure, rounded(value), '', '');
  const reached = target.least === undefined ? value <= target.most : value >= target.least;
  const bound = target.least === undefined ? `<= ${target.most}` : `>= ${target.least}`;
  return row(figure, rounded(value), `${bound} ${target.unit}`, reached ? 'pass' : 'MISS');
}

function rounded(value) {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

function row(figure, value, target, mark) {
  return `${figure.padEnd(30)} ${value.padStart(12)}  ${target.padEnd(26)} ${mark}`.trimEnd();
}

function parseOptions(args) {
  const parsed = { quick: false };
  const rest = [...args];
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--quick') parsed.quick = true;
    else if (option === '--only') parsed.only = (rest.shift() ?? '').split(',');
    else if (option === '--target' || option === '--token') parsed[option.slice(2)] = rest.shift();
    else if (option === '--pid') parsed.pid = Number(rest.shift());
    else {
      console.log(USAGE);
      process.exit(option === '--help' ? 0 : 2);
    }
  }
  const unknown = parsed.only?.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    console.error(`no measurement is called ${unknown}\n${USAGE}`);
    process.exit(2);
  }
  return parsed;
}
