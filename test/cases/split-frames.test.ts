/** Case 25: frames that are split at any byte, also inside a character. */
import { type EffectOf } from '../../mockserver/faults/effects.js';
import { fault, type FaultRule } from '../../mockserver/index.js';
import { begin } from '../behaviour/connection.js';
import { type WatchEvent } from '../behaviour/documents.js';
import { EventStream } from '../behaviour/event-stream.js';
import { given, MAPS, WATCH_LIST } from './given.js';

const at = given();
const TEXT = 'žluťoučký 🐎\n"quoted"\u0007<&>';
const LARGE = 'ř'.repeat(500_000);
const VICTIM = { resource: 'configmaps', userAgent: 'victim' } as const;

/** The chunks of a watch-list of twenty seconds. */
async function chunksOf(userAgent: string): Promise<Buffer[]> {
  const opened = at().server.journal.next('the answer', ({ kind }) => kind === 'response');
  const response = await begin(at().place, 'GET', `${WATCH_LIST}&timeoutSeconds=20`, {
    headers: { 'User-Agent': userAgent },
  });
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await opened;
  // Past the pauses of the cuts, and the end of the watch.
  while (!response.closed) {
    at().clock.advance(100);
    await new Promise(setImmediate);
  }
  return chunks;
}

const split = (effect: Omit<EffectOf<'split'>, 'kind'>): FaultRule =>
  fault.rule(VICTIM, { kind: 'split', ...effect });

beforeEach(async () => {
  await at().create('horse', { data: { TEXT } });
  await at().create('plain');
});

test.each<{ name: string; rule: FaultRule | undefined }>([
  { name: 'as is usual', rule: undefined },
  { name: 'several in one chunk', rule: fault.joinFrames(VICTIM, 3) },
  { name: 'one byte a chunk', rule: split({ size: 1 }) },
  { name: 'inside every character of several bytes', rule: split({ at: 'characters' }) },
  { name: 'inside every escape', rule: split({ at: 'escapes' }) },
  { name: 'by chance', rule: split({ at: 'random', size: 7 }) },
  { name: 'with their newlines later', rule: fault.lateNewline(VICTIM, 2000) },
])('frames cut $name are the same bytes, a JSON document and a newline each', async ({ rule }) => {
  const whole = Buffer.concat(await chunksOf('bystander'));
  if (rule !== undefined) at().server.faults.add(rule);
  const cut = Buffer.concat(await chunksOf('victim'));
  expect(cut.equals(whole)).toBe(true);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(cut);
  expect(text.endsWith('\n')).toBe(true);
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as WatchEvent);
  expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
  expect(events[0]?.object.data).toEqual({ TEXT });
  // As Go's encoder writes it: these are escaped, other characters are not.
  expect(text).toContain('\\u003c\\u0026\\u003e');
  expect(text).toContain('🐎');
});

test('an event of a megabyte comes in parts of 16 KiB', async () => {
  await at().create('large', { data: { LARGE } });
  at().server.faults.add(split({ size: 16_384 }));
  const watch = await EventStream.open(at().place, WATCH_LIST, { headers: { 'User-Agent': 'victim' } });
  expect((await watch.take(2))[1]?.object.data).toEqual({ LARGE });
  watch.close();
});

test('the same seed cuts at the same bytes', async () => {
  const cuts = async (): Promise<number[]> => {
    at().server.faults.reset();
    at().server.faults.add(split({ at: 'random', size: 7, pauseMs: 1 }));
    return (await chunksOf('victim')).map(({ length }) => length);
  };
  const first = await cuts();
  expect(new Set(first).size).toBeGreaterThan(3);
  expect(await cuts()).toEqual(first);
});

test('after half a frame and the end, a watch from the last whole one loses nothing', async () => {
  const from = await at().create('start');
  using half = at().server.faults.add({ ...fault.halfFrame(VICTIM, { name: 'b' }), times: 1 });
  const headers = { 'User-Agent': 'victim' };
  const watch = await EventStream.open(at().place, `${MAPS}?watch=1&resourceVersion=${from}`, { headers });
  const written: string[] = [];
  for (const name of ['a', 'b', 'c']) written.push(await at().create(name));
  const first = (await watch.next()).object.metadata.resourceVersion;
  expect(first).toBe(written[0]);
  await expect(watch.rest()).rejects.toThrow('the watch broke off');
  expect(half.fired).toBe(1);
  const again = await EventStream.open(at().place, `${MAPS}?watch=1&resourceVersion=${first}`, { headers });
  expect((await again.take(2)).map(({ object }) => object.metadata.resourceVersion)).toEqual(
    written.slice(1),
  );
  again.close();
});
