/** Clusters that are kept in a file: a server that comes back has what was answered. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockServer, type ServerOptions, startMockServer } from '../../mockserver/index.js';

const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => join(folder, `${++files}.log`);

/** A server that lives as long as `use`. */
async function during<T>(options: ServerOptions, use: (server: MockServer) => Promise<T>): Promise<T> {
  const server = await startMockServer(options);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

interface Answer {
  readonly code: number;
  // as each test knows it: JSON of the API
  readonly body: {
    readonly metadata: {
      readonly uid: string;
      readonly name: string;
      readonly resourceVersion: string;
      readonly creationTimestamp: string;
    };
    readonly message?: string;
    readonly items?: readonly { readonly metadata: { readonly name: string } }[];
    readonly status?: { readonly token?: string };
  };
}

async function ask(server: MockServer, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { code: answer.status, body: (await answer.json()) as Answer['body'] }; // of the API
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ metadata: { name } });

const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test('objects, their uids and versions are there again, and versions go on', async () => {
  const data = newFile();
  const [kept, fresh] = await during({ data }, async (server) => {
    const a = await ask(server, 'POST', MAPS, map('a'));
    await ask(server, 'POST', MAPS, map('b'));
    await ask(server, 'DELETE', `${MAPS}/b`);
    return [a, await ask(server, 'GET', '/api/v1/namespaces/kube-system')];
  });
  await during({ data }, async (server) => {
    expect((await ask(server, 'GET', `${MAPS}/a`)).body).toEqual(kept.body);
    expect((await ask(server, 'GET', `${MAPS}/b`)).code).toBe(404);
    expect((await ask(server, 'GET', '/api/v1/namespaces/kube-system')).body).toEqual(fresh.body);
    const next = await ask(server, 'POST', MAPS, map('c'));
    expect(Number(next.body.metadata.resourceVersion)).toBeGreaterThan(
      Number(kept.body.metadata.resourceVersion) + 2,
    );
  });
});

test('custom resources are served as soon as the server listens', async () => {
  const data = newFile();
  const path = '/apis/example.com/v1/namespaces/default/widgets';
  await during({ data }, async (server) => {
    await ask(server, 'POST', DEFINITIONS, WIDGETS);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', ...map('one') };
    expect((await ask(server, 'POST', path, widget)).code).toBe(201);
  });
  await during({ data }, async (server) => {
    expect((await ask(server, 'GET', path)).body.items?.map(({ metadata }) => metadata.name)).toEqual([
      'one',
    ]);
  });
});

test('a definition whose server ended before it was established is established', async () => {
  const data = newFile();
  await during({ data }, (server) => ask(server, 'POST', DEFINITIONS, WIDGETS));
  // The create alone, without what the server wrote before it answered.
  const lines = readFileSync(data, 'utf8').split('\n');
  const created = lines.findIndex((line) =>
    line.includes('"put":"/registry/apiextensions.k8s.io/customresourcedefinitions/'),
  );
  truncateSync(data, Buffer.byteLength(`${lines.slice(0, created + 1).join('\n')}\n`));
  await during({ data }, async (server) => {
    const { body } = await ask(server, 'GET', `${DEFINITIONS}/widgets.example.com`);
    expect(JSON.stringify(body)).toContain('"Established"');
    expect((await ask(server, 'GET', '/apis/example.com/v1/widgets')).code).toBe(200);
  });
});

test('files to load are for a new cluster', async () => {
  const data = newFile();
  const file = join(folder, 'maps.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loaded}\n');
  const options = { data, load: [file] };
  await during(options, async (server) => {
    expect((await ask(server, 'DELETE', `${MAPS}/loaded`)).code).toBe(200);
  });
  await during(options, async (server) => {
    expect((await ask(server, 'GET', `${MAPS}/loaded`)).code).toBe(404);
  });
});

test('a cluster goes back to where it began this time, also when it comes back', async () => {
  const data = newFile();
  await during({ data }, (server) => ask(server, 'POST', MAPS, map('a')));
  await during({ data }, async (server) => {
    await ask(server, 'POST', MAPS, map('b'));
    server.reset();
  });
  await during({ data }, async (server) => {
    expect((await ask(server, 'GET', MAPS)).body.items?.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });
});

test('a backup that was restored is what comes back', async () => {
  const data = newFile();
  await during({ data }, async (server) => {
    await ask(server, 'POST', MAPS, map('a'));
    await ask(server, 'POST', MAPS, map('b'));
    server.control.rewind();
  });
  await during({ data }, async (server) => {
    expect((await ask(server, 'GET', MAPS)).body.items?.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });
});

test('time does not go back, and chance does not repeat itself', async () => {
  const options = { data: newFile(), seed: 1, frozenAt: '2030-01-01T00:00:00Z' };
  const before = await during(options, async (server) => {
    await server.clock.advance(60_000);
    return ask(server, 'POST', MAPS, { metadata: { generateName: 'x-' } });
  });
  expect(before.body.metadata.creationTimestamp).toBe('2030-01-01T00:01:00Z');
  const after = await during(options, (server) =>
    ask(server, 'POST', MAPS, { metadata: { generateName: 'x-' } }),
  );
  expect(after.code).toBe(201);
  expect(after.body.metadata.creationTimestamp).toBe('2030-01-01T00:01:00Z');
  expect(after.body.metadata.uid).not.toBe(before.body.metadata.uid);
});

test('tokens of service accounts stay good', async () => {
  const data = newFile();
  const account = '/api/v1/namespaces/default/serviceaccounts';
  const token = await during({ data }, async (server) => {
    await ask(server, 'POST', account, map('robot'));
    const answer = await ask(server, 'POST', `${account}/robot/token`, { spec: { audiences: [] } });
    return answer.body.status?.token ?? '';
  });
  await during({ data }, async (server) => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const { body } = await ask(server, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
    expect(body.status).toMatchObject({ authenticated: true });
  });
});

test('what cannot be read is told, and the rest is there', async () => {
  const data = newFile();
  await during({ data }, async (server) => {
    await ask(server, 'POST', MAPS, map('a'));
    await ask(server, 'POST', MAPS, map('b'));
  });
  truncateSync(data, readFileSync(data).length - 5);
  const said: string[] = [];
  await during({ data, onError: (message) => said.push(message) }, async (server) => {
    expect((await ask(server, 'GET', MAPS)).body.items?.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });
  expect(said).toEqual([expect.stringContaining('cannot be read')]);
});

test('a write that cannot be kept is answered 500, and is not there', async () => {
  const data = newFile();
  const said: string[] = [];
  await during({ data, onError: (message) => said.push(message) }, async (server) => {
    rmSync(data);
    expect((await ask(server, 'POST', MAPS, map('a'))).code).toBe(500);
    expect((await ask(server, 'GET', `${MAPS}/a`)).code).toBe(404);
  });
  expect(said).toHaveLength(1);
});

test('each cluster has a file of its own, and what begins with a snapshot is kept, too', async () => {
  const [data, other] = [newFile(), newFile()];
  await during({ data }, async (server) => {
    await ask(server, 'POST', MAPS, map('a'));
    const fork = server.createCluster({ name: 'fork', from: server.snapshot(), data: other });
    await fetch(`${fork.url}${MAPS}`, {
      method: 'POST',
      body: JSON.stringify(map('b')),
      headers: { 'content-type': 'application/json' },
    });
    expect(() => server.createCluster({ from: server.snapshot(), data })).toThrow('holds a cluster already');
  });
  const namesIn = (file: string): Promise<readonly string[] | undefined> =>
    during({ data: file }, async (server) =>
      (await ask(server, 'GET', MAPS)).body.items?.map(({ metadata }) => metadata.name),
    );
  expect(await namesIn(data)).toEqual(['a']);
  expect(await namesIn(other)).toEqual(['a', 'b']);
});
