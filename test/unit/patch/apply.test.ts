import * as fc from 'fast-check';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  stringMember,
} from '../../../mockserver/ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../../../mockserver/ground/object.js';
import { StatusError } from '../../../mockserver/ground/status.js';
import { type Ownership, createOwnership } from '../../../mockserver/patch/ownership.js';
import { type OwnershipScope, ConversionError } from '../../../mockserver/patch/ownership-scope.js';
import { TREE, configMaps, definition, object, scopeOf } from './ownership-scopes.js';

const KEYED: JsonObject = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['n'],
  items: {
    type: 'object',
    properties: { n: { type: 'string' }, v: { type: 'string' }, w: { type: 'string' } },
  },
};
const widgets = scopeOf({
  apiVersion: 'ex.io/v1',
  kind: 'Widget',
  custom: true,
  schema: TREE.custom({
    type: 'object',
    properties: {
      color: { type: 'string' },
      size: { type: 'integer' },
      on: { type: 'boolean' },
      tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      args: { type: 'array', items: { type: 'string' } },
      items: KEYED,
      map: { type: 'object', additionalProperties: { type: 'string' } },
      atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
      o: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
      ios: { 'x-kubernetes-int-or-string': true },
    },
  }),
});

/** Applies one body after another to one object. */
class Story {
  readonly ownership: Ownership = createOwnership();
  readonly scope: OwnershipScope;
  live: ApiObject;
  seconds = 0;

  constructor(scope: OwnershipScope) {
    this.scope = scope;
    this.live = object(scope);
  }

  apply(content: JsonObject, writer: string, force = false, scope = this.scope): this {
    this.seconds++;
    const { object: next, managedFields } = this.ownership.apply(scope, {
      live: this.live,
      applied: object(scope, {
        ...content,
        metadata: { name: 'w', ...(isJsonObject(content['metadata']) ? content['metadata'] : {}) },
      }),
      writer,
      force,
      now: this.seconds * 1000,
      empty: object(scope),
    });
    this.live = withMetadata(next, editMetadata(next.metadata, { managedFields }));
    return this;
  }

  update(content: JsonObject, writer: string, scope = this.scope): this {
    this.seconds++;
    const next = object(scope, { ...content, metadata: this.live.metadata });
    const managedFields = this.ownership.track(scope, {
      live: this.live,
      next,
      creating: this.seconds === 1 && this.live.metadata['managedFields'] === undefined,
      resets: false,
      writer,
      now: this.seconds * 1000,
    });
    this.live = withMetadata(next, editMetadata({ name: 'w', ...next.metadata }, { managedFields }));
    return this;
  }

  /** The content without kind, apiVersion and metadata. */
  get content(): JsonObject {
    return Object.fromEntries(
      Object.entries(this.live).filter(([name]) => !['kind', 'apiVersion', 'metadata'].includes(name)),
    );
  }

  get owners(): string[] {
    const list: JsonValue | undefined = this.live.metadata['managedFields'];
    return (isJsonArray(list) ? list : []).map((entry) => {
      if (!isJsonObject(entry)) throw new Error('an entry is an object');
      const at = stringMember(entry, 'time')?.slice(17, 19) ?? '-';
      return `${stringMember(entry, 'manager') ?? ''} ${at} ${JSON.stringify(entry['fieldsV1'])}`;
    });
  }
}

function refusal(act: () => unknown): StatusError {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('applying', () => {
  test('creates what is not there, and owns its leaves alone', () => {
    const story = new Story(widgets).apply(
      { color: 'red', map: { a: '1' }, tags: ['x'], items: [{ n: 'i', v: '1' }] },
      'a',
    );
    expect(story.content).toEqual({
      color: 'red',
      map: { a: '1' },
      tags: ['x'],
      items: [{ n: 'i', v: '1' }],
    });
    expect(story.owners).toEqual([
      'a 01 {"f:color":{},"f:items":{"k:{\\"n\\":\\"i\\"}":{".":{},"f:n":{},"f:v":{}}},"f:map":{"f:a":{}},"f:tags":{"v:\\"x\\"":{}}}',
    ]);
  });

  test('the same again changes nothing, not even a time', () => {
    const story = new Story(widgets).apply({ color: 'red', items: [{ n: 'i' }] }, 'a');
    const { content, owners } = story;
    story.apply({ color: 'red', items: [{ n: 'i' }] }, 'a');
    expect(story.content).toEqual(content);
    expect(story.owners).toEqual(owners);
  });

  test('the same value is shared; who joins without a change has no time', () => {
    const story = new Story(widgets).apply({ color: 'red' }, 'a').apply({ color: 'red' }, 'b');
    expect(story.owners).toEqual(['b - {"f:color":{}}', 'a 01 {"f:color":{}}']);
  });

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a scalar', { color: 'red', size: 1 }, { size: 1 }, { size: 1 }],
    ['a member of a set', { tags: ['x', 'y'] }, { tags: ['y'] }, { tags: ['y'] }],
    [
      'an item of a list by key',
      { items: [{ n: 'i', v: '1' }, { n: 'j' }] },
      { items: [{ n: 'j' }] },
      { items: [{ n: 'j' }] },
    ],
    [
      'a member of an item',
      { items: [{ n: 'i', v: '1' }] },
      { items: [{ n: 'i' }] },
      { items: [{ n: 'i' }] },
    ],
    ['a member of a map', { map: { a: '1', b: '1' } }, { map: { b: '1' } }, { map: { b: '1' } }],
    ['all of a map, but not the map', { map: { a: '1' } }, { map: {} }, { map: null }],
    ['a whole map', { map: { a: '1' }, size: 1 }, { size: 1 }, { size: 1 }],
    ['something atomic', { atom: { a: '1' }, size: 1 }, { size: 1 }, { size: 1 }],
  ])('no longer removes %s that nobody else owns', (_, first, second, expected) => {
    expect(new Story(widgets).apply(first, 'a').apply(second, 'a').content).toEqual(expected);
  });

  test('no longer leaves what somebody else owns', () => {
    const story = new Story(widgets)
      .apply({ color: 'red', tags: ['x', 'y'] }, 'a')
      .apply({ tags: ['y'] }, 'b')
      .apply({ size: 1 }, 'a');
    expect(story.content).toEqual({ tags: ['y'], size: 1 });
    expect(story.owners).toEqual(['b - {"f:tags":{"v:\\"y\\"":{}}}', 'a 03 {"f:size":{}}']);
  });

  test('replaces lists and maps that are atomic', () => {
    const story = new Story(widgets)
      .apply({ args: ['a', 'b'], atom: { a: '1' } }, 'a')
      .apply({ args: ['c'], atom: { b: '2' } }, 'a');
    expect(story.content).toEqual({ args: ['c'], atom: { b: '2' } });
  });

  test.each<[string, string[], string[], string[]]>([
    ['what is new follows what is there', ['a', 'b'], ['c'], ['a', 'b', 'c']],
    ['what both have comes in the order applied', ['a', 'b', 'c'], ['c', 'a'], ['b', 'c', 'a']],
    ['what is new stays after its neighbour', ['a', 'b'], ['a', 'x', 'b'], ['a', 'x', 'b']],
    ['what is there stays after its neighbour', ['a', 'x', 'b'], ['a', 'b', 'y'], ['a', 'x', 'b', 'y']],
    ['what is new stays in front of its neighbour', ['a', 'b'], ['n', 'a'], ['n', 'a', 'b']],
  ])('orders items: %s', (_, live, applied, expected) => {
    const items = (names: readonly string[]): JsonArray => names.map((n) => ({ n }));
    expect(
      new Story(widgets).update({ items: items(live) }, 'u').apply({ items: items(applied) }, 'a').content,
    ).toEqual({ items: items(expected) });
    expect(new Story(widgets).update({ tags: live }, 'u').apply({ tags: applied }, 'a').content).toEqual({
      tags: expected,
    });
  });

  test('numbers of equal value are no change', () => {
    const story = new Story(widgets).update({ size: 1 }, 'u').apply({ size: 1.0 }, 'a');
    expect(story.owners).toEqual(['a - {"f:size":{}}', 'u 01 {"f:size":{}}']);
  });

  test('owns what is new of an object that nobody tracked against what was there before', () => {
    const story = new Story(configMaps);
    story.live = object(configMaps, { metadata: { name: 'w', uid: 'u' }, data: { a: '1' } });
    story.apply({ data: { b: '2' } }, 'a');
    expect(story.owners).toEqual([
      'a 01 {"f:data":{"f:b":{}}}',
      'before-first-apply 01 {"f:data":{".":{},"f:a":{}}}',
    ]);
  });

  test('a body that says nothing gives all up', () => {
    const story = new Story(widgets).apply({ color: 'red' }, 'a').apply({}, 'a');
    expect(story.content).toEqual({});
    expect(story.owners).toEqual([]);
  });
});

describe('a conflict', () => {
  const message = (story: Story, content: JsonObject, writer: string): string =>
    refusal(() => story.apply(content, writer)).message;

  test('with one field of one applier names the applier', () => {
    const story = new Story(widgets).apply({ color: 'red' }, 'a');
    const error = refusal(() => story.apply({ color: 'blue' }, 'b'));
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "a": .color',
      reason: 'Conflict',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.color' }],
      },
      code: 409,
    });
  });

  test('with an updater names the version, with a subresource that', () => {
    expect(message(new Story(widgets).update({ color: 'red' }, 'u'), { color: 'blue' }, 'b')).toBe(
      'Apply failed with 1 conflict: conflict with "u" using ex.io/v1: .color',
    );
    const status = { ...widgets, subresource: 'status' };
    expect(
      message(new Story(widgets).apply({ color: 'red' }, 's', false, status), { color: 'blue' }, 'b'),
    ).toBe('Apply failed with 1 conflict: conflict with "s" with subresource "status": .color');
  });

  test('with several fields lists them by owner, in the order of the names', () => {
    const story = new Story(widgets)
      .apply({ size: 1, items: [{ n: 'i', v: '1' }] }, 'z')
      .apply({ color: 'red' }, 'a');
    expect(message(story, { color: 'blue', size: 2, items: [{ n: 'i', v: '2' }] }, 'b')).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "a":',
        '- .color',
        'conflicts with "z":',
        '- .size',
        '- .items[n="i"].v',
      ].join('\n'),
    );
  });

  test('that is forced takes the fields', () => {
    const story = new Story(widgets)
      .apply({ color: 'red', size: 1 }, 'a')
      .apply({ color: 'blue' }, 'b', true);
    expect(story.content).toEqual({ color: 'blue', size: 1 });
    expect(story.owners).toEqual(['a 01 {"f:size":{}}', 'b 02 {"f:color":{}}']);
  });

  test('is none where the values are equal, or where they own what is around', () => {
    const story = new Story(widgets).apply({ map: { a: '1' }, items: [{ n: 'i' }] }, 'a');
    story.apply({ map: { a: '1', b: '2' }, items: [{ n: 'i', v: '1' }] }, 'b');
    expect(story.content).toEqual({ map: { a: '1', b: '2' }, items: [{ n: 'i', v: '1' }] });
  });
});

describe('a body is refused', () => {
  test.each<[string, JsonObject, number, string]>([
    [
      'for another version',
      { apiVersion: 'ex.io/v2', kind: 'Widget' },
      400,
      'invalid object type: ex.io/v2, Kind=Widget',
    ],
    ['without a version', { kind: 'Widget' }, 400, 'invalid object type: /, Kind=Widget'],
    [
      'for another kind',
      { apiVersion: 'ex.io/v1', kind: 'Gadget' },
      400,
      'invalid object type: ex.io/v1, Kind=Gadget',
    ],
    [
      'with managedFields',
      { apiVersion: 'ex.io/v1', kind: 'Widget', metadata: { managedFields: [] } },
      400,
      'metadata.managedFields must be nil',
    ],
  ])('%s', (_, applied, code, text) => {
    const act = (): unknown =>
      createOwnership().apply(widgets, {
        live: object(widgets),
        applied,
        writer: 'a',
        force: false,
        now: 0,
        empty: object(widgets),
      });
    const error = refusal(act);
    expect([error.code, error.message]).toEqual([code, text]);
  });

  // As kube-apiserver 1.36.3 answers them; its members come in no order.
  test.each<[string, JsonObject, string]>([
    ['with an unknown member', { bogus: 1 }, '.bogus: field not declared in schema'],
    ['with a text for a number', { size: 'x' }, '.size: expected numeric (int or float), got string'],
    ['with a boolean for a number', { size: true }, '.size: expected numeric (int or float), got bool'],
    [
      'with a number for a text',
      { color: 1000000 },
      '.color: expected string, got &value.valueUnstructured{Value:1000000}',
    ],
    [
      'with a list for a text',
      { color: [1, 'a', { b: null, a: 1.5 }] },
      '.color: expected string, got &value.valueUnstructured{Value:[]interface {}{1, "a", map[string]interface {}{"a":1.5, "b":interface {}(nil)}}}',
    ],
    ['with a text for a boolean', { on: 'x' }, '.on: expected boolean, got &{x}'],
    ['with a number for an object', { o: 5 }, '.o: expected map, got &{5}'],
    ['with an object for a list', { items: { a: 1 } }, '.items: expected list, got &{map[a:1]}'],
    [
      'with a key that is there twice',
      { items: [{ n: 'i' }, { n: 'i' }] },
      '.items: duplicate entries for key [n="i"]',
    ],
    ['with a value that is there twice', { tags: ['a', 'a'] }, '.tags: duplicate entries for key [="a"]'],
    [
      'with an item that is no object',
      { items: [{ n: 'i' }, 7] },
      '.items: element 1: associative list with keys may not have non-map elements',
    ],
    [
      'with an item without its key',
      { items: [{ v: 'i' }] },
      '.items: element 0: associative list with keys has an element that omits all key fields ["n"] (and doesn\'t have default values for any key fields)',
    ],
    [
      'with null in a set',
      { tags: [null] },
      ".tags: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'with a wrong item of an atomic list',
      { args: ['a', 1] },
      '.args[1]: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'with several mistakes',
      { color: 1, size: 'x' },
      'errors:\n  .color: expected string, got &value.valueUnstructured{Value:1}\n  .size: expected numeric (int or float), got string',
    ],
  ])('%s', (_, content, text) => {
    const error = refusal(() => new Story(widgets).apply({ ...content, metadata: { namespace: 'ns' } }, 'a'));
    expect([error.code, error.status.reason, error.message]).toEqual([
      500,
      undefined,
      `failed to create typed patch object (ns/w; ex.io/v1, Kind=Widget): ${text}`,
    ]);
  });

  test('as of the core group shows no group', () => {
    expect(refusal(() => new Story(configMaps).apply({ bogus: 1 }, 'a')).message).toBe(
      'failed to create typed patch object (/w; /v1, Kind=ConfigMap): .bogus: field not declared in schema',
    );
  });

  test('when it would change the scale of a custom resource', () => {
    const why = 'request to convert CR to an invalid group/version: autoscaling/v1';
    const scale = {
      ...scopeOf({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        schema: definition('io.k8s.api.autoscaling.v1.Scale'),
      }),
      refusesApplied: why,
    };
    const story = new Story(scale);
    story.update({ spec: { replicas: 1 } }, 'u');
    expect(refusal(() => story.apply({ spec: { replicas: 2 } }, 'a', true)).message).toBe(
      `failed to convert new object (/w; autoscaling/v1, Kind=Scale) to proper version: ${why}`,
    );
    expect(story.apply({ spec: { replicas: 1 } }, 'a').owners).toEqual([
      'a - {"f:spec":{"f:replicas":{}}}',
      'u 01 {"f:spec":{".":{},"f:replicas":{}}}',
    ]);
  });
});

describe('versions', () => {
  const schema = (l: JsonObject, o: JsonObject): JsonObject => ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          l: { type: 'array', items: { type: 'string' }, ...l },
          o: { type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } }, ...o },
        },
      },
    },
  });
  const nodes = new Map([
    ['own.io/v1', TREE.custom(schema({ 'x-kubernetes-list-type': 'set' }, {}))],
    ['own.io/v1beta1', TREE.custom(schema({}, { 'x-kubernetes-map-type': 'atomic' }))],
  ]);
  const version = (apiVersion: string): OwnershipScope => {
    const node = nodes.get(apiVersion);
    if (node === undefined) throw new Error(apiVersion);
    return {
      ...scopeOf({ apiVersion, kind: 'Ver', custom: true, schema: node }),
      convert: (from, wanted) => {
        const found = nodes.get(wanted);
        if (found === undefined)
          throw new ConversionError(`request to convert CR to an invalid group/version: ${wanted}`);
        return { object: { ...from, apiVersion: wanted }, schema: found };
      },
    };
  };
  const v1 = version('own.io/v1');
  const beta = version('own.io/v1beta1');
  const inVersion = (story: Story, scope: OwnershipScope): Story => {
    story.live = { ...story.live, apiVersion: scope.apiVersion };
    return story;
  };

  // As kube-apiserver 1.36.3 answered these writes.
  test('see sets in their own schema, and owners by others are found through conversion', () => {
    const story = new Story(v1);
    story.apply({ spec: { a: '1', l: ['p', 'q'], o: { x: '1' } } }, 'm1', false, v1);
    inVersion(story, beta).apply({ spec: { a: '1', o: { x: '1' } } }, 'm2', false, beta);
    expect(story.owners).toEqual([
      'm2 - {"f:spec":{"f:a":{},"f:o":{}}}',
      'm1 01 {"f:spec":{"f:a":{},"f:l":{"v:\\"p\\"":{},"v:\\"q\\"":{}},"f:o":{"f:x":{}}}}',
    ]);
    story.apply({ spec: { l: ['p', 'z'], o: { x: '1', y: '2' } } }, 'm3', true, beta);
    expect(story.owners).toEqual([
      'm2 - {"f:spec":{"f:a":{}}}',
      'm1 01 {"f:spec":{"f:a":{},"f:l":{"v:\\"p\\"":{}},"f:o":{"f:x":{}}}}',
      'm3 03 {"f:spec":{"f:l":{},"f:o":{}}}',
    ]);
    inVersion(story, v1).apply({ spec: { l: ['k'] } }, 'm3', false, v1);
    expect(story.content).toEqual({ spec: { a: '1', l: ['p', 'z', 'k'], o: { x: '1', y: '2' } } });
    expect(story.owners.at(-1)).toBe('m3 04 {"f:spec":{"f:l":{"v:\\"k\\"":{}}}}');
    inVersion(story, beta).update({ spec: { a: '1', l: ['w'], o: { x: '1', y: '5' } } }, 'u1', beta);
    expect(story.owners.slice(1)).toEqual([
      'm1 01 {"f:spec":{"f:a":{},"f:o":{"f:x":{}}}}',
      'u1 05 {"f:spec":{"f:l":{},"f:o":{}}}',
    ]);
    inVersion(story, v1).update({ spec: { a: '1', l: ['w'], o: { x: '1', y: '6' } } }, 'u1', v1);
    expect(story.owners.slice(2)).toEqual([
      'u1 05 {"f:spec":{"f:l":{}}}',
      'u1 06 {"f:spec":{"f:o":{"f:y":{}}}}',
    ]);
  });

  test('whose schema does not know a field fail an apply that gives something up', () => {
    const odd = new Map([
      ...nodes,
      [
        'own.io/v0',
        TREE.custom({
          type: 'object',
          properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
        }),
      ],
    ]);
    const in0 = (apiVersion: string): OwnershipScope => ({
      ...scopeOf({ apiVersion, kind: 'Ver', custom: true, schema: odd.get(apiVersion) ?? v1.schema }),
      convert: (from, wanted) => ({
        object: { ...from, apiVersion: wanted },
        schema: odd.get(wanted) ?? v1.schema,
      }),
    });
    const story = new Story(in0('own.io/v0')).apply({ spec: { a: '1' } }, 'm', false, in0('own.io/v0'));
    inVersion(story, v1);
    expect(refusal(() => story.apply({ spec: { l: ['x'] } }, 'm', true, in0('own.io/v1'))).message).toBe(
      'failed to prune fields: failed to convert merged object to last applied version: .spec.l: field not declared in schema',
    );
  });

  test('that cannot be had leave an update without owners, and fail an apply', () => {
    const story = new Story(v1);
    const old: JsonArray = [
      {
        manager: 'old',
        operation: 'Apply',
        apiVersion: 'own.io/v9',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:a': {} } },
      },
    ];
    story.live = object(v1, { metadata: { name: 'w', uid: 'u', managedFields: old }, spec: { a: '1' } });
    expect(refusal(() => story.apply({ spec: { a: '2' } }, 'a')).message).toBe(
      'request to convert CR to an invalid group/version: own.io/v9',
    );
    expect(story.update({ spec: { a: '2' } }, 'u').owners).toEqual([]);
  });
});

// As kube-apiserver 1.36.3 answered these writes.
describe('the annotation of a client that applied by itself', () => {
  const LAST = 'kubectl.kubernetes.io/last-applied-configuration';
  const applied =
    '{"apiVersion":"v1","data":{"a":"1","b":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"w"}}\n';
  const story = (): Story => {
    const made = new Story(configMaps);
    made.live = object(configMaps, { metadata: { name: 'w', annotations: { [LAST]: applied } } });
    made.update({ data: { a: '1', b: '1' } }, 'kubectl-client-side-apply');
    return made.update({ data: { a: '1', b: '2' } }, 'other');
  };

  test('lets its writer change what it says, but not what others changed since', () => {
    expect(refusal(() => story().apply({ data: { a: '3', b: '4' } }, 'kubectl')).message).toBe(
      'Apply failed with 1 conflict: conflict with "other" using v1: .data.b',
    );
    expect(story().apply({ data: { a: '3' } }, 'kubectl').content).toEqual({ data: { a: '3', b: '2' } });
    expect(refusal(() => story().apply({ data: { a: '3' } }, 'somebody')).code).toBe(409);
  });

  test('says afterwards what its writer applied', () => {
    const after = story().apply({ metadata: { annotations: { z: 'y' } }, data: { a: '3<&' } }, 'kubectl');
    expect(after.live.metadata['annotations']).toEqual({
      [LAST]:
        '{"apiVersion":"v1","data":{"a":"3\\u003c\\u0026"},"kind":"ConfigMap","metadata":{"annotations":{"z":"y"},"name":"w"}}\n',
      z: 'y',
    });
  });
});

const word = fc.constantFrom('a', 'b', 'c');
const body: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      color: word,
      size: fc.nat(2),
      tags: fc.uniqueArray(word, { minLength: 1 }),
      args: fc.array(word, { maxLength: 2 }),
      items: fc.uniqueArray(fc.record({ n: word, v: word }, { requiredKeys: ['n'] }), {
        selector: ({ n }) => n,
        minLength: 1,
      }),
      map: fc.dictionary(word, word, { minKeys: 1 }),
      atom: fc.dictionary(word, word),
      ios: fc.oneof(word, fc.nat(2)),
    },
    { requiredKeys: [] },
  )
  // What fast-check makes is plain JSON, but for undefined members, of which there are none.
  .map((one) => JSON.parse(JSON.stringify(one)) as JsonObject);

describe('the algebra of applying', () => {
  test('applying twice is applying once', () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 3 }), body, (before, last) => {
        const story = new Story(widgets);
        for (const [i, one] of before.entries()) story.apply(one, `w${i}`, true);
        story.apply(last, 'a', true);
        const { content, owners } = story;
        story.apply(last, 'a');
        expect(story.content).toEqual(content);
        expect(story.owners).toEqual(owners);
      }),
    );
  });

  test('writers that do not conflict come to one object, whoever is first', () => {
    const sorted = (value: JsonObject): JsonObject => ({
      ...value,
      ...(isJsonArray(value['tags']) ? { tags: [...value['tags']].sort() } : {}),
      ...(isJsonArray(value['items'])
        ? { items: [...value['items']].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }
        : {}),
    });
    const tried = (first: JsonObject, second: JsonObject): Story | undefined => {
      try {
        return new Story(widgets).apply(first, 'x').apply(second, 'y');
      } catch (error) {
        if (error instanceof StatusError && error.code === 409) return undefined;
        throw error;
      }
    };
    fc.assert(
      fc.property(body, body, (a, b) => {
        const one = tried(a, b);
        const other = tried(b, a);
        expect(one === undefined).toBe(other === undefined);
        if (one !== undefined && other !== undefined)
          expect(sorted(one.content)).toEqual(sorted(other.content));
      }),
    );
  });

  test('whoever gives all up leaves the object as if they had never been, when nobody else owned any of it', () => {
    fc.assert(
      fc.property(body, body, (a, b) => {
        const alone = new Story(widgets).apply(a, 'x');
        const story = new Story(widgets).apply(a, 'x');
        try {
          story.apply(b, 'y');
        } catch (error) {
          if (error instanceof StatusError && error.code === 409) return;
          throw error;
        }
        story.apply({}, 'y');
        const names = (value: JsonObject): string[] => Object.keys(value).sort();
        expect(names(story.content)).toEqual(names(alone.content));
      }),
    );
  });

  test('a forced apply holds all that it applies', () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 3 }), body, (before, last) => {
        const story = new Story(widgets);
        for (const [i, one] of before.entries()) story.apply(one, `w${i}`, true);
        story.apply(last, 'a', true);
        for (const name of ['color', 'size', 'args', 'atom', 'ios'])
          if (Object.hasOwn(last, name)) expect(story.content[name]).toEqual(last[name]);
      }),
    );
  });
});
