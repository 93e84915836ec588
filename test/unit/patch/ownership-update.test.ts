import * as fc from 'fast-check';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  stringMember,
  isJsonObject,
} from '../../../mockserver/ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../../../mockserver/ground/object.js';
import { exceptFields } from '../../../mockserver/patch/field-filter.js';
import { encodeFields } from '../../../mockserver/patch/fields-v1.js';
import { setOfPaths } from '../../../mockserver/patch/field-set.js';
import { ManagedFields, resetsOwners } from '../../../mockserver/patch/managed-fields.js';
import { FieldSetTable } from '../../../mockserver/patch/fields-v1.js';
import { type Ownership, createOwnership, withOldTimes } from '../../../mockserver/patch/ownership.js';
import { type OwnershipScope } from '../../../mockserver/patch/ownership-scope.js';
import { fieldElement, keyElement } from '../../../mockserver/patch/path-element.js';
import { writerName } from '../../../mockserver/patch/writer-name.js';
import { TREE, configMaps, object, scopeOf } from './ownership-scopes.js';

const SECOND = 1000;
const timeAt = (second: number): string => `1970-01-01T00:00:${String(second).padStart(2, '0')}Z`;

/** Writes one object after another, as the main resource's verbs do. */
class Story {
  readonly ownership: Ownership;
  readonly scope: OwnershipScope;
  live: ApiObject;

  constructor(
    scope: OwnershipScope,
    content: JsonObject,
    writer: string,
    second = 0,
    ownership = createOwnership(),
  ) {
    this.ownership = ownership;
    this.scope = scope;
    this.live = object(scope);
    this.#write(object(scope, content), writer, second, true, false);
  }

  /** The object with other content; `managedFields` as the body has them, or those of the live object. */
  put(
    content: JsonObject,
    writer: string,
    second: number,
    managedFields?: JsonArray,
    scope = this.scope,
  ): this {
    const metadata: JsonObject = isJsonObject(content['metadata']) ? content['metadata'] : {};
    const sent = managedFields ?? this.live.metadata['managedFields'];
    const next = object(scope, {
      ...content,
      metadata: { ...metadata, ...(sent === undefined ? {} : { managedFields: sent }) },
    });
    this.#write(
      next,
      writer,
      second,
      false,
      managedFields !== undefined && resetsOwners({ managedFields }, scope.order),
      scope,
    );
    return this;
  }

  #write(
    next: ApiObject,
    writer: string,
    second: number,
    creating: boolean,
    resets: boolean,
    scope = this.scope,
  ): void {
    const list = this.ownership.track(scope, {
      live: this.live,
      next,
      creating,
      resets,
      writer,
      now: second * SECOND,
    });
    this.live = withMetadata(next, editMetadata(next.metadata, { managedFields: list }));
  }

  get list(): JsonValue | undefined {
    return this.live.metadata['managedFields'];
  }

  /** `writer operation time fieldsV1` per entry. */
  get owners(): string[] {
    return (isJsonArray(this.list) ? this.list : []).map((entry) => {
      if (!isJsonObject(entry)) throw new Error('an entry is an object');
      const at = stringMember(entry, 'time')?.slice(17, 19) ?? '-';
      const where = stringMember(entry, 'subresource');
      return `${stringMember(entry, 'manager') ?? ''}${where === undefined ? '' : `/${where}`} ${at} ${JSON.stringify(entry['fieldsV1'])}`;
    });
  }
}

const ONE_KEY = '{"f:data":{".":{},"f:a":{}}}';

describe('who owns what after updates', () => {
  test('the creator owns all that it sent, and what leads there', () => {
    const story = new Story(
      configMaps,
      { metadata: { name: 'x', uid: 'u', labels: { l: '1' } }, data: { a: '1' } },
      'c',
    );
    expect(story.owners).toEqual([
      'c 00 {"f:data":{".":{},"f:a":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}',
    ]);
  });

  test('a writer takes what it changes; what it removes is nobody’s', () => {
    const story = new Story(configMaps, { data: { a: '1', b: '1', c: '1' } }, 'c');
    story.put({ data: { a: '2', b: '1', d: '1' } }, 'w', 5);
    expect(story.owners).toEqual([
      'c 00 {"f:data":{".":{},"f:b":{}}}',
      'w 05 {"f:data":{"f:a":{},"f:d":{}}}',
    ]);
  });

  test('an update that changes nothing leaves the list as it is', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c');
    const before = story.list;
    story.put({ data: { a: '1' } }, 'w', 5);
    expect(story.list).toBe(before);
    story.put({ data: { a: '1' } }, 'w', 6, JSON.parse(JSON.stringify(before)) as JsonArray);
    expect(story.list).toBe(before);
  });

  test('who writes again has one entry, with the time of the last change', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c').put({ data: { a: '1', b: '1' } }, 'c', 7);
    expect(story.owners).toEqual(['c 07 {"f:data":{".":{},"f:a":{},"f:b":{}}}']);
  });

  test('objects of one shape share what is said of them', () => {
    const first = new Story(configMaps, { data: { a: '1' } }, 'c');
    const second = new Story(configMaps, { data: { a: '2' } }, 'd', 1, first.ownership);
    const fieldsOf = ({ list }: Story): JsonValue | undefined =>
      isJsonArray(list) && isJsonObject(list[0]) ? list[0]['fieldsV1'] : undefined;
    expect(fieldsOf(first)).toBeDefined();
    expect(fieldsOf(second)).toBe(fieldsOf(first));
  });

  test('who owns nothing any more has no entry', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c').put({ immutable: true }, 'w', 1);
    expect(story.owners).toEqual(['w 01 {"f:immutable":{}}']);
  });

  test('entries stand by time, then by name', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'z', 3);
    story.put({ data: { a: '1', b: '1' } }, 'y', 4).put({ data: { a: '1', b: '1', c: '1' } }, 'x', 4);
    expect(story.owners.map((one) => one.slice(0, 4))).toEqual(['z 03', 'x 04', 'y 04']);
  });

  test('a writer without a name is unknown', () => {
    expect(new Story(configMaps, { data: { a: '1' } }, '').owners).toEqual([`unknown 00 ${ONE_KEY}`]);
  });

  test('a subresource has entries of its own and takes no notice of what it ignores', () => {
    const status = scopeOf({
      apiVersion: 'ex.io/v1',
      kind: 'W',
      custom: true,
      schema: TREE.custom(undefined),
      subresource: 'status',
      ignored: ['metadata', 'spec'],
    });
    const main = { ...status, subresource: '', filterOf: () => exceptFields(['status']) };
    const story = new Story(main, { spec: { a: 1 }, status: { x: 1 } }, 'c');
    expect(story.owners).toEqual(['c 00 {"f:spec":{".":{},"f:a":{}}}']);
    story.put({ spec: { a: 2 }, status: { x: 2 } }, 'c', 1, undefined, status);
    expect(story.owners).toEqual([
      'c 00 {"f:spec":{".":{},"f:a":{}}}',
      'c/status 01 {"f:status":{"f:x":{}}}',
    ]);
  });

  test('a list whose items share a key is owned by that key alone', () => {
    const lists = scopeOf({
      apiVersion: 'ex.io/v1',
      kind: 'W',
      custom: true,
      schema: TREE.custom({
        type: 'object',
        properties: {
          l: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['n'],
            items: { type: 'object', properties: { n: { type: 'string' }, v: { type: 'string' } } },
          },
        },
      }),
    });
    const two = [
      { n: 'a', v: '1' },
      { n: 'a', v: '2' },
    ];
    const story = new Story(lists, { l: two }, 'c');
    expect(story.owners).toEqual(['c 00 {"f:l":{".":{},"k:{\\"n\\":\\"a\\"}":{}}}']);
    story.put({ l: [{ n: 'a', v: '1' }] }, 'w', 1);
    expect(story.owners).toEqual([
      'c 00 {"f:l":{}}',
      'w 01 {"f:l":{"k:{\\"n\\":\\"a\\"}":{".":{},"f:n":{},"f:v":{}}}}',
    ]);
    story.put({ l: two }, 'v', 2);
    expect(story.owners).toEqual(['c 00 {"f:l":{}}', 'v 02 {"f:l":{"k:{\\"n\\":\\"a\\"}":{}}}']);
  });

  test('an object that does not fit its schema has no owners', () => {
    const strict = scopeOf({
      apiVersion: 'ex.io/v1',
      kind: 'W',
      custom: true,
      schema: TREE.custom({
        type: 'object',
        properties: { s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
      }),
    });
    expect(new Story(strict, { s: ['a', null] }, 'c').owners).toEqual([]);
    const story = new Story(strict, { s: ['a'] }, 'c');
    story.put({ s: 'a text' }, 'w', 1);
    expect(story.owners).toEqual([]);
  });

  test('the eleventh updater puts the two oldest together', () => {
    const upTo = (last: number): JsonObject => ({
      data: Object.fromEntries(Array.from({ length: last + 1 }, (_, i) => [`k${i.toString(36)}`, '1'])),
    });
    const story = new Story(configMaps, upTo(0), 'w0', 0);
    for (let i = 1; i <= 9; i++) story.put(upTo(i), `w${i}`, i);
    expect(story.owners).toHaveLength(10);
    story.put(upTo(10), 'wa', 10);
    expect(story.owners).toHaveLength(10);
    expect(story.owners[0]).toBe('ancient-changes 01 {"f:data":{".":{},"f:k0":{},"f:k1":{}}}');
    story.put(upTo(11), 'wb', 11);
    expect(story.owners).toHaveLength(10);
    expect(story.owners[0]).toBe('ancient-changes 02 {"f:data":{".":{},"f:k0":{},"f:k1":{},"f:k2":{}}}');
  });

  test('the owner of a leaf is never lost: all leaves have exactly one updater', () => {
    const value = fc.constantFrom('1', '2');
    const content = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { minKeys: 1 });
    const write = fc.tuple(content, fc.constantFrom('u', 'v', 'w'));
    fc.assert(
      fc.property(content, fc.array(write, { maxLength: 14 }), (first, writes) => {
        const story = new Story(configMaps, { data: first }, 'u');
        for (const [i, [data, writer]] of writes.entries()) story.put({ data }, writer, i);
        const last = writes.at(-1)?.[0] ?? first;
        const owned = story.owners.flatMap((one) =>
          [...one.matchAll(/"f:([a-d])"/g)].map((match) => match[1] ?? ''),
        );
        expect(owned.sort()).toEqual(Object.keys(last).sort());
      }),
    );
  });
});

describe('managedFields in a body', () => {
  const entry = (fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({
    manager: 'old',
    operation: 'Update',
    apiVersion: 'v1',
    time: timeAt(1),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  });

  test('replace those of the object when they are valid', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c').put({ data: { a: '1' } }, 'w', 5, [
      entry({ 'f:data': { 'f:a': {} } }),
    ]);
    expect(story.owners).toEqual(['old 01 {"f:data":{"f:a":{}}}']);
  });

  test.each<[string, JsonArray]>([
    ['no operation', [entry({}, { operation: 'Bogus' })]],
    ['no version', [entry({}, { apiVersion: '' })]],
    ['no fieldsType', [entry({}, { fieldsType: '' })]],
    ['an unknown fieldsType', [entry({}, { fieldsType: 'FieldsV2' })]],
    ['fieldsV1 that is none', [entry({ x: {} })]],
  ])('are ignored with %s', (_, sent) => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c').put({ data: { a: '1' } }, 'w', 5, sent);
    expect(story.owners).toEqual([`c 00 ${ONE_KEY}`]);
  });

  test.each<[string, JsonArray, 'typed' | 'sorted', boolean]>([
    ['no entry, of a built-in kind', [], 'typed', true],
    ['no entry, of a custom resource', [], 'sorted', false],
    ['an entry that says nothing', [{}], 'sorted', true],
    ['an entry of empty texts', [{ manager: '', operation: '' }], 'typed', true],
    ['an entry that names somebody', [{ manager: 'm' }], 'typed', false],
    ['two entries that say nothing', [{}, {}], 'typed', false],
  ])('with %s', (_, managedFields, order, expected) => {
    expect(resetsOwners({ managedFields }, order)).toBe(expected);
  });

  test('that reset leave the object untracked from then on', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c').put({ data: { a: '2' } }, 'w', 5, []);
    expect(story.list).toBeUndefined();
    story.put({ data: { a: '3' } }, 'w', 6);
    expect(story.list).toBeUndefined();
  });

  test('by a version that is gone are left out', () => {
    const story = new Story(configMaps, { data: { a: '1' } }, 'c').put({ data: { a: '1' } }, 'w', 5, [
      entry({ 'f:data': { 'f:a': {} } }),
      entry({ 'f:data': { 'f:a': {} } }, { apiVersion: 'v0' }),
    ]);
    expect(story.owners).toEqual(['old 01 {"f:data":{"f:a":{}}}']);
  });

  test('of what has become one thing since are owned as one', () => {
    const schema = (type: 'granular' | 'atomic'): OwnershipScope =>
      scopeOf({
        apiVersion: 'ex.io/v1',
        kind: 'W',
        custom: true,
        schema: TREE.custom({
          type: 'object',
          properties: {
            o: { type: 'object', 'x-kubernetes-map-type': type, additionalProperties: { type: 'string' } },
          },
        }),
      });
    const story = new Story(schema('granular'), { o: { a: '1', b: '1' } }, 'c');
    expect(story.owners).toEqual(['c 00 {"f:o":{".":{},"f:a":{},"f:b":{}}}']);
    story.put(
      { o: { a: '1', b: '1' }, metadata: { labels: { l: '1' } } },
      'w',
      1,
      undefined,
      schema('atomic'),
    );
    expect(story.owners).toEqual(['c 00 {"f:o":{}}', 'w 01 {"f:metadata":{"f:labels":{".":{},"f:l":{}}}}']);
  });
});

describe('times', () => {
  test('go back when nothing but times is new', () => {
    const fields = new ManagedFields(new FieldSetTable());
    const list = (time: string): JsonArray => {
      const reading = fields.read([
        {
          manager: 'm',
          operation: 'Apply',
          apiVersion: 'v1',
          time,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': {} },
        },
      ]);
      if (!reading.ok) throw new Error(reading.error);
      return fields.write(reading.owners, 'typed') ?? [];
    };
    const at = (second: number, data = '1'): ApiObject =>
      object(configMaps, { metadata: { managedFields: list(timeAt(second)) }, data: { a: data } });
    expect(withOldTimes(at(2), at(1)).metadata['managedFields']).toEqual(list(timeAt(1)));
    expect(withOldTimes(at(2, '2'), at(1)).metadata['managedFields']).toEqual(list(timeAt(2)));
  });
});

describe('what an endpoint takes notice of', () => {
  const set = setOfPaths(
    [
      ['spec'],
      ['spec', 'containers', 'a', 'resources', 'limits'],
      ['spec', 'containers', 'a', 'image'],
      ['status', 'phase'],
    ].map((path) => path.map((step) => (step === 'a' ? keyElement([['name', 'a']]) : fieldElement(step)))),
  );

  test('is all but some paths and what is below them', () => {
    expect(encodeFields(exceptFields(['spec.containers', 'status'])(set))).toEqual({ 'f:spec': {} });
  });
});

test.each([
  ['the name that is given', 'me', 'kubectl/v1', 'me'],
  ['the User-Agent up to its slash', '', 'kubectl/v1.36 (linux)', 'kubectl'],
  ['no more than 128 bytes', '', `${'é'.repeat(70)}/1`, 'é'.repeat(64)],
  ['what can be printed', '', 'a\u0007b\tc d/1', 'abc d'],
  ['nothing without either', '', '', ''],
])('a writer is called by %s', (_, fieldManager, userAgent, expected) => {
  expect(writerName(fieldManager, userAgent)).toBe(expected);
});
