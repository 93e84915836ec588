import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'kube-mockserver/client';
import { useCluster } from 'kube-mockserver/node-test';
import { deleteExpired } from './expire.js';

const expiring = (name, at) => build.secret({ name, annotations: { 'example.com/expires': at } });
const cluster = useCluster({
  objects: [
    expiring('old', '2026-01-01T00:00:00Z'),
    expiring('new', '2026-03-01T00:00:00Z'),
    build.secret('forever'),
  ],
});
const now = new Date('2026-02-01T00:00:00Z');
const names = async () => (await cluster.list('Secret')).map(({ metadata }) => metadata.name);

test('what has expired is deleted, and nothing else', async () => {
  assert.deepEqual(await deleteExpired(await cluster.kubeConfig(), 'default', now), ['old']);
  assert.deepEqual(await names(), ['forever', 'new']);
});

test('each test begins with the objects of the file', async () => {
  assert.deepEqual(await names(), ['forever', 'new', 'old']);
});

test('a secret that somebody writes in the meantime is kept', async () => {
  await cluster.addFault({
    match: { verb: 'delete', resource: 'secrets' },
    effect: { kind: 'conflict', by: 'write' },
    times: 1,
  });
  await assert.rejects(deleteExpired(await cluster.kubeConfig(), 'default', now), { code: 409 });
  assert.deepEqual(await names(), ['forever', 'new', 'old']);
});
