/** A server's life: options, start, what is loaded, who may come in, stop. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { type MockServer, startMockServer, type ServerOptions } from '../../mockserver/index.js';
import { DEFAULT_WATCH_CACHE } from '../../mockserver/watch/watch-cache-options.js';
import { type Place, send } from './connection.js';
import { brief, type Doc, names } from './documents.js';
import { EventStream } from './event-stream.js';
import { ownTest, placeOf } from './target.js';

const running: MockServer[] = [];
let folder = '';

async function start(options: ServerOptions = {}): Promise<MockServer> {
  const server = await startMockServer(options);
  running.push(server);
  return server;
}
const placeOn = (server: MockServer, token = ''): Place => ({ url: server.url, token });
const post = (place: Place, path: string, body: unknown) => send(place, 'POST', path, { body });
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-life-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('stop', () => {
  ownTest('ends open watches in good order', async () => {
    const server = await start();
    const watches = await Promise.all(
      ['configmaps', 'pods', 'events'].map((plural) =>
        EventStream.open(placeOn(server), `/api/v1/namespaces/default/${plural}?watch=1&resourceVersion=0`),
      ),
    );
    await server.stop();
    for (const watch of watches) expect((await watch.rest()).map(brief)).toEqual([]);
  });

  ownTest('leaves no socket and no timer', async () => {
    const open = (): readonly string[] =>
      process.getActiveResourcesInfo().filter((one) => /^(TCP|Timeout)/.test(one));
    const before = open();
    const server = await start();
    const watch = await EventStream.open(placeOn(server), `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=1`);
    await server.stop();
    await watch.rest().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(open().length).toBeLessThanOrEqual(before.length);
  });

  ownTest('may be called again, also at the same time', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
  });

  ownTest('closes the port', async () => {
    const server = await start();
    const place = placeOn(server);
    await server.stop();
    await expect(send(place, 'GET', '/readyz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/);
  });

  ownTest('comes by itself at the end of a block', async () => {
    let place: Place;
    {
      await using server = await startMockServer();
      place = placeOn(server);
      expect((await send(place, 'GET', '/readyz')).status).toBe(200);
    }
    await expect(send(place, 'GET', '/readyz')).rejects.toThrow();
  });
});

describe('start', () => {
  ownTest('refuses a port that is taken', async () => {
    const { port } = await start();
    await expect(startMockServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  ownTest.each([
    ['compactionIntervalMs', { compactionIntervalMs: -1 }],
    ['progressIntervalMs', { progressIntervalMs: 0 }],
    ['minRequestTimeoutMs', { minRequestTimeoutMs: 0 }],
    [
      'watchCache.window.maxCapacity',
      {
        watchCache: {
          ...DEFAULT_WATCH_CACHE,
          window: { ...DEFAULT_WATCH_CACHE.window, minCapacity: 9, maxCapacity: 3 },
        },
      },
    ],
  ])('refuses %s out of its bounds, by name', async (name, cluster) => {
    await expect(startMockServer({ cluster })).rejects.toThrow(RangeError);
    await expect(startMockServer({ cluster })).rejects.toThrow(name);
  });

  ownTest('gives a server of its own: nothing is shared between two', async () => {
    const [one, two] = [placeOn(await start()), placeOn(await start())];
    expect((await post(one, CONFIG_MAPS, { metadata: { name: 'mine' } })).status).toBe(201);
    expect((await send(two, 'GET', `${CONFIG_MAPS}/mine`)).status).toBe(404);
  });
});

describe('load', () => {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  ownTest('creates the objects of files and folders, in whatever order they stand', async () => {
    mkdirSync(join(folder, 'inner'));
    write(
      'a.yaml',
      `# Stands before what it needs.
apiVersion: example.com/v1
kind: Widget
metadata: { name: w, namespace: team }
spec: { size: 1 }
---
apiVersion: v1
kind: Namespace
metadata: { name: team }
---
`,
    );
    write(
      'inner/definition.yaml',
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`,
    );
    write(
      'inner/list.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: ['x', 'y'].map((name) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, resourceVersion: '7' },
        })),
      }),
    );
    write('notes.txt', 'not to be read');
    const place = placeOn(await start({ load: [folder] }));
    expect((await send(place, 'GET', '/apis/example.com/v1/namespaces/team/widgets/w')).doc.spec).toEqual({
      size: 1,
    });
    expect(names((await send(place, 'GET', CONFIG_MAPS)).doc)).toEqual(expect.arrayContaining(['x', 'y']));
  });

  ownTest.each([
    ['broken YAML', 'a: [', /bad\.yaml/],
    [
      'a document that is no object',
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n---\n- 1\n',
      /bad\.yaml:\d+: not an object/,
    ],
    [
      'an unknown kind',
      'apiVersion: v1\nkind: Nothing\nmetadata: {name: a}\n',
      /bad\.yaml:1: no resource for kind "Nothing" in "v1"/,
    ],
    [
      'an object that is refused',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: BAD}\n',
      /bad\.yaml:1: ConfigMap "BAD" is invalid: metadata\.name/,
    ],
  ])('names file and line of %s', async (_what, text, message) => {
    const path = write('bad.yaml', text);
    await expect(startMockServer({ load: [path] })).rejects.toThrow(message);
  });

  ownTest('fails on a file that is not there', async () => {
    await expect(startMockServer({ load: [join(folder, 'absent.yaml')] })).rejects.toThrow(/ENOENT/);
  });
});

describe('a token file', () => {
  const tokens = 'secret,alice,1,"team-a,team-b"\nother,bob,2\n';

  ownTest('lets its tokens in and answers 401 to all others', async () => {
    const server = await start({ tokens });
    for (const token of ['secret', 'other']) {
      expect((await send(placeOn(server, token), 'GET', '/api/v1/namespaces')).status).toBe(200);
    }
    for (const token of ['', 'wrong', 'secret2']) {
      const { status, doc } = await send(placeOn(server, token), 'GET', '/api/v1/namespaces');
      expect(status).toBe(401);
      expect(doc).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    }
  });

  ownTest('that is broken is refused by line', async () => {
    await expect(startMockServer({ tokens: 'a,b,c\nonly-one\n' })).rejects.toThrow(/line 2/);
  });

  ownTest('gives its first token to the kubeconfig', async () => {
    const server = await start({ tokens });
    expect(placeOf(server.kubeconfig)).toEqual({ url: server.url, token: 'secret' });
  });
});

describe('the kubeconfig', () => {
  ownTest('leads to the server', async () => {
    const server = await start();
    const { status } = await send(placeOf(server.kubeconfig), 'GET', '/api');
    expect(status).toBe(200);
  });

  ownTest('is written where it is asked for, for its owner alone', async () => {
    const path = join(folder, 'deep', 'kubeconfig');
    const server = await start({ kubeconfigPath: path });
    expect(readFileSync(path, 'utf8')).toBe(server.kubeconfig);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('the express app', () => {
  ownTest('serves the same API without a port of its own', async () => {
    const server = await start();
    const app = await server.app();
    const made = await supertest(app)
      .post(CONFIG_MAPS)
      .send({ metadata: { name: 'by-app' } });
    expect(made.status).toBe(201);
    const stored = (await send(placeOn(server), 'GET', `${CONFIG_MAPS}/by-app`)).doc;
    expect(stored).toEqual(made.body);
    const missing = await supertest(app).get(`${CONFIG_MAPS}/missing`);
    expect(missing.status).toBe(404);
    expect((missing.body as Doc).reason).toBe('NotFound');
  });
});
