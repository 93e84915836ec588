/** What the server says about itself: health, version, discovery, OpenAPI. */
import { useTarget } from './target.js';

const target = useTarget('documents');

interface ResourceList {
  readonly kind: string;
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
  }[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const read = async <T>(path: string, headers?: Readonly<Record<string, string>>): Promise<T> =>
  JSON.parse((await target.get(path, headers)).text) as T; // the tests say what they expect of it

test.each(['/healthz', '/livez', '/readyz'])('%s is ok', async (path) => {
  const { status, text, headers } = await target.get(path);
  expect(status).toBe(200);
  expect(text).toBe('ok');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
});

test('/version names the Kubernetes that the API is of', async () => {
  expect(await read('/version')).toMatchObject({
    major: '1',
    minor: '36',
    gitVersion: expect.stringMatching(/^v1\.36\./) as unknown,
  });
});

test('/api names the core version', async () => {
  expect(await read('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
});

test('/apis lists the groups in the order of their priority, with their preferred versions', async () => {
  const { groups } = await read<{ groups: { name: string; preferredVersion: { groupVersion: string } }[] }>(
    '/apis',
  );
  const preferred = Object.fromEntries(
    groups.map(({ name, preferredVersion }) => [name, preferredVersion.groupVersion]),
  );
  expect(preferred).toMatchObject({
    apps: 'apps/v1',
    autoscaling: 'autoscaling/v2',
    'apiextensions.k8s.io': 'apiextensions.k8s.io/v1',
    'events.k8s.io': 'events.k8s.io/v1',
  });
});

test('/apis/<group> shows one group', async () => {
  expect(await read('/apis/autoscaling')).toMatchObject({
    kind: 'APIGroup',
    name: 'autoscaling',
    versions: [{ version: 'v2' }, { version: 'v1' }],
  });
});

test.each(['/api/v1', '/apis/apps/v1'])(
  '%s lists resources and subresources with their verbs',
  async (path) => {
    const list = await read<ResourceList>(path);
    expect(list.kind).toBe('APIResourceList');
    const [name, kind] = path === '/api/v1' ? ['configmaps', 'ConfigMap'] : ['deployments', 'Deployment'];
    expect(list.resources.find((one) => one.name === name)).toMatchObject({
      kind,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    });
  },
);

test.each(['/api', '/apis'])(
  '%s is to be had aggregated, with an ETag that saves the next answer',
  async (path) => {
    const first = await target.get(path, { Accept: AGGREGATED });
    expect(first.status).toBe(200);
    expect(first.headers['content-type']).toBe(AGGREGATED);
    const { etag } = first.headers;
    expect(etag).toMatch(/^"[0-9A-F]+"$/);
    const second = await target.get(path, { Accept: AGGREGATED, 'If-None-Match': etag ?? '' });
    expect(second.status).toBe(304);
    expect(second.text).toBe('');
  },
);

test('a custom resource appears in every document', async () => {
  const group = `${target.unique('documented')}.example.com`;
  await target.define({ group, plural: 'papers', kind: 'Paper', versions: ['v1', 'v1beta1'] });
  expect(await read(`/apis/${group}`)).toMatchObject({
    preferredVersion: { groupVersion: `${group}/v1` },
    versions: [{ version: 'v1' }, { version: 'v1beta1' }],
  });
  expect((await read<ResourceList>(`/apis/${group}/v1`)).resources).toEqual([
    expect.objectContaining({
      name: 'papers',
      singularName: 'paper',
      kind: 'Paper',
      namespaced: true,
    }) as unknown,
  ]);
  const aggregated = await read<{ items: { metadata: { name: string } }[] }>('/apis', { Accept: AGGREGATED });
  expect(aggregated.items.map(({ metadata }) => metadata.name)).toContain(group);
});

test('/openapi/v3 names a document per group version, each with a hash of its content', async () => {
  const { paths } = await read<{ paths: Record<string, { serverRelativeURL: string }> }>('/openapi/v3');
  const url = paths['apis/apps/v1']?.serverRelativeURL ?? '';
  expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/);
  const document = await read<{ openapi: string; paths: object }>(url);
  expect(document.openapi).toBe('3.0.0');
  expect(document.paths).toHaveProperty(['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']);
});

test('/openapi/v2 is one document of all', async () => {
  const document = await read<{ swagger: string; definitions: object }>('/openapi/v2');
  expect(document.swagger).toBe('2.0');
  expect(document.definitions).toHaveProperty(['io.k8s.api.core.v1.Pod']);
});

test('a group that nobody serves is a page not found, a resource of one that is served a Status', async () => {
  expect((await target.get('/apis/nobody.example.com')).text).toBe('404 page not found\n');
  expect((await target.get('/apis/apps/v1/nothings')).doc).toMatchObject({
    kind: 'Status',
    reason: 'NotFound',
  });
});
