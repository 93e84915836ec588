// What client-go's reflector does with a server that has watch-lists, that refuses them, and when it does not ask for one.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, test } from 'node:test';
import { expectJournal, scenario, startMockServer } from 'kube-mockserver';
import { build, ClusterClient } from 'kube-mockserver/client';

const folder = mkdtempSync(join(tmpdir(), 'reflector-fallback-'));
const program = join(folder, 'reflector');
const hasGo = spawnSync('go', ['version']).status === 0;
const skip = hasGo ? false : 'go is not on PATH';
let server;
let child;

before(() => {
  if (!hasGo) return;
  const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
afterEach(async () => {
  if (child === undefined) return;
  child.stdin.end();
  await once(child, 'exit');
  await server.stop();
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a server and the program beside it. Shape: resolves with the program's lines when it has synced. */
async function run({ faults = [], watchList = true }) {
  server = await startMockServer({ faults });
  await new ClusterClient(server.url).apply(build.configMap('settings', { level: '1' }));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  const env = { ...process.env, KUBECONFIG: kubeconfig, KUBE_FEATURE_WatchListClient: String(watchList) };
  child = spawn(program, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const told = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.includes('synced') && told.includes('added settings')) break;
  }
  await server.journal.first('a watch', () => reflector().watches.length > 0);
  return told;
}

const reflector = () => server.journal.client('reflector*').where({ resource: 'configmaps' });
const requests = () => reflector().requests.map(({ verb, watchList }) => (watchList ? 'watch-list' : verb));

test('a server with watch-lists: one request brings the state and what follows', { skip }, async () => {
  await run({});
  assert.deepEqual(requests(), ['watch-list']);
  expectJournal(reflector()).toHaveUsedWatchList();
});

test('a server that refuses them: the reflector lists in the same cycle', { skip }, async () => {
  await run({ faults: scenario('watch-list-refused').rules });
  await server.journal.first('the watch', () => reflector().watches.length === 2);
  assert.deepEqual(requests(), ['watch-list', 'list', 'watch']);
  expectJournal(reflector()).toHaveFallenBackToList();
  console.log(reflector().explain());
});

test('a stream that fails before its marker: no half of a state is used', { skip }, async () => {
  const told = await run({ faults: scenario('failure-mid-stream').rules });
  assert.deepEqual(
    told.filter((line) => line.startsWith('added')),
    ['added settings'],
  );
  expectJournal(reflector()).toHaveFallenBackToList();
});

test('a reflector that asks for none lists, then watches', { skip }, async () => {
  await run({ watchList: false });
  assert.deepEqual(requests(), ['list', 'watch']);
});
