/** Case 07: a write is stored and its answer never reaches the client. */
import { fault } from '../../mockserver/index.js';
import { EventStream } from '../behaviour/event-stream.js';
import { given, LEASES, MAPS } from './given.js';

const at = given();
const APPLY = 'application/apply-patch+yaml';

/** How the requests of a verb ended: `stored, lost`, `409`. */
const ends = (verb: string): string[] =>
  at()
    .server.journal.all.where({ verb, kind: 'response' })
    .entries.flatMap((entry) => {
      if (entry.kind !== 'response') return [];
      const stored = entry.committed === true ? 'stored, ' : '';
      return [`${stored}${entry.lost === undefined ? entry.code : 'lost'}`];
    });

const lose = (verb: string): void =>
  void at().server.faults.add({
    ...fault.loseAnswer({ verb, resource: ['leases', 'configmaps'] }),
    times: 1,
  });

test('an update is stored once; the repeated one is stale, a fresh one is stored', async () => {
  const made = (await at().ask('POST', LEASES, { metadata: { name: 'lead' }, spec: { holderIdentity: 'A' } }))
    .doc;
  const base = Number(made.metadata.resourceVersion);
  const watch = await EventStream.open(at().place, `${LEASES}?watch=1&resourceVersion=${base}`);
  const renew = (resourceVersion: string) => ({
    metadata: { name: 'lead', resourceVersion },
    spec: { holderIdentity: 'A', renewTime: '2026-01-01T00:00:01.000000Z' },
  });
  lose('update');
  const stale = renew(made.metadata.resourceVersion);
  await expect(at().ask('PUT', `${LEASES}/lead`, stale)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect((await at().ask('PUT', `${LEASES}/lead`, stale)).doc).toMatchObject({
    code: 409,
    reason: 'Conflict',
  });
  const read = (await at().ask('GET', `${LEASES}/lead`)).doc;
  expect(read).toMatchObject({
    metadata: { resourceVersion: String(base + 1) },
    spec: { renewTime: '2026-01-01T00:00:01.000000Z' },
  });
  const next = {
    ...renew(read.metadata.resourceVersion),
    spec: { holderIdentity: 'A', leaseTransitions: 1 },
  };
  expect((await at().ask('PUT', `${LEASES}/lead`, next)).doc.metadata.resourceVersion).toBe(String(base + 2));
  expect(
    (await watch.take(2)).map(({ type, object }) => `${type} ${object.metadata.resourceVersion}`),
  ).toEqual([`MODIFIED ${base + 1}`, `MODIFIED ${base + 2}`]);
  watch.close();
  expect(ends('update')).toEqual(['stored, lost', '409', 'stored, 200']);
});

test('a: a create that is repeated is answered 409; with a generated name it makes a second object', async () => {
  lose('create');
  await expect(at().create('a')).rejects.toThrow();
  expect((await at().ask('POST', MAPS, { metadata: { name: 'a' } })).doc).toMatchObject({
    code: 409,
    reason: 'AlreadyExists',
  });
  lose('create');
  const generated = { metadata: { generateName: 'made-' } };
  await expect(at().ask('POST', MAPS, generated)).rejects.toThrow();
  expect((await at().ask('POST', MAPS, generated)).status).toBe(201);
  const { items } = (await at().ask('GET', MAPS)).doc;
  expect(items.filter(({ metadata }) => metadata.name.startsWith('made-'))).toHaveLength(2);
});

test('b: a delete that is repeated is answered 404, or 200 while a finalizer holds the object', async () => {
  await at().create('a');
  await at().ask('POST', MAPS, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  for (const [name, status] of [
    ['a', 404],
    ['held', 200],
  ] as const) {
    lose('delete');
    await expect(at().ask('DELETE', `${MAPS}/${name}`)).rejects.toThrow();
    expect((await at().ask('DELETE', `${MAPS}/${name}`)).status).toBe(status);
  }
});

test('c: an apply that is repeated changes nothing', async () => {
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '1' } };
  const apply = () => at().ask('PATCH', `${MAPS}/a?fieldManager=m`, applied, APPLY);
  lose('patch');
  await expect(apply()).rejects.toThrow();
  const stored = (await at().ask('GET', `${MAPS}/a`)).doc.metadata.resourceVersion;
  const again = await apply();
  expect([again.status, again.doc.metadata.resourceVersion]).toEqual([200, stored]);
});

test('d: an answer that comes after the client has given up leaves the same store', async () => {
  at().server.faults.add({ ...fault.delayAnswer({ verb: 'create' }, 60_000), times: 1 });
  const waiting = at().clock.asked(60_000);
  const given = new AbortController();
  const answer = fetch(`${at().server.url}${MAPS}`, {
    method: 'POST',
    body: JSON.stringify({ metadata: { name: 'late' } }),
    headers: { 'Content-Type': 'application/json' },
    signal: given.signal,
  });
  await waiting;
  given.abort();
  await expect(answer).rejects.toThrow();
  at().clock.advance(60_000);
  expect((await at().ask('POST', MAPS, { metadata: { name: 'late' } })).doc.reason).toBe('AlreadyExists');
  expect((await at().ask('GET', `${MAPS}/late`)).status).toBe(200);
});

test('e: a write whose connection breaks before it is served is not stored, and its repetition is', async () => {
  const version = await at().create('a');
  at().server.faults.add({ ...fault.reset({ verb: 'update' }), times: 1 });
  const body = { metadata: { name: 'a', resourceVersion: version }, data: { k: '2' } };
  await expect(at().ask('PUT', `${MAPS}/a`, body)).rejects.toThrow();
  expect((await at().ask('PUT', `${MAPS}/a`, body)).doc.metadata.resourceVersion).toBe(
    String(Number(version) + 1),
  );
  expect(ends('update')).toEqual(['lost', 'stored, 200']);
});
