/** Bookmarks: who gets one, when, and what it names. */
import { brief, type Doc, versionOf } from './documents.js';
import { type EventStream } from './event-stream.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('bookmarks');
/** A round comes 1 to 1.25 s after the one before, and buckets are whole seconds. */
const ROUND = 2250;

const open = async (query = ''): Promise<EventStream> => {
  const version = versionOf(await target.done('GET', target.path('configmaps')));
  return target.watch(target.path(`configmaps?watch=1&resourceVersion=${version}${query}`));
};
const write = (): Promise<Doc> => target.configMap(`c${count++}`);
let count = 0;
const elsewhere = (): Promise<Doc> =>
  target.done('POST', target.path('secrets'), { metadata: { generateName: 's-' } });

ownTest(
  'a watch that has seen a change gets one within a minute, and the same again each minute',
  async () => {
    const { clock } = target.own;
    const watch = await open('&allowWatchBookmarks=true');
    const made = await write();
    expect(brief(await watch.next())).toMatch(/^ADDED/);
    clock.advance(60_000 + ROUND);
    const first = await watch.next();
    expect(first).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/) as unknown },
      },
    });
    expect(versionOf(first.object)).toBeGreaterThanOrEqual(versionOf(made));
    clock.advance(60_000 + ROUND);
    const second = await watch.next();
    expect(second.type).toBe('BOOKMARK');
    expect(versionOf(second.object)).toBeGreaterThanOrEqual(versionOf(first.object));
    watch.close();
  },
);

ownTest('none comes before its time', async () => {
  const { clock } = target.own;
  const watch = await open('&allowWatchBookmarks=true');
  await write();
  await watch.next();
  clock.advance(57_000);
  await write();
  expect((await watch.next()).type).toBe('ADDED');
  watch.close();
});

ownTest('none comes to a client that did not ask', async () => {
  const { clock } = target.own;
  const watch = await open();
  await write();
  await watch.next();
  clock.advance(180_000);
  await write();
  expect((await watch.next()).type).toBe('ADDED');
  watch.close();
});

ownTest('none comes while nothing newer than the start is known', async () => {
  const { clock } = target.own;
  const watch = await open('&allowWatchBookmarks=true');
  clock.advance(300_000);
  await write();
  expect((await watch.next()).type).toBe('ADDED');
  watch.close();
});

ownTest(
  'writes of other resources are named after the cache has caught up, so that a quiet watch gets on',
  async () => {
    const { clock } = target.own;
    const watch = await open('&allowWatchBookmarks=true');
    const secret = await elsewhere();
    clock.advance(60_000 + ROUND);
    const bookmark = await watch.next();
    expect(bookmark.type).toBe('BOOKMARK');
    expect(versionOf(bookmark.object)).toBeGreaterThanOrEqual(versionOf(secret));
    watch.close();
  },
);

ownTest('one comes two seconds before the watch times out', async () => {
  const { clock } = target.own;
  const watch = await open('&allowWatchBookmarks=true&timeoutSeconds=20');
  const made = await write();
  await watch.next();
  clock.advance(20_000);
  const rest = await watch.rest();
  expect(rest.length).toBeGreaterThanOrEqual(1);
  for (const event of rest) {
    expect(event.type).toBe('BOOKMARK');
    expect(versionOf(event.object)).toBeGreaterThanOrEqual(versionOf(made));
  }
});

ownTest('a watch that goes on at a bookmark misses nothing', async () => {
  const { clock } = target.own;
  const watch = await open('&allowWatchBookmarks=true');
  await write();
  await watch.next();
  clock.advance(60_000 + ROUND);
  const { object } = await watch.next();
  watch.close();
  const made = await write();
  const next = await target.watch(
    target.path(`configmaps?watch=1&resourceVersion=${object.metadata.resourceVersion}`),
  );
  expect(await next.next()).toEqual({ type: 'ADDED', object: made });
  next.close();
});

ownTest('bookmarks never go back, and never below an event', async () => {
  const { clock } = target.own;
  const watch = await open('&allowWatchBookmarks=true&timeoutSeconds=400');
  const written: number[] = [];
  for (let i = 0; i < 6; i++) {
    written.push(versionOf(await write()));
    if (i % 2 === 0) await elsewhere();
    clock.advance(61_000);
  }
  clock.advance(60_000);
  const events = await watch.rest();
  const versions = events.map(({ object }) => versionOf(object));
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  expect(events.filter(({ type }) => type === 'ADDED').map(({ object }) => versionOf(object))).toEqual(
    written,
  );
  expect(events.filter(({ type }) => type === 'BOOKMARK').length).toBeGreaterThanOrEqual(5);
});
