// The cache on a server that misbehaves, in each of these ways.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { KubeConfig } from '@kubernetes/client-node';
import { expectJournal, scenario, startMockServer } from 'kube-mockserver';
import { build, ClusterClient, eventually } from 'kube-mockserver/client';
import { SettingsCache } from './settings-cache.js';

let server, cluster, cache;

async function start(options = {}) {
  server = await startMockServer(options);
  cluster = new ClusterClient(server.url);
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  cache = new SettingsCache(config, 'default');
}

afterEach(async () => {
  await cache.stop();
  await server.stop();
});

/** Asks again and again: a cache hears of things a little later. */
const becomes = (name, level) =>
  eventually(() => assert.equal(cache.get(name, 'level'), level), { withinMs: 30_000 });

/** What the cache did, not what the test did. */
const followed = () => server.journal.client('node-fetch*').where({ resource: 'configmaps' });
const requests = () => followed().requests.map(({ verb }) => verb);
/** Waits until the journal has so many watches. */
const watches = (count) => server.journal.first('watch', () => followed().watches.length >= count);

describe('a cache', () => {
  beforeEach(() => start());

  test('sees a setting come, change and go', async () => {
    await cluster.apply(build.configMap('web', { level: '1' }));
    await cache.start();
    await becomes('web', '1');
    await cluster.apply(build.configMap('web', { level: '2' }));
    await becomes('web', '2');
    await cluster.delete('ConfigMap', 'web');
    await becomes('web', undefined);
    assert.deepEqual(requests(), ['list', 'watch']);
  });
});

for (const name of [
  'watch-410-in-stream',
  'watch-410-http',
  'too-many-requests',
  'internal-error',
  'connection-reset',
  'connection-refused',
  'unexpected-eof',
  'version-too-large',
  'utf8-split',
  'timeouts-and-jitter',
]) {
  test(`${name}: a cache is told in the end, and does not ask too often`, async () => {
    await start({ faults: scenario(name).rules });
    await cluster.apply(build.configMap('before', { level: '1' }));
    await cache.start();
    await becomes('before', '1');
    await eventually(() => cluster.apply(build.configMap('after', { level: 'größer' })), {
      withinMs: 30_000,
    });
    await becomes('after', 'größer');
    assert.ok(server.faults.rules.length > server.faults.unfired.length, 'the fault took place');
    expectJournal(followed()).notToHotLoop({ perSecond: 10 });
  });
}

describe('a watch that is told nothing of a deletion', () => {
  beforeEach(() => start({ faults: scenario('unobserved-delete').rules }));

  test('leaves the setting in the cache until the next list', async () => {
    await cluster.apply(build.configMap('web', { level: '1' }));
    await cache.start();
    await watches(1);
    await becomes('web', '1');
    await cluster.delete('ConfigMap', 'web');
    assert.equal(cache.get('web', 'level'), '1');
    // The event of the next write is a 410 in its place: the cache lists again.
    await cluster.apply(build.configMap('other', { level: '1' }));
    await becomes('web', undefined);
    expectJournal(followed()).toHaveRelisted(1);
    expectJournal(followed()).toHaveTakenPath('lists again after 410');
  });
});

describe('a watch that falls behind', () => {
  beforeEach(() => start({ faults: scenario('stalled-and-resumed').rules }));

  test('is sent everything on the same connection', async () => {
    await cache.start();
    await watches(1);
    for (let level = 1; level <= 150; level++)
      await cluster.apply(build.configMap('web', { level: String(level) }));
    await becomes('web', '150');
    assert.deepEqual(requests(), ['list', 'watch']);
  });
});
