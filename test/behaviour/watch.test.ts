/** Watches: where they start, what they send, how they end. */
import { brief, type Doc, versionOf } from './documents.js';
import { OWN_SERVER, ownTest, useTarget } from './target.js';

const target = useTarget('watch');

/** An empty namespace. Shape: path of its configmaps. */
async function emptySpace(name: string): Promise<string> {
  const namespace = await target.namespaceNamed(target.unique(`watch-${name}`));
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

const make = (path: string, name: string, metadata: object = {}, data: object = {}): Promise<Doc> =>
  target.done('POST', path, { metadata: { name, ...metadata }, data });
const write = (path: string, name: string, k: string): Promise<Doc> =>
  target.done('PUT', `${path}/${name}`, { metadata: { name }, data: { k } });
const remove = (path: string, name: string): Promise<Doc> => target.done('DELETE', `${path}/${name}`);
const listVersion = async (path: string): Promise<number> => versionOf(await target.done('GET', path));

test('a watch is answered at once with 200 and the headers of a stream', async () => {
  const watch = await target.watch(target.path('secrets?watch=1'));
  expect(watch.status).toBe(200);
  expect(watch.headers).toMatchObject({
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
    'cache-control': 'no-cache, private',
  });
  watch.close();
});

describe('a watch from', () => {
  test('no version shows the state as ADDED, in the order of names, then what happens', async () => {
    const path = await emptySpace('unset');
    const b = await make(path, 'b');
    const a = await make(path, 'a');
    const watch = await target.watch(`${path}?watch=1`);
    expect(await watch.take(2)).toEqual([
      { type: 'ADDED', object: a },
      { type: 'ADDED', object: b },
    ]);
    const changed = await write(path, 'a', '2');
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed });
    await remove(path, 'b');
    expect(brief(await watch.next())).toBe('DELETED b');
    watch.close();
  });

  test('version 0 shows the state as ADDED too', async () => {
    const path = await emptySpace('zero');
    await make(path, 'a');
    const watch = await target.watch(`${path}?watch=1&resourceVersion=0`);
    expect(brief(await watch.next())).toBe('ADDED a');
    watch.close();
  });

  test('a version replays all that happened above it, in order, then goes on live', async () => {
    const path = await emptySpace('replay');
    const first = await make(path, 'a');
    await write(path, 'a', '1');
    await make(path, 'b');
    await remove(path, 'a');
    const watch = await target.watch(`${path}?watch=1&resourceVersion=${first.metadata.resourceVersion}`);
    await write(path, 'b', '2');
    const events = await watch.take(4);
    expect(events.map(brief)).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a', 'MODIFIED b']);
    const versions = events.map(({ object }) => versionOf(object));
    expect(versions).toEqual([...versions].sort((x, y) => x - y));
    watch.close();
  });

  test('the latest version is silent until the next write', async () => {
    const path = await emptySpace('latest');
    await make(path, 'a');
    const watch = await target.watch(`${path}?watch=1&resourceVersion=${await listVersion(path)}`);
    await make(path, 'b');
    expect(brief(await watch.next())).toBe('ADDED b');
    watch.close();
  });

  test('a version of the future skips what happens up to it, without a word', async () => {
    const path = await emptySpace('future');
    const now = versionOf(await make(path, 'a'));
    const watch = await target.watch(`${path}?watch=1&resourceVersion=${now + (OWN_SERVER ? 2 : 1_000_000)}`);
    expect(watch.status).toBe(200);
    await write(path, 'a', '1');
    await write(path, 'a', '2');
    if (OWN_SERVER) {
      const third = await write(path, 'a', '3');
      expect(await watch.next()).toEqual({ type: 'MODIFIED', object: third });
    }
    watch.close();
  });

  test('a version from before the resource was served gets one ERROR event 410, then the end', async () => {
    const served = await target.define({
      group: `${target.unique('old')}.example.com`,
      plural: 'olds',
      kind: 'Old',
    });
    const watch = await target.watch(`${served}/olds?watch=1&resourceVersion=1`);
    expect(watch.status).toBe(200);
    const events = await watch.rest();
    expect(events).toHaveLength(1);
    expect(events[0]).toEqual({
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/) as unknown,
        reason: 'Expired',
        code: 410,
      },
    });
  });

  test('no version with sendInitialEvents=false starts now, without the state', async () => {
    const path = await emptySpace('most-recent');
    await make(path, 'a');
    const watch = await target.watch(
      `${path}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    );
    await make(path, 'b');
    expect(brief(await watch.next())).toBe('ADDED b');
    watch.close();
  });

  // Source: kube-apiserver 1.36.3; storage/cacher/cacher.go, getWatchCacheResourceVersion.
  ownTest('such a start leaves the version of the cache where it was', async () => {
    const path = (await emptySpace('left-behind')).replace('configmaps', 'limitranges');
    const before = await listVersion(`${path}?resourceVersion=0`);
    await make(await emptySpace('elsewhere'), 'a');
    const watch = await target.watch(
      `${path}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    );
    expect(await listVersion(`${path}?resourceVersion=0`)).toBe(before);
    expect(await listVersion(path)).toBeGreaterThan(before);
    watch.close();
  });

  test.each(['abc', 'None', 'undefined', '-1'])('%s is an error 500 before any stream', async (version) => {
    const { status, doc } = await target.get(target.path(`configmaps?watch=1&resourceVersion=${version}`));
    expect(status).toBe(500);
    expect(doc).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `resourceVersion: Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`,
      code: 500,
    });
  });
});

test('the versions of events are those of the writes, and each change comes once', async () => {
  const path = await emptySpace('once');
  const watch = await target.watch(`${path}?watch=1`);
  const writes = [await make(path, 'a')];
  for (let i = 0; i < 20; i++) writes.push(await write(path, 'a', String(i)));
  const events = await watch.take(writes.length);
  expect(events.map(({ object }) => object)).toEqual(writes);
  watch.close();
});

test('a watch of one namespace does not see another, one of all namespaces sees both', async () => {
  const here = await emptySpace('here');
  const there = await emptySpace('there');
  const from = await listVersion(here);
  const one = await target.watch(`${here}?watch=1&resourceVersion=${from}`);
  const all = await target.watch(
    `/api/v1/configmaps?watch=1&labelSelector=seen%3Dboth&resourceVersion=${from}`,
  );
  await make(there, 'x', { labels: { seen: 'both' } });
  await make(here, 'y', { labels: { seen: 'both' } });
  expect(brief(await one.next())).toBe('ADDED y');
  expect((await all.take(2)).map(brief)).toEqual(['ADDED x', 'ADDED y']);
  one.close();
  all.close();
});

describe('an object that enters or leaves a selector', () => {
  const steps = async (path: string): Promise<readonly Doc[]> => {
    const put = (app: string | undefined, k: string) =>
      target.done('PUT', `${path}/x`, {
        metadata: { name: 'x', ...(app === undefined ? {} : { labels: { app } }) },
        data: { k },
      });
    const writes = [
      await put('web', '21'),
      await put('db', '22'),
      await put('db', '23'),
      await put('web', '24'),
    ];
    await remove(path, 'x');
    return writes;
  };
  const shape = ({ type, object }: { type: string; object: Doc }) => [
    type,
    object.metadata.labels['app'],
    object.data['k'],
    object.metadata.resourceVersion,
  ];

  test.each(['live', 'replayed'])(
    'comes as ADDED and goes as DELETED with its former content (%s)',
    async (way) => {
      const path = await emptySpace(`selector-${way}`);
      const made = await make(path, 'x', { labels: { app: 'web' } }, { k: '20' });
      const open = (selector: string) =>
        target.watch(
          `${path}?watch=1&resourceVersion=${made.metadata.resourceVersion}&labelSelector=${encodeURIComponent(selector)}`,
        );
      const openAll = () =>
        Promise.all(['app=web', '', 'app=db', 'app in (web,db)', 'app notin (web)', 'app!=web'].map(open));
      let watches = way === 'live' ? await openAll() : [];
      const writes = await steps(path);
      if (way === 'replayed') watches = await openAll();
      const [v21, v22, v23, v24] = writes.map(({ metadata }) => metadata.resourceVersion);
      const end = String(await listVersion(path));
      const [web, all, db, either, notWeb, otherThanWeb] = watches;

      expect((await web?.take(4))?.map(shape)).toEqual([
        ['MODIFIED', 'web', '21', v21],
        ['DELETED', 'web', '21', v22],
        ['ADDED', 'web', '24', v24],
        ['DELETED', 'web', '24', expect.stringMatching(/^\d+$/)],
      ]);
      const everything = [
        ['MODIFIED', 'web', '21', v21],
        ['MODIFIED', 'db', '22', v22],
        ['MODIFIED', 'db', '23', v23],
        ['MODIFIED', 'web', '24', v24],
        ['DELETED', 'web', '24', expect.stringMatching(/^\d+$/)],
      ];
      expect((await all?.take(5))?.map(shape)).toEqual(everything);
      expect((await either?.take(5))?.map(shape)).toEqual(everything);
      const others = [
        ['ADDED', 'db', '22', v22],
        ['MODIFIED', 'db', '23', v23],
        ['DELETED', 'db', '23', v24],
      ];
      for (const watch of [db, notWeb, otherThanWeb])
        expect((await watch?.take(3))?.map(shape)).toEqual(others);
      expect(Number(end)).toBeGreaterThan(Number(v24));
      for (const watch of watches) watch.close();
    },
  );

  test('by a field selector does the same', async () => {
    const pods = target.path('pods');
    const from = versionOf(await target.done('GET', pods));
    const watch = await target.watch(
      `${pods}?watch=1&resourceVersion=${from}&fieldSelector=status.phase%3DRunning`,
    );
    await target.done('POST', pods, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    const phase = (value: string) =>
      target.done('PATCH', `${pods}/p/status`, { status: { phase: value } }, 'application/merge-patch+json');
    await phase('Running');
    const done = await phase('Succeeded');
    const [came, went] = await watch.take(2);
    expect(came).toMatchObject({ type: 'ADDED', object: { status: { phase: 'Running' } } });
    expect(went).toMatchObject({
      type: 'DELETED',
      object: { status: { phase: 'Running' }, metadata: { resourceVersion: done.metadata.resourceVersion } },
    });
    watch.close();
  });
});

test('the selector of the initial state and of what follows is one', async () => {
  const path = await emptySpace('one-selector');
  await make(path, 'a', { labels: { app: 'web' } });
  await make(path, 'b');
  const watch = await target.watch(`${path}?watch=1&labelSelector=app%3Dweb`);
  expect(brief(await watch.next())).toBe('ADDED a');
  await make(path, 'c');
  await make(path, 'd', { labels: { app: 'web' } });
  expect(brief(await watch.next())).toBe('ADDED d');
  watch.close();
});

describe('one object', () => {
  test('is watched by a selector of its name', async () => {
    const path = await emptySpace('by-name');
    await make(path, 'a');
    await make(path, 'b');
    const watch = await target.watch(`${path}?watch=1&fieldSelector=metadata.name%3Db`);
    expect(brief(await watch.next())).toBe('ADDED b');
    await write(path, 'a', '1');
    await write(path, 'b', '1');
    expect(brief(await watch.next())).toBe('MODIFIED b');
    watch.close();
  });

  test('with watch=1 on its own path is a plain GET', async () => {
    await target.configMap('plain');
    const { status, doc } = await target.get(
      target.path('configmaps/plain?watch=1&fieldSelector=metadata.name%3Db'),
    );
    expect(status).toBe(200);
    expect(doc.kind).toBe('ConfigMap');
  });
});

describe('the old paths under /watch/', () => {
  test('watch a collection, a namespace and one object', async () => {
    const path = await emptySpace('legacy');
    const namespace = path.split('/')[4] ?? '';
    await make(path, 'a', { labels: { legacy: namespace } });
    await make(path, 'b');
    const all = await target.watch(`/api/v1/watch/configmaps?labelSelector=legacy%3D${namespace}`);
    expect(brief(await all.next())).toBe('ADDED a');
    const some = await target.watch(`/api/v1/watch/namespaces/${namespace}/configmaps`);
    expect((await some.take(2)).map(brief)).toEqual(['ADDED a', 'ADDED b']);
    const one = await target.watch(`/api/v1/watch/namespaces/${namespace}/configmaps/b`);
    expect(brief(await one.next())).toBe('ADDED b');
    await write(path, 'a', '1');
    await write(path, 'b', '1');
    expect(brief(await one.next())).toBe('MODIFIED b');
    for (const watch of [all, some, one]) watch.close();
  });

  test('refuse a selector of another name', async () => {
    const { status, doc } = await target.get(
      `/api/v1/watch/namespaces/${target.namespace}/configmaps/a?fieldSelector=metadata.name%3Db`,
    );
    expect(status).toBe(400);
    expect(doc.message).toBe("fieldSelector metadata.name doesn't match requested name");
  });
});

test.each(['watch=', 'watch=true', 'watch=yes', 'watch=2', 'watch'])('%s opens a watch', async (query) => {
  const watch = await target.watch(target.path(`configmaps?${query}&resourceVersion=0`));
  expect(watch.headers['transfer-encoding']).toBe('chunked');
  watch.close();
});

test('limit and continue mean nothing to a watch from a version', async () => {
  const path = await emptySpace('limit');
  const first = await make(path, 'a');
  await make(path, 'b');
  await make(path, 'c');
  const watch = await target.watch(
    `${path}?watch=1&limit=1&continue=abc&resourceVersion=${first.metadata.resourceVersion}`,
  );
  expect((await watch.take(2)).map(brief)).toEqual(['ADDED b', 'ADDED c']);
  watch.close();
});

describe('a timeout', () => {
  test('ends the watch in good order after that many seconds', async () => {
    const path = await emptySpace('timeout');
    const watch = await target.watch(`${path}?watch=1&timeoutSeconds=2`);
    await make(path, 'a');
    expect(brief(await watch.next())).toBe('ADDED a');
    await target.pass(2000);
    expect(await watch.rest()).toEqual([]);
  });

  ownTest('does not end it a moment earlier', async () => {
    const path = await emptySpace('earlier');
    const watch = await target.watch(`${path}?watch=1&timeoutSeconds=5`);
    target.own.clock.advance(4999);
    await make(path, 'a');
    expect(brief(await watch.next())).toBe('ADDED a');
    target.own.clock.advance(1);
    expect(await watch.rest()).toEqual([]);
  });

  test('below zero ends it at once', async () => {
    const watch = await target.watch(target.path('configmaps?watch=1&timeoutSeconds=-1'));
    expect(watch.status).toBe(200);
    expect(await watch.rest()).toEqual([]);
  });

  test.each(['x', '1.5', ''])('of %j is a BadRequest', async (value) => {
    const { status, doc } = await target.get(target.path(`configmaps?watch=1&timeoutSeconds=${value}`));
    expect(status).toBe(400);
    expect(doc.message).toBe(`strconv.ParseInt: parsing "${value}": invalid syntax`);
  });

  ownTest('that is not given lies between half an hour and an hour', async () => {
    const { clock } = target.own;
    const path = await emptySpace('default-timeout');
    const watch = await target.watch(`${path}?watch=1`);
    clock.advance(1_799_000);
    await make(path, 'a');
    expect(brief(await watch.next())).toBe('ADDED a');
    clock.advance(1_801_000);
    expect(await watch.rest()).toEqual([]);
  });
});

describe('the form of frames', () => {
  const text = 'žluťoučký 🐎 <&>\nline\u2028';

  test('is one document and a newline each, with no newline within', async () => {
    const path = await emptySpace('frames');
    await make(path, 'a', {}, { k: text });
    const watch = await target.watch(`${path}?watch=1&pretty=1`, { 'User-Agent': 'curl/8.0' });
    const frame = await watch.nextFrame();
    expect(frame).toMatch(/^\{"type":"ADDED","object":\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{/);
    // Letters go out as they are; what HTML could take for markup, and line separators, are escaped.
    expect(frame).toContain('"k":"žluťoučký 🐎 \\u003c\\u0026\\u003e\\nline\\u2028"');
    expect((JSON.parse(frame) as { object: Doc }).object.data['k']).toBe(text);
    watch.close();
  });

  test('is the same for a frame of a mebibyte', async () => {
    const path = await emptySpace('large');
    const watch = await target.watch(`${path}?watch=1`);
    const large = 'ž🐎'.repeat(170_000);
    await make(path, 'a', {}, { k: large });
    await make(path, 'b');
    const [a, b] = await watch.take(2);
    expect(a?.object.data['k']).toBe(large);
    expect(b?.object.metadata.name).toBe('b');
    watch.close();
  });

  test('is metadata alone for who asks so', async () => {
    const path = await emptySpace('partial');
    await make(path, 'a', { labels: { l: '1' } }, { k: '1' });
    const watch = await target.watch(`${path}?watch=1&allowWatchBookmarks=1`, {
      Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    });
    const [added, bookmark] = await watch.take(2);
    expect(added).toMatchObject({
      type: 'ADDED',
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { labels: { l: '1' } },
      },
    });
    expect(added?.object).not.toHaveProperty('data');
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'PartialObjectMetadata' } });
    await remove(path, 'a');
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { kind: 'PartialObjectMetadata' } });
    watch.close();
  });

  test('cannot be YAML', async () => {
    const { status, headers, text } = await target.get(target.path('configmaps?watch=1'), {
      Accept: 'application/yaml',
    });
    expect(status).toBe(406);
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toMatch(/^reason: NotAcceptable$/m);
  });

  test('is not packed by gzip', async () => {
    const path = await emptySpace('unpacked');
    await make(path, 'a');
    const watch = await target.watch(`${path}?watch=1`, { 'Accept-Encoding': 'gzip' });
    expect(watch.headers).not.toHaveProperty('content-encoding');
    expect(brief(await watch.next())).toBe('ADDED a');
    watch.close();
  });
});

test('a client that goes away disturbs nobody', async () => {
  const path = await emptySpace('gone');
  const leaving = await target.watch(`${path}?watch=1`);
  const staying = await target.watch(`${path}?watch=1`);
  await make(path, 'a');
  expect(brief(await leaving.next())).toBe('ADDED a');
  leaving.close();
  await make(path, 'b');
  expect((await staying.take(2)).map(brief)).toEqual(['ADDED a', 'ADDED b']);
  staying.close();
});

test('a client that comes again at the version it last saw misses nothing and sees nothing twice', async () => {
  const path = await emptySpace('again');
  const seen: string[] = [];
  let version = String(await listVersion(path));
  for (let round = 0; round < 4; round++) {
    await make(path, `a${round}`);
    const watch = await target.watch(`${path}?watch=1&resourceVersion=${version}`);
    await make(path, `b${round}`);
    for (const event of await watch.take(2)) {
      seen.push(brief(event));
      version = event.object.metadata.resourceVersion;
    }
    watch.close();
    await make(path, `c${round}`);
    const next = await target.watch(`${path}?watch=1&resourceVersion=${version}`);
    const event = await next.next();
    seen.push(brief(event));
    version = event.object.metadata.resourceVersion;
    next.close();
  }
  expect(seen).toEqual(
    [0, 1, 2, 3].flatMap((round) => [`ADDED a${round}`, `ADDED b${round}`, `ADDED c${round}`]),
  );
});
