/** Custom resources: how they come, what they are served as, how they go. */
import { brief, type Doc, names, versionOf } from './documents.js';
import { definitionObject, ownTest, until, useTarget } from './target.js';

const target = useTarget('custom');
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = `${target.unique('custom')}.example.com`;

interface Condition {
  readonly type: string;
  readonly status: string;
}
const conditionsOf = (definition: Doc): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ((definition.status as { conditions?: readonly Condition[] }).conditions ?? []).map(
      ({ type, status }) => [type, status],
    ),
  );

let widgets = '';
let gadgets = '';
beforeAll(async () => {
  const served = await target.define({
    group,
    plural: 'widgets',
    kind: 'Widget',
    versions: ['v1', 'v1beta1'],
    statusSubresource: true,
  });
  widgets = `${served}/namespaces/${target.namespace}/widgets`;
  gadgets = `${await target.define({ group, plural: 'gadgets', kind: 'Gadget' })}/namespaces/${target.namespace}/gadgets`;
}, 60_000);

const widget = (name: string, more: object = {}): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  ...more,
});

test('a definition is accepted and established, with its names filled in', async () => {
  const definition = await target.done('GET', `${DEFINITIONS}/widgets.${group}`);
  expect(conditionsOf(definition)).toMatchObject({ NamesAccepted: 'True', Established: 'True' });
  expect(definition.status).toMatchObject({
    acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    storedVersions: ['v1'],
  });
});

ownTest('a definition is served as soon as its creation has been answered', async () => {
  await target.done('POST', DEFINITIONS, definitionObject({ group, plural: 'prompts', kind: 'Prompt' }));
  expect((await target.get(`/apis/${group}/v1/prompts`)).status).toBe(200);
});

test('an object is answered with its members in the order of their names', async () => {
  const { status, text } = await target.send('POST', widgets, {
    body: widget('sorted', { spec: { z: 1, a: 2 } }),
  });
  expect(status).toBe(201);
  expect(text).toMatch(/^\{"apiVersion":"[^"]+","kind":"Widget","metadata":\{"creationTimestamp":/);
  expect(text).toContain('"spec":{"a":2,"z":1}');
});

test('a list names the kind of each item and always has a continue', async () => {
  const { text, doc } = await target.get(widgets);
  expect(text).toMatch(/^\{"apiVersion":"[^"]+","items":\[\{"apiVersion":/);
  expect(text).toContain(',"kind":"WidgetList","metadata":{"continue":"","resourceVersion":"');
  for (const item of doc.items) expect(item).toMatchObject({ apiVersion: `${group}/v1`, kind: 'Widget' });
});

test('numbers keep what they are: whole ones beyond 2^53, the others as JavaScript writes them', async () => {
  const body = `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"numbers"},"spec":{"a":9007199254740993,"b":1.50,"c":1e21,"d":-9223372036854775808,"__proto__":{"x":1}}}`;
  const { text } = await target.send('POST', widgets, { body });
  expect(text).toContain(
    '"spec":{"__proto__":{"x":1},"a":9007199254740993,"b":1.5,"c":1e+21,"d":-9223372036854775808}',
  );
});

describe('versions', () => {
  test('show one object, with one uid and one sequence of versions', async () => {
    const made = await target.done('POST', widgets, widget('shared', { spec: { n: 1 } }));
    const beta = widgets.replace('/v1/', '/v1beta1/');
    expect(await target.done('GET', `${beta}/shared`)).toEqual({ ...made, apiVersion: `${group}/v1beta1` });
    const watch = await target.watch(`${widgets}?watch=1&resourceVersion=${made.metadata.resourceVersion}`);
    const through = await target.done(
      'PATCH',
      `${beta}/shared`,
      { spec: { n: 2 } },
      'application/merge-patch+json',
    );
    expect(through).toMatchObject({ apiVersion: `${group}/v1beta1`, spec: { n: 2 } });
    expect(await watch.next()).toEqual({
      type: 'MODIFIED',
      object: { ...through, apiVersion: `${group}/v1` },
    });
    watch.close();
  });

  test('must be that of the path', async () => {
    const { status, doc } = await target.send('POST', widgets, {
      body: { ...widget('wrong'), apiVersion: `${group}/v1beta1` },
    });
    expect(status).toBe(400);
    expect(doc.message).toBe(
      `the API version in the data (${group}/v1beta1) does not match the expected API version (${group}/v1)`,
    );
  });

  test('that are not served are a page not found', async () => {
    const { status, text } = await target.get(widgets.replace('/v1/', '/v2/'));
    expect(status).toBe(404);
    expect(text).toBe('404 page not found\n');
  });
});

test('an update needs a version', async () => {
  await target.done('POST', widgets, widget('strict'));
  const { status, doc } = await target.send('PUT', `${widgets}/strict`, { body: widget('strict') });
  expect(status).toBe(422);
  expect(doc).toMatchObject({
    reason: 'Invalid',
    message: `widgets.${group} "strict" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
    details: { name: 'strict', group, kind: 'widgets', causes: [{ field: 'metadata.resourceVersion' }] },
  });
});

describe('with a status subresource', () => {
  const put = (path: string, body: object) => target.send('PUT', path, { body });

  test('creation drops the status and starts at generation 1', async () => {
    const made = await target.done('POST', widgets, widget('s1', { spec: { n: 1 }, status: { ok: true } }));
    expect(made).not.toHaveProperty('status');
    expect(made.metadata.generation).toBe(1);
  });

  test('each path changes its own part, and only a change of spec moves the generation', async () => {
    const made = await target.done('POST', widgets, widget('s2', { spec: { n: 1 } }));
    const reported = await put(`${widgets}/s2/status`, {
      ...made,
      metadata: { ...made.metadata, labels: { l: '1' } },
      spec: { n: 99 },
      status: { ok: true },
    });
    expect(reported.status).toBe(200);
    expect(reported.doc).toMatchObject({ spec: { n: 1 }, status: { ok: true }, metadata: { generation: 1 } });
    expect(reported.doc.metadata).not.toHaveProperty('labels');
    expect(versionOf(reported.doc)).toBeGreaterThan(versionOf(made));

    const changed = await put(`${widgets}/s2`, {
      ...reported.doc,
      metadata: { ...reported.doc.metadata, generation: 77 },
      spec: { n: 2 },
      status: { ok: false },
    });
    expect(changed.doc).toMatchObject({ spec: { n: 2 }, status: { ok: true }, metadata: { generation: 2 } });

    const labelled = await put(`${widgets}/s2`, {
      ...changed.doc,
      metadata: { ...changed.doc.metadata, labels: { l: '2' } },
    });
    expect(labelled.doc.metadata.generation).toBe(2);
    expect(versionOf(labelled.doc)).toBeGreaterThan(versionOf(changed.doc));

    const stale = await put(`${widgets}/s2/status`, { ...made, status: { ok: false } });
    expect(stale.status).toBe(409);
    expect(await target.done('GET', `${widgets}/s2/status`)).toEqual(labelled.doc);
  });

  test('a patch of the status path that changes the spec alone changes nothing and sends no event', async () => {
    const made = await target.done('POST', widgets, widget('s3', { spec: { n: 1 } }));
    const watch = await target.watch(`${widgets}?watch=1&resourceVersion=${made.metadata.resourceVersion}`);
    const merge = (path: string, body: object) =>
      target.done('PATCH', path, body, 'application/merge-patch+json');
    expect(await merge(`${widgets}/s3/status`, { spec: { n: 5 } })).toEqual(made);
    const changed = await merge(`${widgets}/s3`, { spec: { n: 6 } });
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed });
    watch.close();
  });
});

describe('without a status subresource', () => {
  const gadget = { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name: 'g' }, status: { ok: true } };

  test('the status is a member like any other, and its path is not served', async () => {
    const made = await target.done('POST', gadgets, gadget);
    expect(made).toMatchObject({ status: { ok: true }, metadata: { generation: 1 } });
    const { status } = await target.send('PUT', `${gadgets}/g/status`, { body: made });
    expect(status).toBe(404);
    const changed = await target.done('PUT', `${gadgets}/g`, { ...made, status: { ok: false } });
    expect(changed).toMatchObject({ status: { ok: false }, metadata: { generation: 2 } });
  });
});

test.each([
  [
    'without a kind',
    {},
    400,
    "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{}' ({})",
  ],
  [
    'of another kind',
    { kind: 'Gadget' },
    422,
    'Gadget.GROUP "q" is invalid: kind: Invalid value: "Gadget": must be Widget',
  ],
])('a body %s is refused', async (_what, change, code, message) => {
  const body = 'kind' in change ? { ...widget('q'), ...change } : change;
  const { status, doc } = await target.send('POST', widgets, { body });
  expect(status).toBe(code);
  expect(doc.message).toBe(message.replace('GROUP', group));
});

test('a strategic merge patch is not for custom resources', async () => {
  await target.done('POST', widgets, widget('plain'));
  for (const type of ['application/strategic-merge-patch+json', 'application/json', 'text/plain']) {
    const { status, doc } = await target.send('PATCH', `${widgets}/plain`, { type, body: {} });
    expect(status).toBe(415);
    expect(doc).toMatchObject({
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    });
  }
});

test('deletion is in two phases, and counts as a generation', async () => {
  const made = await target.done('POST', widgets, {
    ...widget('held'),
    metadata: { name: 'held', finalizers: ['example.com/a'] },
  });
  const { status, doc } = await target.send('DELETE', `${widgets}/held`);
  expect(status).toBe(200);
  expect(doc.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
  const watch = await target.watch(`${widgets}?watch=1&resourceVersion=${made.metadata.resourceVersion}`);
  await target.done(
    'PATCH',
    `${widgets}/held`,
    { metadata: { finalizers: null } },
    'application/merge-patch+json',
  );
  expect((await watch.take(2)).map(brief)).toEqual(['MODIFIED held', 'DELETED held']);
  watch.close();
});

test('a Success of a deletion names the resource and its group', async () => {
  const made = await target.done('POST', widgets, widget('gone'));
  expect(await target.done('DELETE', `${widgets}/gone`)).toMatchObject({
    status: 'Success',
    details: { name: 'gone', group, kind: 'widgets', uid: made.metadata.uid },
  });
});

test('a field selector knows name and namespace', async () => {
  await target.done('POST', widgets, widget('findme'));
  expect(names(await target.done('GET', `${widgets}?fieldSelector=metadata.name%3Dfindme`))).toEqual([
    'findme',
  ]);
  const { status, doc } = await target.get(`${widgets}?fieldSelector=spec.n%3D1`);
  expect(status).toBe(400);
  expect(doc.message).toBe('field label not supported: spec.n');
});

test('HEAD is a GET without a body; an unknown method is not supported', async () => {
  await target.done('POST', widgets, widget('headed'));
  const head = await target.send('HEAD', `${widgets}/headed`);
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  const { status, doc } = await target.send('OPTIONS', `${widgets}/headed`);
  expect(status).toBe(405);
  expect(doc.message).toBe(` is not supported on resources of kind "widgets.${group}"`);
});

describe('paths', () => {
  const everywhere = (): string => widgets.replace(`/namespaces/${target.namespace}`, '');

  test('of all namespaces together are for reading', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await target.send(method, everywhere(), { body: {} });
      expect(status).toBe(404);
      expect(text).toBe('404 page not found\n');
    }
  });

  test('of a collection want a name for a change, a patch after its type', async () => {
    const nameless = { status: 400, message: 'name must be provided' };
    const answerTo = async (method: string, type: string) => {
      const { status, doc } = await target.send(method, widgets, { body: {}, type });
      return { status, message: doc.message };
    };
    expect(await answerTo('PUT', 'application/json')).toEqual(nameless);
    expect(await answerTo('PATCH', 'application/merge-patch+json')).toEqual(nameless);
    expect((await answerTo('PATCH', 'application/json')).status).toBe(415);
  });

  test('go on behind a subresource without being looked at', async () => {
    await target.done('POST', widgets, widget('longer'));
    expect((await target.get(`${widgets}/longer/status/x/y`)).status).toBe(200);
    expect((await target.get(`${widgets}/longer/nothing/x`)).status).toBe(404);
  });

  test('under /watch/ watch by any method, and change nothing', async () => {
    await target.done('POST', widgets, widget('watched'));
    const path = widgets.replace('/v1/', '/v1/watch/');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await target.send(method, `${path}/watched?timeoutSeconds=-1`);
      // A real server may get an event out before it looks at the time.
      expect(status).toBe(200);
      expect(text).not.toContain('"kind":"Status"');
    }
    expect((await target.get(`${widgets}/watched`)).status).toBe(200);
    const { status, doc } = await target.get(`${path}/watched/status`);
    expect(status).toBe(405);
    expect(doc.message).toBe(`watch is not supported on resources of kind "widgets.${group}"`);
  });
});

describe('a cluster-scoped resource', () => {
  test('lives outside namespaces', async () => {
    const served = await target.define({ group, plural: 'planets', kind: 'Planet', scope: 'Cluster' });
    const made = await target.done('POST', `${served}/planets`, {
      apiVersion: `${group}/v1`,
      kind: 'Planet',
      metadata: { name: 'p', namespace: 'default' },
    });
    expect(made.metadata).not.toHaveProperty('namespace');
    expect((await target.get(`${served}/planets/p`)).status).toBe(200);
    expect((await target.get(`${served}/namespaces/default/planets/p`)).text).toBe('404 page not found\n');
  });
});

test('a definition that is deleted takes its objects, its watches and its paths along', async () => {
  const served = await target.define({ group, plural: 'passings', kind: 'Passing' });
  const path = `${served}/namespaces/${target.namespace}/passings`;
  await target.done('POST', path, { apiVersion: `${group}/v1`, kind: 'Passing', metadata: { name: 'p' } });
  const watch = await target.watch(`${path}?watch=1`);
  expect(brief(await watch.next())).toBe('ADDED p');
  const { status, doc } = await target.send('DELETE', `${DEFINITIONS}/passings.${group}`);
  expect(status).toBe(200);
  expect(doc.kind).toBe('CustomResourceDefinition');
  expect((await watch.rest()).map(brief)).toEqual(['DELETED p']);
  await until(async () => (await target.get(path)).text === '404 page not found\n');
  await until(async () => (await target.get(`${DEFINITIONS}/passings.${group}`)).status === 404);
}, 30_000);

test('a definition whose spec changes ends the watches of its resource', async () => {
  const served = await target.define({ group, plural: 'movings', kind: 'Moving' });
  const path = `${served}/namespaces/${target.namespace}/movings`;
  await target.done('POST', path, { apiVersion: `${group}/v1`, kind: 'Moving', metadata: { name: 'm' } });
  const watch = await target.watch(`${path}?watch=1`);
  expect(brief(await watch.next())).toBe('ADDED m');
  const versions = (
    definitionObject({ group, plural: 'movings', kind: 'Moving', versions: ['v1', 'v2'] }) as Doc
  ).spec['versions'];
  await target.done(
    'PATCH',
    `${DEFINITIONS}/movings.${group}`,
    { spec: { versions } },
    'application/merge-patch+json',
  );
  expect(await watch.rest()).toEqual([]);
  await until(async () => (await target.get(path.replace('/v1/', '/v2/'))).status === 200);
  expect(names(await target.done('GET', path.replace('/v1/', '/v2/')))).toEqual(['m']);
}, 30_000);

test('a definition whose labels change ends no watch', async () => {
  const watch = await target.watch(
    `${widgets}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
  );
  await target.done(
    'PATCH',
    `${DEFINITIONS}/widgets.${group}`,
    { metadata: { labels: { l: '1' } } },
    'application/merge-patch+json',
  );
  await target.done('POST', widgets, widget('after'));
  expect(brief(await watch.next())).toBe('ADDED after');
  watch.close();
});

test('names that another definition has are not accepted', async () => {
  const name = `doubles.${group}`;
  await target.done('POST', DEFINITIONS, definitionObject({ group, plural: 'doubles', kind: 'Widget' }));
  await until(
    async () => 'NamesAccepted' in conditionsOf(await target.done('GET', `${DEFINITIONS}/${name}`)),
  );
  expect(conditionsOf(await target.done('GET', `${DEFINITIONS}/${name}`))).toMatchObject({
    NamesAccepted: 'False',
    Established: 'False',
  });
  expect((await target.get(`/apis/${group}/v1/doubles`)).text).toBe('404 page not found\n');
  await target.done('DELETE', `${DEFINITIONS}/${name}`);
});
