#!/usr/bin/env node
/** Replays recorded exchanges with a real API server against the built one and holds each file to its floor. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT, startServer } from '../programs/server.mjs';

const USAGE = `usage: npm run conformance -- [options]
  --slow             also the recordings that need minutes of real time (bookmarks, compaction)
  --only NAME[,NAME] these recordings, such as a-list
  --verbose          every mismatch
  --raise            write floors that are higher than those in floor.json; none is lowered
  --target URL --token T   an API server that is already running
The replayer is ../shared/conformance/replay.mjs, or the file that KUBE_CONFORMANCE_REPLAYER names.
exit: 0 at or above every floor, 1 below one, 2 usage; 0 and a line "skipped" where there is no replayer`;

const HERE = join(ROOT, 'test/conformance');
const RECORDINGS = join(ROOT, 'fixtures/recorded/conformance');
const FLOORS = join(HERE, 'floor.json');
const TOKEN = 'oracletoken';
/** Percent are kept to one decimal, rounded down, so that a floor never asks for more than was reached. */
const percent = (part, whole) => (whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10);

const options = parseOptions(process.argv.slice(2));
const replayer = process.env.KUBE_CONFORMANCE_REPLAYER ?? join(ROOT, '../shared/conformance/replay.mjs');
if (!existsSync(replayer)) {
  console.log(`skipped: conformance: no replayer at ${replayer}`);
  process.exit(0);
}
process.exitCode = await main();

async function main() {
  const floors = JSON.parse(readFileSync(FLOORS, 'utf8'));
  const recordings = readdirSync(RECORDINGS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name: basename(name, '.json'), file: join(RECORDINGS, name) }))
    .filter(({ name }) => options.only.length === 0 || options.only.includes(name))
    .map((one) => ({ ...one, slow: JSON.parse(readFileSync(one.file, 'utf8')).slow === true }))
    .filter(({ slow }) => options.slow || !slow);
  if (recordings.length === 0) return usage('no such recording (or it needs --slow)');

  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-conformance-'));
  try {
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},oracle,oracle-uid,"system:masters"\n`);
    // Each batch has a server of its own. Compaction in seconds would spoil the others; the slow ones run side by side.
    const serverOptions = (name) => [
      '--token-auth-file',
      tokens,
      ...(name === 'a-gone' ? ['--compaction-interval', '4s'] : []),
    ];
    const quick = recordings.filter(({ slow }) => !slow);
    const batches = [
      ...(quick.length > 0 ? [{ name: 'quick', recordings: quick }] : []),
      ...recordings.filter(({ slow }) => slow).map((one) => ({ name: one.name, recordings: [one] })),
    ];
    const replayed = (batch) => replayBatch(batch, serverOptions(batch.name), folder);
    const rows = (await Promise.all(batches.map(replayed)))
      .flat()
      .map((result) => rowOf(recordings, result, floors));
    // The slow ones run in real time: one that a machine spoilt that stood still comes right when it runs by itself.
    for (const [at, { name, holds }] of rows.entries()) {
      const batch = batches.find((one) => one.name === name);
      if (holds || batch === undefined) continue;
      console.log(`once more: ${name}`);
      const [result] = await replayed(batch);
      rows[at] = rowOf(recordings, result, floors);
    }
    return report(rows, floors);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function replayBatch({ name, recordings }, serverArgs, folder) {
  const server = options.target === undefined ? await startServer(serverArgs) : undefined;
  try {
    const json = join(folder, `${name}.json`);
    const text = await replay(
      [
        ['--server', server?.url ?? options.target],
        ['--token', options.token ?? TOKEN],
        ['--insecure', '--slow', '--min', '0', '--json', json, '--max-seconds', '600'],
        ['--tolerances', join(HERE, 'tolerances.json')],
        options.verbose ? ['--verbose'] : [],
        recordings.map(({ file }) => file),
      ].flat(),
    );
    process.stdout.write(text);
    if (!existsSync(json)) throw new Error(`the replayer wrote no result for ${name}`);
    return JSON.parse(readFileSync(json, 'utf8')).transcripts;
  } finally {
    await server?.stop();
  }
}

function replay(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [replayer, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const stop = () => child.kill('SIGKILL');
    process.once('exit', stop);
    const text = [];
    child.stdout.on('data', (chunk) => text.push(chunk));
    child.once('error', reject);
    child.once('close', () => {
      process.off('exit', stop);
      resolve(Buffer.concat(text).toString());
    });
  });
}

/** How a recording fared, and whether that is at its floor. */
function rowOf(recordings, result, floors) {
  const { name } = recordings.find(({ file }) => file === result.file);
  const { steps } = result;
  const exact = percent(result.exact, steps);
  const status = percent(result.status, steps);
  const floor = floors[name] ?? { exact: 0, status: 0 };
  return {
    name,
    steps,
    exact,
    status,
    floor,
    holds: steps > 0 && exact >= floor.exact && status >= floor.status,
  };
}

function report(rows, floors) {
  const line = (...cells) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(18) : cell.padStart(9))).join(' '));
  console.log();
  line('recording', 'steps', 'exact', '(floor)', 'status', '(floor)', '');
  for (const { name, steps, exact, status, floor, holds } of rows) {
    line(
      name,
      `${steps}`,
      `${exact}`,
      `${floor.exact}`,
      `${status}`,
      `${floor.status}`,
      holds ? 'ok' : 'BELOW',
    );
  }
  if (options.raise) {
    for (const { name, exact, status, floor } of rows) {
      floors[name] = { exact: Math.max(exact, floor.exact), status: Math.max(status, floor.status) };
    }
    writeFileSync(FLOORS, `${JSON.stringify(floors, null, 2)}\n`);
  }
  const below = rows.filter(({ holds }) => !holds).length;
  console.log(`conformance: ${rows.length - below} recordings at or above their floor, ${below} below`);
  return below === 0 ? 0 : 1;
}

function parseOptions(args) {
  const parsed = { only: [] };
  const rest = [...args];
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--help') {
      console.log(USAGE);
      process.exit(0);
    }
    if (['--slow', '--verbose', '--raise'].includes(option)) parsed[option.slice(2)] = true;
    else if (option === '--only') parsed.only = (rest.shift() ?? '').split(',');
    else if (['--target', '--token'].includes(option) && rest.length > 0)
      parsed[option.slice(2)] = rest.shift();
    else process.exit(usage(`unknown option ${option}`));
  }
  return parsed;
}

function usage(message) {
  console.error(`${message}\n${USAGE}`);
  return 2;
}
