#!/usr/bin/env node
/** The command line of differential testing; docs/differential.md says how to work with it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { acceptedDifferences } from './accepted.mjs';
import { AREAS } from './generator.mjs';
import { search } from './search.mjs';
import { oracleFolder, startOurs, startReal, TOKEN } from './servers.mjs';
import { exchanges, reproduction } from './written.mjs';

const USAGE = `usage: npm run differential -- [options]
  --seed N             of the scenarios (default 1); a word is as good
  --steps M            about how many (default 1000)
  --areas A,B          only these: ${Object.keys(AREAS).join(', ')}
  --real URL, --ours URL, --token T   servers that run already; without them both are started
  --itself             a second real server instead of ours
  --shrink N           how many kinds of difference are shrunk (default 12)
  --minutes N          begin no episode later
  --save DIR           write each shrunk difference there, to be kept under fixtures/recorded/differential/ once it is mended
  --verbose            each kind of difference when it is found
  --raise              write floors that are higher than those in floor.json; none is lowered
exit: 0 at or above every floor and no unused entry in accepted.json, 1 otherwise, 2 usage; 0 and a line "skipped" where no real server can be had`;

const FLOORS = fileURLToPath(new URL('floor.json', import.meta.url));
/** Fewer steps may miss an accepted difference by chance. */
const MANY = 2500;
/** Rounded down, so that a floor never asks for more than was reached. */
const percent = ({ equal, accepted, steps }) =>
  steps === 0 ? 100 : Math.floor((1000 * (equal + accepted)) / steps) / 10;

const options = parseOptions(process.argv.slice(2));
if (options.real === undefined && oracleFolder() === undefined) {
  console.log('skipped: differential: no real server: needs ../shared/oracle and Go');
  process.exit(0);
}
process.exitCode = await main();

async function main() {
  const started = [];
  const take = async (url, start) => {
    if (url !== undefined) return { url, token: options.token ?? TOKEN };
    const server = await start();
    started.push(server);
    return server;
  };
  try {
    const real = await take(options.real, startReal);
    const ours = await take(options.ours, options.itself ? startReal : startOurs);
    const accepted = acceptedDifferences();
    const result = await search({
      seed: options.seed ?? 1,
      steps: Number(options.steps ?? 1000),
      areas: options.areas,
      places: [real, ours],
      accepted: accepted.of,
      shrinkings: Number(options.shrink ?? 12),
      untilMs:
        options.minutes === undefined ? Infinity : performance.now() + Number(options.minutes) * 60_000,
      say: options.verbose ? (text) => console.log(text) : undefined,
    });
    return report(result, options.itself || result.steps < MANY ? [] : accepted.unused(options.areas));
  } finally {
    for (const server of started) await server.stop();
  }
}

function report(result, unused) {
  const floors = JSON.parse(readFileSync(FLOORS, 'utf8'));
  const found = result.found.toSorted((a, b) => b.times - a.times);
  for (const entry of found) {
    console.log(`\n# ${entry.area}, ${entry.times} times: ${entry.signature}`);
    console.log(
      entry.steps === undefined
        ? `  seed ${entry.seed}, episode ${entry.index}, step ${entry.step}`
        : reproduction(entry),
    );
  }
  if (options.save !== undefined) {
    mkdirSync(options.save, { recursive: true });
    found
      .filter(({ steps }) => steps !== undefined)
      .forEach((entry, i) =>
        writeFileSync(
          `${options.save}/${entry.area}-${entry.seed}-${entry.index}-${i}.json`,
          `${JSON.stringify(exchanges(entry), null, 1)}\n`,
        ),
      );
  }
  const line = (...cells) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(9))).join(' '));
  console.log();
  line('area', 'steps', 'equal', 'accepted', 'percent', '(floor)', '');
  let below = 0;
  for (const [area, score] of result.areas) {
    const reached = percent(score);
    const floor = floors[area] ?? 0;
    // A handful of steps says little.
    const holds = score.steps < 100 || reached >= floor;
    if (!holds) below += 1;
    line(
      area,
      `${score.steps}`,
      `${score.equal}`,
      `${score.accepted}`,
      `${reached}`,
      `${floor}`,
      holds ? 'ok' : 'BELOW',
    );
    if (options.raise && score.steps >= 100) floors[area] = Math.max(floor, reached);
  }
  if (options.raise) writeFileSync(FLOORS, `${JSON.stringify(floors, null, 2)}\n`);
  for (const { pattern } of unused) console.log(`accepted.json: nothing matches ${pattern}; remove it`);
  const { tried, taken } = result.writes;
  console.log(
    `differential: ${result.steps} steps, ${result.areas.size - below} areas at or above their floor, ${below} below; ${found.length} kinds of difference, ${result.once} that did not come again, ${result.parted} lives parted; ${Math.round((100 * taken) / Math.max(1, tried))} % of ${tried} writes taken`,
  );
  return below === 0 && unused.length === 0 ? 0 : 1;
}

function parseOptions(args) {
  const parsed = { areas: Object.keys(AREAS) };
  const rest = [...args];
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--help') {
      console.log(USAGE);
      process.exit(0);
    }
    if (['--itself', '--verbose', '--raise'].includes(option)) parsed[option.slice(2)] = true;
    else if (
      [
        '--seed',
        '--steps',
        '--areas',
        '--real',
        '--ours',
        '--token',
        '--shrink',
        '--minutes',
        '--save',
      ].includes(option) &&
      rest.length > 0
    )
      parsed[option.slice(2)] = rest.shift();
    else process.exit(usage(`unknown option ${option}`));
  }
  if (typeof parsed.areas === 'string') parsed.areas = parsed.areas.split(',');
  const unknown = parsed.areas.filter((area) => !(area in AREAS));
  if (unknown.length > 0) process.exit(usage(`no such area: ${unknown.join(', ')}`));
  return parsed;
}

function usage(message) {
  console.error(`${message}\n${USAGE}`);
  return 2;
}
