#!/usr/bin/env node
/** The command line of differential testing; docs/differential.md says how to work with it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { acceptedDifferences } from './accepted.mjs';
import { COMPACTION_INTERVAL, compactionEpisode } from './compaction.mjs';
import { searchConcurrency } from './concurrency.mjs';
import { AREAS } from './generator.mjs';
import { search } from './search.mjs';
import { oracleFolder, startOurs, startReal, TOKEN } from './servers.mjs';
import { exchanges, reproduction } from './written.mjs';

/** All areas: those of one generator, and two that are played in another way. */
const ALL_AREAS = [...Object.keys(AREAS), 'compaction', 'concurrency'];
/** How many lives wait at once for compaction. */
const LANES = 8;

/** Areas in which no new life shows a difference. */
const STEADY = ['list', 'watch', 'watch-list'];
/** How much less than its floor an area may reach with another seed. */
const TOLERANCE = 3;

const USAGE = `usage: npm run differential -- [options]
  --seed N             of the scenarios (default 1); a word is as good
  --steps M            about how many (default 1000)
  --episode N          that one only, as a difference names it; with the areas of the run that found it
  --areas A,B          only these: ${ALL_AREAS.join(', ')}
  --real URL, --ours URL, --token T   servers that run already; without them both are started (compaction needs both with an interval of ${COMPACTION_INTERVAL})
  --self               a second real server instead of ours
  --shrink N           how many kinds of difference are shrunk (default 12)
  --minutes N          begin no episode later
  --save DIR           write each shrunk difference there, to be kept under fixtures/recorded/differential/ once it is mended
  --verbose            each kind of difference when it is found
  --tolerant           floors for a seed that was never played: ${STEADY.join(', ')} hold 99, the others 3 less than their floor
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
  const accepted = acceptedDifferences();
  const untilMs =
    options.minutes === undefined ? Infinity : performance.now() + Number(options.minutes) * 60_000;
  const common = {
    seed: options.seed ?? 1,
    accepted: accepted.of,
    untilMs,
    say: options.verbose ? (text) => console.log(text) : undefined,
  };
  const steps = options.episode === undefined ? Number(options.steps ?? 1000) : 1;
  const areas = options.areas.filter((area) => area in AREAS);
  const results = [];
  if (areas.length + Number(options.areas.includes('concurrency')) > 0)
    await withServers({}, async (places) => {
      const shrinkings = Number(options.shrink ?? 12);
      if (areas.length > 0)
        results.push(
          await search({ ...common, places, areas, steps, shrinkings, first: Number(options.episode ?? 0) }),
        );
      if (options.areas.includes('concurrency') && options.episode === undefined)
        results.push(await concurrency({ ...common, places, sessions: shareOf(steps) }));
    });
  if (options.areas.includes('compaction') && options.episode === undefined)
    await withServers({ compaction: COMPACTION_INTERVAL }, async (places) => {
      results.push(
        await search({
          ...common,
          places,
          areas: ['compaction'],
          steps: shareOf(steps),
          // Each try would take a minute.
          shrinkings: 0,
          make: (index) => compactionEpisode({ seed: common.seed, index }),
          lanes: LANES,
        }),
      );
    });
  const result = united(results);
  return report(result, options.self || result.steps < MANY ? [] : accepted.unused(areas));
}

/** How many steps there are of what takes real time. */
function shareOf(steps) {
  return Math.ceil(steps / 30);
}

async function withServers(settings, use) {
  const started = [];
  const take = async (url, start) => {
    if (url !== undefined) return { url, token: options.token ?? TOKEN };
    const server = await start(settings);
    started.push(server);
    return server;
  };
  try {
    const real = await take(options.real, startReal);
    const ours = await take(options.ours, options.self ? startReal : startOurs);
    await use([real, { ...ours, stallResume: !options.self }]);
  } finally {
    for (const server of started) await server.stop();
  }
}

/** What a search says, of sessions whose guarantees were checked. */
async function concurrency(settings) {
  const { score, broken } = await searchConcurrency(settings);
  const { seed } = settings;
  return {
    areas: new Map([['concurrency', score]]),
    found: broken.map((signature) => ({
      area: 'concurrency',
      times: 1,
      signature,
      seed,
      index: '-',
      step: '-',
    })),
    writes: { tried: 0, taken: 0 },
    once: 0,
    parted: 0,
    steps: score.steps,
  };
}

function united(results) {
  const sum = (of) => results.reduce((total, result) => total + of(result), 0);
  return {
    areas: new Map(results.flatMap(({ areas }) => [...areas])),
    found: results.flatMap(({ found }) => found),
    writes: { tried: sum(({ writes }) => writes.tried), taken: sum(({ writes }) => writes.taken) },
    once: sum(({ once }) => once),
    parted: sum(({ parted }) => parted),
    steps: sum(({ steps }) => steps),
  };
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
    const floor = options.tolerant ? tolerated(area, floors) : (floors[area] ?? 0);
    const holds = holdsFloor(score, reached, floor);
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

function tolerated(area, floors) {
  return STEADY.includes(area) ? 99 : Math.max(0, (floors[area] ?? 0) - TOLERANCE);
}

/** No step shows nothing. Of a handful one may differ whatever the floor: it would be one percent and more. */
function holdsFloor({ steps, equal, accepted }, reached, floor) {
  if (steps === 0) return options.episode !== undefined; // one life does not come by everything
  return reached >= floor || (steps < 100 && steps - equal - accepted <= 1);
}

function parseOptions(args) {
  const parsed = { areas: ALL_AREAS };
  const rest = [...args];
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--help') {
      console.log(USAGE);
      process.exit(0);
    }
    if (['--self', '--verbose', '--tolerant', '--raise'].includes(option)) parsed[option.slice(2)] = true;
    else if (
      [
        '--seed',
        '--steps',
        '--episode',
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
  const unknown = parsed.areas.filter((area) => !ALL_AREAS.includes(area));
  if (unknown.length > 0) process.exit(usage(`no such area: ${unknown.join(', ')}`));
  return parsed;
}

function usage(message) {
  console.error(`${message}\n${USAGE}`);
  return 2;
}
