/** Watches that begin with the state: sendInitialEvents, its combinations with other options, the bookmark that ends it. */
import { brief, type Doc, versionOf } from './documents.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('watch-list');
const LIST = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
const WATCH_LIST = `${LIST}&allowWatchBookmarks=true`;

async function spaceOf(name: string, ...objects: readonly string[]): Promise<string> {
  const namespace = await target.namespaceNamed(target.unique(`watch-list-${name}`));
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const one of objects) await make(path, one);
  return path;
}
const make = (path: string, name: string, metadata: object = {}): Promise<Doc> =>
  target.done('POST', path, { metadata: { name, ...metadata } });

test.each(['', '&resourceVersion=', '&resourceVersion=0'])(
  'the state comes in the order of names, then one bookmark that says so, then what happens (%s)',
  async (version) => {
    const path = await spaceOf(`order${version.length}`);
    const b = await make(path, 'b');
    const a = await make(path, 'a');
    const watch = await target.watch(`${path}?${WATCH_LIST}${version}`);
    const [first, second, end] = await watch.take(3);
    expect([first, second]).toEqual([
      { type: 'ADDED', object: a },
      { type: 'ADDED', object: b },
    ]);
    expect(end).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          resourceVersion: expect.stringMatching(/^\d+$/) as unknown,
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      },
    });
    expect(end === undefined ? 0 : versionOf(end.object)).toBeGreaterThanOrEqual(versionOf(a));
    const c = await make(path, 'c');
    expect(await watch.next()).toEqual({ type: 'ADDED', object: c });
    expect(versionOf(c)).toBeGreaterThan(end === undefined ? Infinity : versionOf(end.object));
    watch.close();
  },
);

test('without a version the bookmark is as new as the last write of any resource', async () => {
  const path = await spaceOf('consistent', 'a');
  const secret = await target.done('POST', target.path('secrets'), { metadata: { generateName: 's-' } });
  const watch = await target.watch(`${path}?${WATCH_LIST}`);
  const [, end] = await watch.take(2);
  expect(end === undefined ? 0 : versionOf(end.object)).toBeGreaterThanOrEqual(versionOf(secret));
  watch.close();
});

test('an empty collection is one bookmark', async () => {
  const watch = await target.watch(`${await spaceOf('empty')}?${WATCH_LIST}`);
  expect(brief(await watch.next())).toBe('BOOKMARK');
  watch.close();
});

test('a selector selects among the state, and the bookmark comes all the same', async () => {
  const path = await spaceOf('selected', 'a');
  await make(path, 'b', { labels: { app: 'web' } });
  const web = await target.watch(`${path}?${WATCH_LIST}&labelSelector=app%3Dweb`);
  expect((await web.take(2)).map(brief)).toEqual(['ADDED b', 'BOOKMARK']);
  const none = await target.watch(`${path}?${WATCH_LIST}&fieldSelector=metadata.name%3Dzz`);
  expect(brief(await none.next())).toBe('BOOKMARK');
  web.close();
  none.close();
});

test('without allowWatchBookmarks the state comes and nothing says that it is complete', async () => {
  const path = await spaceOf('unmarked', 'a');
  const watch = await target.watch(`${path}?${LIST}`);
  expect(brief(await watch.next())).toBe('ADDED a');
  await make(path, 'b');
  expect(brief(await watch.next())).toBe('ADDED b');
  watch.close();
});

test.each(['', '&resourceVersion=0'])(
  'a plain watch (%s) with bookmarks gets the bookmark that ends the state too',
  async (version) => {
    const path = await spaceOf(`plain${version.length}`, 'a');
    const watch = await target.watch(`${path}?watch=1&allowWatchBookmarks=true${version}`);
    const [added, end] = await watch.take(2);
    expect(brief(added ?? end ?? fail())).toBe('ADDED a');
    expect(end?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    watch.close();
  },
);

test('a version shows the current state, not the one of that version', async () => {
  const path = await spaceOf('newer');
  const a = await make(path, 'a');
  await target.done('DELETE', `${path}/a`);
  await make(path, 'b');
  const watch = await target.watch(`${path}?${WATCH_LIST}&resourceVersion=${a.metadata.resourceVersion}`);
  expect((await watch.take(2)).map(brief)).toEqual(['ADDED b', 'BOOKMARK']);
  watch.close();
});

test('a version of the future is waited for, then refused by an ERROR event', async () => {
  const path = await spaceOf('future', 'a');
  const watch = await target.whileWaiting(3000, () =>
    target.watch(`${path}?${WATCH_LIST}&resourceVersion=99999999`),
  );
  expect(watch.status).toBe(200);
  expect(await watch.rest()).toEqual([
    {
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: expect.stringMatching(
          /^Timeout: Too large resource version: 99999999, current: \d+$/,
        ) as unknown,
        reason: 'Timeout',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
        code: 504,
      },
    },
  ]);
});

test('a version that is reached in time is served', async () => {
  const path = await spaceOf('reached', 'a');
  const wanted = versionOf(await target.done('GET', path)) + 2;
  const opening = target.watch(`${path}?${WATCH_LIST}&resourceVersion=${wanted}`);
  await make(path, 'b');
  await make(path, 'c');
  const watch = await opening;
  const events = await watch.upTo('BOOKMARK');
  expect(new Set(events.map(brief))).toEqual(new Set(['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK']));
  expect(versionOf(events.at(-1)?.object ?? fail())).toBeGreaterThanOrEqual(wanted);
  watch.close();
});

ownTest('later bookmarks carry no annotation', async () => {
  const path = await spaceOf('later', 'a');
  const watch = await target.watch(`${path}?${WATCH_LIST}`);
  await watch.upTo('BOOKMARK');
  const b = await make(path, 'b');
  expect(brief(await watch.next())).toBe('ADDED b');
  target.own.clock.advance(62_000);
  const { type, object } = await watch.next();
  expect(type).toBe('BOOKMARK');
  expect(versionOf(object)).toBeGreaterThanOrEqual(versionOf(b));
  expect(object.metadata).not.toHaveProperty('annotations');
  watch.close();
});

test('metadata alone: the bookmark takes the same form', async () => {
  const path = await spaceOf('partial', 'a');
  const watch = await target.watch(`${path}?${WATCH_LIST}`, {
    Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  });
  const events = await watch.take(2);
  expect(events.map(({ object }) => object.kind)).toEqual(['PartialObjectMetadata', 'PartialObjectMetadata']);
  expect(events[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  watch.close();
});

test('the bookmark of a kind with required members shows them empty', async () => {
  const watch = await target.watch(target.path(`pods?${WATCH_LIST}`));
  expect(await watch.next()).toEqual({
    type: 'BOOKMARK',
    object: {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: expect.stringMatching(/^\d+$/) as unknown,
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
      spec: { containers: null },
      status: {},
    },
  });
  watch.close();
});

/** What a watch says to each combination of the options: the rules of the API, written once more. */
function expectedErrors(
  send: string | undefined,
  match: string | undefined,
  version: string,
  next: string,
): string[] {
  const defaulted = send === undefined && match === undefined && (version === '' || version === '0');
  const sends = send !== undefined || defaulted;
  const matched = defaulted ? 'NotOlderThan' : match;
  const errors: string[] = [];
  if (sends && matched !== 'NotOlderThan') {
    errors.push(
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  }
  if (matched === undefined) return errors;
  if (!sends) {
    errors.push(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
  if (matched !== 'NotOlderThan') {
    errors.push(`resourceVersionMatch: Unsupported value: "${matched}": supported values: "NotOlderThan"`);
  }
  if (next !== '') {
    errors.push(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    );
  }
  return errors;
}

const combinations = [undefined, 'true', 'false', 'maybe'].flatMap((send) =>
  [undefined, 'NotOlderThan', 'Exact', 'Foo'].flatMap((match) =>
    ['', '0', 'N'].flatMap((version) => ['', 'abc'].map((next) => ({ send, match, version, next }))),
  ),
);

test.each(combinations)(
  'sendInitialEvents=$send resourceVersionMatch=$match resourceVersion=$version continue=$next is refused or streams as the rules say',
  async ({ send, match, version, next }) => {
    const parameters = new URLSearchParams({ watch: '1' });
    if (send !== undefined) parameters.set('sendInitialEvents', send);
    if (match !== undefined) parameters.set('resourceVersionMatch', match);
    if (version !== '') {
      const now = (await target.done('GET', target.path('configmaps'))).metadata.resourceVersion;
      parameters.set('resourceVersion', version === 'N' ? now : version);
    }
    if (next !== '') parameters.set('continue', next);
    const path = target.path(`configmaps?${parameters.toString()}`);
    const errors = expectedErrors(send, match, version, next);
    if (errors.length === 0) {
      const watch = await target.watch(path);
      expect(watch.status).toBe(200);
      watch.close();
      return;
    }
    const { status, doc } = await target.get(path);
    expect(status).toBe(422);
    expect(doc).toMatchObject({ reason: 'Invalid', details: { group: 'meta.k8s.io', kind: 'ListOptions' } });
    expect(doc.details).not.toHaveProperty('name');
    expect(doc.details.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(errors);
    expect(doc.message).toBe(
      `ListOptions.meta.k8s.io "" is invalid: ${errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`}`,
    );
  },
);

function fail(): never {
  throw new Error('an event is missing');
}
