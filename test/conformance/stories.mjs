#!/usr/bin/env node
/** Plays the recorded stories of controllers against the built server; each must be equal. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, startServer } from '../programs/server.mjs';

const FOLDER = process.env.KUBE_TIMELINES ?? join(ROOT, '../shared/facts/timelines');
const PLAYER = join(FOLDER, 'play.mjs');
const TOKEN = 'oracletoken';
/** Not played: what needs an aggregated API server that is not there. */
const LEFT_OUT = new Set(['namespaces-broken-api-service']);
const PLAYED = /^(gc-|namespaces-|workloads-(replicaset|deployment|disruption-budget))/;
/** As the recordings had them: where namespaces end, nobody works on what is in them. */
const BASIC =
  'garbage-collector-controller,namespace-controller,serviceaccount-controller,serviceaccount-token-controller,root-ca-certificate-publisher-controller';
const WORKLOADS =
  'deployment-controller,replicaset-controller,disruption-controller,garbage-collector-controller';
/** Side by side: most of the time is waiting. */
const BATCHES = [
  { of: /^gc-[a-f]/, controllers: BASIC },
  { of: /^gc-[g-z]/, controllers: BASIC },
  { of: /^namespaces-/, controllers: BASIC },
  { of: /^workloads-/, controllers: WORKLOADS },
];

if (!existsSync(PLAYER)) {
  console.log(`skipped: stories: no player at ${PLAYER}`);
  process.exit(0);
}
const stories = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json') && PLAYED.test(file))
  .filter((file) => !LEFT_OUT.has(file.slice(0, -'.json'.length)));
const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-stories-'));
try {
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${TOKEN},oracle,oracle-uid,"system:masters"\n`);
  const batch = ({ of, controllers }, files) =>
    play(
      files.filter((file) => of.test(file)),
      controllers,
      tokens,
    );
  const first = (await Promise.all(BATCHES.map((one) => batch(one, stories)))).join('\n');
  console.log(first);
  // Stories are played in real time: one that a machine cut off that stood still comes right when it is played by itself.
  const left = unequal(stories, first);
  const still = [];
  for (const file of left) {
    console.log(`once more: ${file}`);
    const text = await batch(
      BATCHES.find(({ of }) => of.test(file)),
      [file],
    );
    console.log(text);
    still.push(...unequal([file], text));
  }
  const good = stories.length - still.length;
  console.log(`stories: ${good} stories at or above their floor, ${still.length} below`);
  process.exitCode = still.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Those of the files of which the player does not say that all is equal. */
function unequal(files, text) {
  const equal = new Set([...text.matchAll(/^ok +(\S+) /gm)].map(([, name]) => `${name}.json`));
  return files.filter((file) => !equal.has(file));
}

/** Each batch has a server of its own. Shape: what the player says. */
async function play(files, controllers, tokens) {
  const server = await startServer(['--token-auth-file', tokens, '--controllers', controllers]);
  try {
    const args = [PLAYER, '--server', server.url, '--token', TOKEN, '--max-wait', '20'];
    return await output([...args, ...files.map((file) => join(FOLDER, file))]);
  } finally {
    await server.stop();
  }
}

function output(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (piece) => (text += piece));
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}
