/** A client-go 0.36 informer with watch-list on, unmodified, through the scenarios of watch-lists. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  expectJournal,
  type JournalView,
  type MockServer,
  scenario,
  startMockServer,
} from '../../mockserver/index.js';
import { fellBackToList, usedWatchList } from '../../mockserver/observe/journal-matchers.js';
import { lines } from './line-stream.js';
import { Seen } from './seen.js';
import { stopProgram } from './server.js';
import { goInformer, testWith } from './tools.js';

const tool = goInformer();
const goTest = testWith(tool, 'client-go informer');
const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-scenarios-'));

let server: MockServer;
let child: ChildProcess;

afterEach(async () => {
  await stopProgram(child);
  await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the server with a scenario and an informer on it. Shape: names of what its handler is told, `ADD a`. */
async function startWith(name: string, watchList = true): Promise<Seen<string>> {
  if (!('path' in tool)) throw new Error(tool.missing);
  server = await startMockServer({ faults: scenario(name).rules });
  const created = await fetch(`${server.url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' } }),
  });
  expect(created.status).toBe(201);
  const kubeconfig = join(folder, name);
  writeFileSync(kubeconfig, server.kubeconfig);
  child = spawn(tool.path, ['-kubeconfig', kubeconfig, '-resource', 'configmaps'], {
    env: { ...process.env, KUBE_FEATURE_WatchListClient: String(watchList) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const told = new Seen<string>();
  if (child.stdout === null) throw new Error('the informer has no output');
  lines(child.stdout, (line) => {
    // The program is ours: its lines have these members.
    const { event, name: object = '' } = JSON.parse(line) as { event: string; name?: string };
    told.add(`${event} ${object}`.trim());
  });
  return told;
}

const informer = (): JournalView => server.journal.client(/^informer/).where({ resource: 'configmaps' });

goTest('watch-list-refused: it falls back to a list in the same cycle', async () => {
  const told = await startWith('watch-list-refused');
  await told.first('synced', (text) => text === 'SYNCED');
  await server.journal.first('the watch', () => informer().watches.length === 2);
  expect(informer().requests.map(({ verb }) => verb)).toEqual(['watch', 'list', 'watch']);
  expect(fellBackToList(informer())).toBe(true);
  expect(usedWatchList(informer())).toBe(false);
  expect(told.all).toContain('ADD a');
});

goTest('marker-withheld: it is sent its objects, delivers nothing and does not fall back', async () => {
  const told = await startWith('marker-withheld');
  await server.journal.first('the fault', ({ kind }) => kind === 'fault');
  expect(informer().events.map(({ type, name }) => `${type} ${name}`)).toEqual(['ADDED a']);
  expect(informer().lists).toEqual([]);
  expect(told.all).toEqual([]);
});

goTest('clean-end-before-marker: it asks again and again and never lists', async () => {
  const told = await startWith('clean-end-before-marker');
  await server.journal.first('the fifth watch-list', () => informer().watches.length >= 5);
  expect(informer().lists).toEqual([]);
  expect(informer().explain()).toContain('watch-list again');
  expect(told.all).toEqual([]);
});

async function create(name: string): Promise<void> {
  const created = await fetch(`${server.url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ metadata: { name } }),
  });
  expect(created.status).toBe(201);
}

describe.each([{ watchList: true }, { watchList: false }])('with watch-list $watchList', ({ watchList }) => {
  goTest.each([
    'failure-mid-stream',
    'first-list-paginated',
    'version-too-large',
    'connection-reset',
    'unexpected-eof',
    'internal-error',
    'timeouts-and-jitter',
    'too-many-requests',
    'utf8-split',
    'watch-410-in-stream',
    'watch-410-http',
  ])('%s: it synchronises and is told of what is written, without a hot loop', async (name) => {
    const told = await startWith(name, watchList);
    await told.first('a', (text) => text === 'ADD a');
    await create('b');
    await told.first('b', (text) => text === 'ADD b');
    expect(told.all.filter((text) => text === 'ADD a')).toHaveLength(1);
    expectJournal(informer()).notToHotLoop({ perSecond: 20 });
  });
});

goTest('a half of a snapshot is not used: nothing is told before the list', async () => {
  const told = await startWith('failure-mid-stream');
  await told.first('synced', (text) => text === 'SYNCED');
  expect(
    informer()
      .requests.map(({ verb }) => verb)
      .slice(0, 2),
  ).toEqual(['watch', 'list']);
});

goTest('unobserved-delete: the handler is told of the deletion after the list', async () => {
  const told = await startWith('unobserved-delete');
  await told.first('synced', (text) => text === 'SYNCED');
  await fetch(`${server.url}/api/v1/namespaces/default/configmaps/a`, { method: 'DELETE' });
  await create('b');
  await told.first('the deletion', (text) => text === 'DELETE a');
  expect(server.journal.all.faults.map(({ rule }) => rule)).toEqual(['unobserved-delete', 'expired']);
});
