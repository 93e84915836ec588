import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../mockserver/ground/json.js';
import { type CustomResource, customResourceOf } from '../../../mockserver/registry/custom-resource.js';
import { type DocumentAnswer } from '../../../mockserver/registry/document-answer.js';
import { BuiltInOpenApiDocuments } from '../../../mockserver/registry/openapi-built-in-documents.js';
import { customSchemas } from '../../../mockserver/registry/openapi-custom-schema.js';
import { OpenApiDocuments } from '../../../mockserver/registry/openapi-documents.js';
import { openApiProtobuf } from '../../../mockserver/registry/openapi-v2-protobuf.js';
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));

const sums = read('fixtures/recorded/openapi-sha256.json') as { v2: string; v3: Record<string, string> };
const recorded = read('fixtures/recorded/openapi-custom-resources.json') as {
  definitions: JsonObject[];
  schemas: Record<string, Record<string, JsonObject>>;
  documentSha256: Record<string, string>;
  v2: { definitions: Record<string, JsonObject>; pathsSha256: string };
};
const customResources = recorded.definitions.map(customResourceOf);

const api = loadBuiltInApi();
const start = Date.UTC(2026, 10, 29, 18, 9, 52);
const builtIn = new BuiltInOpenApiDocuments({ api, clock: new VirtualClock(start) });

function documents(resources: readonly CustomResource[] = [], clock = new VirtualClock(start)) {
  const made = new OpenApiDocuments({ builtIn, clock });
  made.setCustomResources(resources);
  return made;
}

function ask(
  of: OpenApiDocuments,
  path: string,
  headers: Record<string, string> = {},
  method?: string,
): DocumentAnswer {
  const url = new URL(path, 'http://x');
  const answer = of.answer(url.pathname, url.searchParams, headers, method);
  if (answer === undefined) throw new Error(`${path} is no OpenAPI path`);
  return answer;
}

function body(answer: DocumentAnswer): JsonObject {
  if (typeof answer.body !== 'string') throw new Error('not a text');
  return JSON.parse(answer.body) as JsonObject;
}

/** The value without the descriptions of schemas, operations, parameters and responses. */
function undescribed(value: JsonValue, names = false): JsonValue {
  if (isJsonArray(value)) return value.map((one) => undescribed(one));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => names || key !== 'description' || typeof one !== 'string')
      .map(([key, one]) => [
        key,
        undescribed(one, !names && ['properties', 'definitions', 'schemas'].includes(key)),
      ]),
  );
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

const sum = (value: JsonValue): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(undescribed(value))))
    .digest('hex');

describe('the built-in documents', () => {
  test('the index names the documents of a real server', () => {
    const { paths } = body(ask(documents(), '/openapi/v3'));
    expect(Object.keys(paths as JsonObject)).toEqual(Object.keys(sums.v3));
  });

  test.each(Object.keys(sums.v3))('%s is the served one, descriptions aside', (name) => {
    expect(sum(body(ask(documents(), `/openapi/v3/${name}`)))).toBe(sums.v3[name]);
  });

  test('version 2 is the served one, descriptions aside', () => {
    expect(sum(body(ask(documents(), '/openapi/v2')))).toBe(sums.v2);
  });
});

describe('custom resources', () => {
  const of = documents(customResources);

  test.each(Object.keys(recorded.documentSha256))(
    '%s is the served one, descriptions aside',
    (groupVersion) => {
      const document = body(ask(of, `/openapi/v3/apis/${groupVersion}`));
      const { schemas } = document['components'] as { schemas: JsonObject };
      for (const [name, schema] of Object.entries(recorded.schemas[groupVersion] ?? {})) {
        // Text by text: members stand where a real server writes them.
        expect(JSON.stringify(undescribed(schemas[name] ?? null))).toBe(JSON.stringify(undescribed(schema)));
      }
      expect(sum(document)).toBe(recorded.documentSha256[groupVersion]);
    },
  );

  test('version 2 joins their paths and simplified schemas with the built-in ones', () => {
    const document = body(ask(of, '/openapi/v2'));
    const definitions = document['definitions'] as JsonObject;
    const mine = Object.fromEntries(
      Object.keys(recorded.v2.definitions).map((name) => [name, definitions[name] ?? null]),
    );
    expect(undescribed(mine, true)).toEqual(undescribed(recorded.v2.definitions, true));
    const paths = Object.entries(document['paths'] as JsonObject).filter(([path]) =>
      path.includes('openapi.'),
    );
    expect(sum(Object.fromEntries(paths))).toBe(recorded.v2.pathsSha256);
  });

  test('a description of the definition is shown', () => {
    const { schemas } = body(ask(of, '/openapi/v3/apis/openapi.example.com/v1'))['components'] as {
      schemas: Record<string, JsonObject>;
    };
    expect(schemas['com.example.openapi.v1.OWidget']?.['description']).toBe('A Widget.');
  });

  test('what is not established or not served has no document', () => {
    const [first] = customResources;
    if (first === undefined) throw new Error('no resource');
    const pending = documents([{ ...first, established: false }]);
    expect(ask(pending, `/openapi/v3/apis/${first.group}/v1`).code).toBe(404);
    expect(ask(of, '/openapi/v3/apis/openapi.example.com/v0').code).toBe(404);
  });

  test('a change remakes what it concerns, and other documents keep their time', () => {
    const clock = new VirtualClock(start);
    const changing = documents(customResources, clock);
    const paths = ['/openapi/v3/apis/openapi.example.com/v1', '/openapi/v3/apis/aopenapi.zzz.com/v1'];
    const tags = () => paths.map((path) => ask(changing, path).headers['ETag']);
    const times = () => paths.map((path) => ask(changing, path).headers['Last-Modified']);
    const [tagsBefore, indexBefore] = [tags(), ask(changing, '/openapi/v3').body];
    clock.advance(60_000);
    changing.setCustomResources(
      customResources.map((one) => (one.names.kind === 'OGadget' ? { ...one, namespaced: true } : one)),
    );
    expect(tags()[0]).not.toBe(tagsBefore[0]);
    expect(tags()[1]).toBe(tagsBefore[1]);
    expect(times()).toEqual(['Sun, 29 Nov 2026 18:10:52 GMT', 'Sun, 29 Nov 2026 18:09:52 GMT']);
    expect(ask(changing, '/openapi/v3').body).not.toBe(indexBefore);
  });

  test('members that clients name like those of every object are kept as they are', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"integer"}}}',
    ) as JsonObject;
    const resource: CustomResource = {
      group: 'ex.io',
      namespaced: true,
      names: {
        plural: 'toys',
        singular: 'toy',
        kind: 'Toy',
        listKind: 'ToyList',
        shortNames: [],
        categories: [],
      },
      accepted: {
        plural: 'toys',
        singular: 'toy',
        kind: 'Toy',
        listKind: 'ToyList',
        shortNames: [],
        categories: [],
      },
      versions: [],
      established: true,
      terminating: false,
    };
    const version = { name: 'v1', served: true, storage: true, hasStatus: false, hasScale: false };
    const made = customSchemas(resource, { ...version, schema, selectableFields: [] }, 'v3');
    const properties = made['io.ex.v1.Toy']?.['properties'];
    expect(Object.keys(properties as JsonObject)).toEqual([
      '__proto__',
      'apiVersion',
      'kind',
      'metadata',
      'toString',
    ]);
  });
});

describe('tags and caches', () => {
  const path = '/openapi/v3/apis/batch/v1';
  const of = documents();
  const plain = ask(of, path);
  const tag = [plain.headers['ETag'] ?? ''].flat()[0] ?? '';
  const hash = tag.slice(1, -1);

  test('a document carries its tag, its time and no lasting cache', () => {
    expect(plain.contentType).toBe('application/json');
    expect(plain.headers).toEqual({
      ETag: tag,
      Vary: 'Accept',
      'Last-Modified': 'Sun, 29 Nov 2026 18:09:52 GMT',
      'Accept-Ranges': 'bytes',
    });
    expect(hash).toBe(
      createHash('sha512')
        .update(plain.body as string)
        .digest('hex')
        .toUpperCase(),
    );
  });

  test('the index leads to the document by its hash, and is no tagged document itself', () => {
    const answer = ask(of, '/openapi/v3', { accept: 'text/html' });
    expect(answer.contentType).toBe('text/plain; charset=utf-8');
    expect(Object.keys(answer.headers).sort()).toEqual(['Accept-Ranges', 'Last-Modified']);
    const { paths } = body(answer) as { paths: Record<string, JsonObject> };
    expect(paths['apis/batch/v1']).toEqual({ serverRelativeURL: `${path}?hash=${hash}` });
  });

  test('the right hash may be kept for a year', () => {
    expect(ask(of, `${path}?hash=${hash}`).headers).toMatchObject({
      'Cache-Control': 'public, immutable',
      Expires: 'Mon, 29 Nov 2027 18:09:52 UTC',
    });
  });

  test('a wrong hash leads to the right one, whatever the method', () => {
    for (const method of ['GET', 'POST']) {
      expect(ask(of, `${path}?hash=BAD`, {}, method)).toEqual({
        code: 301,
        contentType: 'application/json',
        headers: { ETag: tag, Vary: 'Accept', Location: `${path}?hash=${hash}` },
        body: '',
      });
    }
  });

  test.each([
    ['its tag', { 'if-none-match': tag }, 304],
    ['its tag as a weak one', { 'if-none-match': `W/${tag}` }, 304],
    ['a list with its tag', { 'if-none-match': `"a", ${tag}` }, 304],
    ['any tag', { 'if-none-match': '*' }, 304],
    ['another tag', { 'if-none-match': '"a"' }, 200],
    [
      'another tag, though not changed since',
      { 'if-none-match': '"a"', 'if-modified-since': 'Sun, 29 Nov 2099 00:00:00 GMT' },
      200,
    ],
    ['a later time', { 'if-modified-since': 'Sun, 29 Nov 2026 18:09:53 GMT' }, 304],
    ['its very time', { 'if-modified-since': 'Sun, 29 Nov 2026 18:09:52 GMT' }, 304],
    ['an earlier time', { 'if-modified-since': 'Sun, 29 Nov 2026 18:09:51 GMT' }, 200],
    ['a time that is none', { 'if-modified-since': 'yesterday' }, 200],
    ['another tag that must match', { 'if-match': '"a"' }, 412],
    ['its tag that must match', { 'if-match': tag }, 200],
    ['a weak tag that must match', { 'if-match': `W/${tag}` }, 412],
  ])('a client that has %s gets %#', (_name, headers, code) => {
    expect(ask(of, path, headers).code).toBe(code);
  });

  test('304 has no type and no time, only the tag', () => {
    expect(ask(of, path, { 'if-none-match': tag })).toEqual({
      code: 304,
      headers: { ETag: tag, Vary: 'Accept' },
      body: '',
    });
    expect(Object.keys(ask(of, '/openapi/v3', { 'if-none-match': '*' }).headers)).toEqual(['Last-Modified']);
  });

  test('a method that writes fails where a reader has the document', () => {
    expect(ask(of, path, { 'if-none-match': '*' }, 'POST').code).toBe(412);
    expect(ask(of, path, { 'if-none-match': '*' }, 'HEAD').code).toBe(304);
  });
});

describe('types', () => {
  const of = documents();
  const path = '/openapi/v3/apis/batch';
  const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
  test.each([
    ['anything', '*/*', 200],
    ['any application type', 'text/html, application/*;q=0.1', 200],
    ['protobuf or else JSON', `${PROTOBUF},application/json`, 200],
    ['protobuf only', PROTOBUF, 200],
    ['protobuf of version 2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', 406],
    ['html', 'text/html', 406],
  ])('who accepts %s is answered accordingly', (_name, accept, code) => {
    const answer = ask(of, path, { accept });
    expect(answer.code).toBe(code);
    expect(answer.headers['Vary']).toBe('Accept');
    if (code === 406) expect(answer.body).toBe('');
  });

  test.each([PROTOBUF, 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'])(
    'who accepts %s gets the document in gnostic messages, under the tag of its text',
    (accept) => {
      const answer = ask(of, path, { accept });
      expect(answer.contentType).toBe(PROTOBUF);
      expect(answer.headers['ETag']).toBe(ask(of, path, {}).headers['ETag']);
      // openapi: "3.0.0"
      expect(Buffer.isBuffer(answer.body) && answer.body.subarray(0, 7).toString('latin1')).toBe(
        '\n\u00053.0.0',
      );
    },
  );

  test('version 2 varies by encoding too, may be compressed and has a protobuf form with the same tag', () => {
    expect(ask(of, '/openapi/v2', { accept: '*/*' })).toMatchObject({
      code: 200,
      contentType: 'application/json',
      headers: { Vary: ['Accept-Encoding', 'Accept'] },
      gzip: true,
    });
    const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    for (const accept of [protobuf, protobuf.replace('v2.', 'v2@')]) {
      const answer = ask(of, '/openapi/v2', { accept: `${accept}, application/json;q=0.9` });
      expect(answer).toMatchObject({ code: 200, contentType: protobuf, gzip: true });
      expect(answer.headers['ETag']).toBe(ask(of, '/openapi/v2').headers['ETag']);
      expect(answer.body).toEqual(openApiProtobuf(body(ask(of, '/openapi/v2'))));
    }
    expect(ask(of, '/openapi/v2', { accept: 'text/html' })).toEqual({
      code: 406,
      headers: { Vary: ['Accept-Encoding', 'Accept'] },
      body: '',
    });
  });

  test.each([
    '/openapi/v3/',
    '/openapi/v3/apis/none/v1',
    '/openapi/v3/apis/batch/v1/',
    '/openapi/v3/toString',
  ])('%s is not found, without a body, whatever is accepted', (missing) => {
    expect(ask(of, missing, { accept: 'text/html' })).toEqual({ code: 404, headers: {}, body: '' });
  });

  test.each(['/openapi', '/openapi/', '/openapi/v2/', '/openapi/v1', '/openapi/v2/x'])(
    '%s is no path of theirs',
    (missing) => {
      expect(of.answer(missing, new URLSearchParams(), {})).toBeUndefined();
    },
  );
});
