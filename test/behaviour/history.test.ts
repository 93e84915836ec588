/** How far back a watch can start: the bounded window of each resource, and the store's own compaction. */
import { DEFAULT_WATCH_CACHE } from '../../mockserver/watch/watch-cache-options.js';
import { type Doc, versionOf } from './documents.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('history', {
  cluster: {
    watchCache: {
      ...DEFAULT_WATCH_CACHE,
      window: { ...DEFAULT_WATCH_CACHE.window, minCapacity: 3, maxCapacity: 3 },
    },
  },
});

const watchFrom = (plural: string, version: number) =>
  target.watch(target.path(`${plural}?watch=1&resourceVersion=${version}`));
const tooOld = (asked: number, floor: number) => ({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `too old resource version: ${asked} (${floor})`,
    reason: 'Expired',
    code: 410,
  },
});

describe('a window of three events', () => {
  const writes: Doc[] = [];
  let floor = 0;
  const at = (index: number): number => versionOf(writes[index] ?? fail());
  beforeAll(async () => {
    for (let i = 0; i < 5; i++) writes.push(await target.configMap(`w${i}`));
    floor = at(2) - 1;
  });

  ownTest.each([
    ['long ago', () => at(0) - 1],
    ['one below the boundary', () => floor - 1],
  ])('ends a watch from %s with one 410 that names the boundary', async (_where, asked) => {
    const watch = await watchFrom('configmaps', asked());
    expect(watch.status).toBe(200);
    expect(await watch.rest()).toEqual([tooOld(asked(), floor)]);
  });

  ownTest('serves a watch from the boundary with all three', async () => {
    const watch = await watchFrom('configmaps', floor);
    const events = await watch.take(3);
    expect(events.map(({ object }) => object)).toEqual(writes.slice(2));
    watch.close();
  });

  ownTest('serves a watch from the latest version in silence until the next write', async () => {
    const watch = await watchFrom('configmaps', at(4));
    const next = await target.done('PUT', target.path('configmaps/w4'), {
      metadata: { name: 'w4' },
      data: { k: '1' },
    });
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: next });
    watch.close();
  });

  ownTest('belongs to one resource: the others keep theirs', async () => {
    const before = versionOf(await target.done('GET', target.path('secrets')));
    for (let i = 0; i < 5; i++) await target.configMap(`x${i}`);
    const secret = await target.done('POST', target.path('secrets'), { metadata: { name: 's' } });
    const watch = await watchFrom('secrets', before);
    expect((await watch.next()).object.metadata.uid).toBe(secret.metadata.uid);
    watch.close();
  });

  ownTest('has nothing to do with exact lists, which the store answers', async () => {
    const list = await target.done(
      'GET',
      target.path(`configmaps?resourceVersion=${at(0)}&resourceVersionMatch=Exact`),
    );
    expect(list.items.map(({ metadata }) => metadata.name)).toContain('w0');
    expect(list.items.map(({ metadata }) => metadata.name)).not.toContain('w1');
  });

  ownTest('a client that is told so lists, watches from there, and misses nothing', async () => {
    const old = await watchFrom('configmaps', at(0) - 1);
    expect((await old.rest())[0]?.object.code).toBe(410);
    const version = versionOf(await target.done('GET', target.path('configmaps')));
    const made = await target.configMap('after-410');
    const watch = await watchFrom('configmaps', version);
    expect(await watch.next()).toEqual({ type: 'ADDED', object: made });
    watch.close();
  });
});

describe('compaction of the store', () => {
  ownTest('does not shorten the window of a cached resource', async () => {
    const { clock } = target.own;
    const first = await target.configMap('compacted-a');
    const second = await target.configMap('compacted-b');
    clock.advance(600_000);
    const watch = await watchFrom('configmaps', versionOf(first));
    expect((await watch.next()).object.metadata.uid).toBe(second.metadata.uid);
    watch.close();
  });

  ownTest('is what ends a watch of events, in the words of the store', async () => {
    const { clock } = target.own;
    const event = (name: string): Promise<Doc> =>
      target.done('POST', target.path('events'), {
        metadata: { name },
        involvedObject: { kind: 'Pod', namespace: target.namespace, name: 'p' },
        reason: 'Tested',
      });
    const first = await event('e0');
    // More than the window of a cached resource would hold.
    for (let i = 1; i < 6; i++) await event(`e${i}`);
    const before = await watchFrom('events', versionOf(first));
    expect((await before.take(5)).map(({ object }) => object.metadata.name)).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
      'e5',
    ]);
    before.close();

    clock.advance(600_000);
    const watch = await watchFrom('events', versionOf(first));
    expect(watch.status).toBe(200);
    expect(await watch.rest()).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'The resourceVersion for the provided watch is too old.',
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
  });
});

function fail(): never {
  throw new Error('a write is missing');
}
