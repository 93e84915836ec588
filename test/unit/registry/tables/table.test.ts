/** Whole tables: of lists, of single objects and of watch events. */
import { loadBuiltInApi } from '../../../../openapi/built-in-api.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { writeJson } from '../../../../mockserver/ground/json-write.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { revision } from '../../../../mockserver/ground/revision.js';
import { StatusError, badRequest } from '../../../../mockserver/ground/status.js';
import { StoredObject } from '../../../../mockserver/ground/stored-object.js';
import { builtInFormat } from '../../../../mockserver/registry/tables/built-in-format.js';
import { customFormat } from '../../../../mockserver/registry/tables/custom-format.js';
import {
  type IncludeObject,
  readIncludeObject,
} from '../../../../mockserver/registry/tables/include-object.js';
import {
  type Table,
  type TableView,
  metadataOf,
  tableOf,
  tableValue,
} from '../../../../mockserver/registry/tables/table.js';
import { type TableFormat, NO_PROSE } from '../../../../mockserver/registry/tables/table-format.js';
import { TableFrames } from '../../../../mockserver/registry/tables/table-frames.js';
import { tableFrameJson, tableJson } from '../../../../mockserver/registry/tables/table-json.js';
import { customCodec } from '../../../../mockserver/schema/custom-codec.js';
import { partialMetadataForm } from '../../../../mockserver/schema/partial-metadata.js';
import { type WatchEvent, ObjectEvent } from '../../../../mockserver/watch/watch-event.js';

const api = loadBuiltInApi();
const partialMetadata = partialMetadataForm();
const now = Date.UTC(2026, 0, 1, 0, 1, 40);
const created = '2026-01-01T00:00:00Z';
const format = (group: string, kind: string): TableFormat =>
  builtInFormat(api, { group, version: 'v1', kind }, NO_PROSE);
const view = (of: TableFormat, includeObject: IncludeObject = 'Metadata'): TableView => ({
  format: of,
  apiVersion: 'meta.k8s.io/v1',
  includeObject,
  partialMetadata,
});
const stored = (object: ApiObject, at = 7): StoredObject => new StoredObject('/k', revision(at), object);
const textOf = (table: Table): string =>
  Buffer.from([...tableJson(table)].flat().join(''), 'latin1').toString();
const request = { list: true, metadata: { resourceVersion: '9' }, now, withDefinitions: false };

const secret = stored({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 's', resourceVersion: '7', creationTimestamp: created },
  data: { a: 'eA==' },
  type: 'Opaque',
});
const opening =
  '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"columnDefinitions":null,';
const metadata = '{"name":"s","resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"}';

test.each([
  ['Metadata', `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${metadata}}`],
  [
    'Object',
    `{"kind":"Secret","apiVersion":"v1","metadata":${metadata},"data":{"a":"eA=="},"type":"Opaque"}`,
  ],
  ['None', 'null'],
] as const)('a row with includeObject=%s', (includeObject, object) => {
  const table = tableOf(view(format('', 'Secret'), includeObject), { ...request, objects: [secret] });
  expect(textOf(table)).toBe(`${opening}"rows":[{"cells":["s","Opaque",1,"100s"],"object":${object}}]}\n`);
});

test('ages follow the time, what else a row shows is kept', () => {
  const secrets = view(format('', 'Secret'), 'None');
  const at = (later: number): string =>
    textOf(tableOf(secrets, { ...request, objects: [secret], now: now + later }));
  expect(at(0)).toContain('["s","Opaque",1,"100s"]');
  expect(at(20_000)).toContain('["s","Opaque",1,"2m"]');
  expect(at(-200_000)).toContain('["s","Opaque",1,"\\u003cinvalid\\u003e"]');
});

test.each([
  [
    'Succeeded',
    '"conditions":[{"type":"Completed","status":"True","reason":"Succeeded","message":"The pod has completed successfully."}],',
  ],
  ['Running', ''],
])('the row of a pod that is %s has the conditions of its phase', (phase, conditions) => {
  const pod = stored({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, status: { phase } });
  const table = tableOf(view(format('', 'Pod'), 'None'), { ...request, objects: [pod, pod] });
  const row = `{"cells":["p","0/0","${phase}","0","\\u003cunknown\\u003e","\\u003cnone\\u003e","\\u003cnone\\u003e","\\u003cnone\\u003e","\\u003cnone\\u003e"],${conditions}"object":null}`;
  expect(textOf(table)).toBe(`${opening}"rows":[${row},${row}]}\n`);
  expect(`${writeJson(tableValue(table))}\n`).toBe(textOf(table));
});

test.each([
  ['a kind with columns of its own', format('', 'Secret'), '[]'],
  ['a kind without', format('rbac.authorization.k8s.io', 'Role'), 'null'],
  ['a custom resource', customFormat([], NO_PROSE), '[]'],
])('an empty list of %s', (_name, of, rows) => {
  const table = tableOf(view(of), { ...request, objects: [] });
  expect(textOf(table)).toBe(`${opening}"rows":${rows}}\n`);
  expect(`${writeJson(tableValue(table))}\n`).toBe(textOf(table));
});

test('columns stand in wire order, those of wide output too', () => {
  const table = tableOf(view(format('', 'PodTemplate')), { ...request, objects: [], withDefinitions: true });
  expect(writeJson((table.head['columnDefinitions'] as readonly JsonObject[])[0] ?? null)).toBe(
    '{"name":"Name","type":"string","format":"name","description":"","priority":0}',
  );
  expect(format('', 'Pod').columns.map(({ priority }) => priority)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1]);
});

test('flow schemas are listed in the order in which they are tried', () => {
  const schema = (name: string, matchingPrecedence: number): StoredObject =>
    stored({
      kind: 'FlowSchema',
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      metadata: { name },
      spec: { matchingPrecedence },
    });
  const objects = [schema('a', 200), schema('c', 10), schema('b', 10)];
  const table = tableOf(view(format('flowcontrol.apiserver.k8s.io', 'FlowSchema')), { ...request, objects });
  expect(table.rows?.map(({ object }) => object?.object.metadata['name'])).toEqual(['b', 'c', 'a']);
});

test.each([
  ['Deployment', 'deprecated.deployment.rollback.to'],
  ['DaemonSet', 'deprecated.daemonset.template.generation'],
])('metadata of a %s has no annotation that stands for a field', (kind, annotation) => {
  const object = (annotations: JsonObject): StoredObject =>
    stored({ kind, apiVersion: 'apps/v1', metadata: { name: 'd', annotations } });
  const of = view(format('apps', kind));
  expect(metadataOf(of, object({ [annotation]: '1' })).object.metadata).toEqual({ name: 'd' });
  expect(metadataOf(of, object({ [annotation]: '1', x: 'y' })).object.metadata).toEqual({
    name: 'd',
    annotations: { x: 'y' },
  });
});

test('cells and metadata are of the stored form, the object is of the version asked for', () => {
  const event = stored({
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p' },
    message: 'text',
  });
  const shown = event.form('events.k8s.io/v1', ({ metadata: meta }) => ({
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: meta,
    regarding: { kind: 'Pod', name: 'p' },
    note: 'text',
  }));
  const table = tableOf(view(format('events.k8s.io', 'Event'), 'Object'), { ...request, objects: [shown] });
  expect(table.rows?.[0]?.template.cells(now).slice(3, 7)).toEqual(['pod/p', '', '', 'text']);
  expect(table.rows?.[0]?.object?.object.apiVersion).toBe('events.k8s.io/v1');
});

test('a table of v1beta1 has metadata of v1beta1', () => {
  const of: TableView = { ...view(format('', 'Secret')), apiVersion: 'meta.k8s.io/v1beta1' };
  const table = tableOf(of, { ...request, objects: [secret] });
  expect(table.head['apiVersion']).toBe('meta.k8s.io/v1beta1');
  expect(table.rows?.[0]?.object?.object.apiVersion).toBe('meta.k8s.io/v1beta1');
});

describe('includeObject', () => {
  test.each([
    [undefined, 'Metadata'],
    ['', 'Metadata'],
    ['Metadata', 'Metadata'],
    ['Object', 'Object'],
    ['None', 'None'],
  ])('%p means %s', (text, meaning) => {
    expect(readIncludeObject(text)).toBe(meaning);
  });

  test('anything else is refused', () => {
    const refused = (): unknown => readIncludeObject('Bad"');
    expect(refused).toThrow(StatusError);
    expect(refused).toThrow(
      badRequest(
        "Unable to convert to Table as requested: includeObject: Invalid value: \"Bad\\\"\": must be 'Metadata', 'Object', 'None', or empty",
      ),
    );
  });
});

describe('frames', () => {
  const codec = customCodec({ apiVersion: 'ex.io/v1', kind: 'Widget' });
  const widget = (at: number): StoredObject =>
    stored(
      {
        apiVersion: 'ex.io/v1',
        kind: 'Widget',
        metadata: { name: 'w', resourceVersion: String(at) },
        spec: { n: at },
      },
      at,
    );
  const columns = customFormat([{ name: 'N', type: 'integer', jsonPath: '.spec.n' }], NO_PROSE);
  const framesOf = (
    of: TableFormat,
    events: readonly WatchEvent[],
    include?: IncludeObject,
  ): readonly string[] => {
    const frames = new TableFrames({
      view: view(of, include),
      codec,
      storedCodec: codec,
      present: (object) => object,
    });
    return events.map((event) => tableFrameJson(frames.next(event, now)).toString());
  };
  const events: readonly WatchEvent[] = [
    { kind: 'initial', object: widget(5) },
    { kind: 'bookmark', revision: revision(6), initialEventsEnd: true },
    new ObjectEvent('DELETED', widget(7), revision(7)),
    { kind: 'bookmark', revision: revision(8), initialEventsEnd: false },
    { kind: 'error', status: badRequest('gone').status },
  ];
  const table = (at: number, shown: string, rows: string): string =>
    `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"${at}"},"columnDefinitions":${shown},"rows":[${rows}]}`;
  const definitions =
    '[{"name":"Name","type":"string","format":"name","description":"","priority":0},{"name":"N","type":"integer","format":"","description":"Custom resource definition column (in JSONPath format): .spec.n","priority":0}]';
  const part = (meta: string): string =>
    `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${meta}}`;
  const END = part('{"resourceVersion":"6","annotations":{"k8s.io/initial-events-end":"true"}}');

  test('the first frame has the columns, bookmarks are rows without values, an error stays a Status', () => {
    expect(framesOf(columns, events)).toEqual([
      `{"type":"ADDED","object":${table(5, definitions, `{"cells":["w",5],"object":${part('{"name":"w","resourceVersion":"5"}')}}`)}}\n`,
      `{"type":"BOOKMARK","object":${table(6, 'null', `{"cells":["",null],"object":${END}}`)}}\n`,
      `{"type":"DELETED","object":${table(7, 'null', `{"cells":["w",7],"object":${part('{"name":"w","resourceVersion":"7"}')}}`)}}\n`,
      `{"type":"BOOKMARK","object":${table(8, 'null', `{"cells":["",null],"object":${part('{"resourceVersion":"8"}')}}`)}}\n`,
      '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"gone","reason":"BadRequest","code":400}}\n',
    ]);
  });

  test('without objects, the end of the initial events is still marked', () => {
    const rows = framesOf(columns, events.slice(0, 4), 'None').map(
      (frame) => /"object":(null|\{"kind":"Partial.*\}\})\}\]/.exec(frame)?.[1],
    );
    expect(rows).toEqual(['null', END, 'null', 'null']);
  });

  test('with objects, a bookmark is the empty object', () => {
    expect(framesOf(columns, events.slice(1, 2), 'Object')[0]).toContain(
      '"object":{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"resourceVersion":"6"}}',
    );
  });

  test('API services have their columns in every frame', () => {
    const services = format('apiregistration.k8s.io', 'APIService');
    expect(
      framesOf(services, events.slice(0, 4)).filter((frame) => frame.includes('"columnDefinitions":[')),
    ).toHaveLength(4);
  });
});
