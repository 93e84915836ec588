/** Codecs against recorded answers: order, types, unknown members, errors, bookmarks. */
import fc from 'fast-check';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { type Codec } from '../../../mockserver/schema/codec.js';
import { codecOf, readBody, readRecorded, reversed } from './recorded.js';

const answers = (readRecorded('fixtures/recorded/codec/answers.json') as { objects: ApiObject[] }).objects;
const bookmarks = (readRecorded('fixtures/recorded/codec/bookmarks.json') as { objects: ApiObject[] })
  .objects;
const errors = (
  readRecorded('fixtures/recorded/codec/decode-errors.json') as {
    cases: { body: string; error: string | null }[];
  }
).cases;
const unknown = (
  readRecorded('fixtures/recorded/codec/unknown-members.json') as {
    cases: { body: string; unknown: string[] }[];
  }
).cases;

const write = (value: unknown): string => JSON.stringify(value);

function decoded(body: JsonObject | string, codec?: Codec): ApiObject {
  const value = typeof body === 'string' ? readBody(body) : body;
  const decoding = (codec ?? codecOf(value)).decode(value);
  if (!decoding.ok) throw new Error(decoding.error);
  return decoding.object;
}

const title = (object: ApiObject, at: number): [string, ApiObject] => [
  `${object.apiVersion} ${object.kind} #${at}`,
  object,
];

describe('recorded answers', () => {
  test.each(answers.map(title))(
    '%s decodes to itself, whatever the order of its members',
    (_name, object) => {
      expect(write(decoded(structuredClone(object)))).toBe(write(object));
      const shuffled = reversed(object) as ApiObject;
      expect(write(decoded(shuffled, codecOf(object)))).toBe(write(object));
      expect(write(codecOf(object).arrange(shuffled))).toBe(write(object));
    },
  );

  test('an object that is in order is arranged to itself', () => {
    for (const object of answers) expect(codecOf(object).arrange(object)).toBe(object);
  });

  test.each(bookmarks.map(title))('%s has its bookmark', (_name, object) => {
    expect(write(codecOf(object).empty(object.metadata))).toBe(write(object));
  });
});

describe('errors', () => {
  test.each(errors.map(({ body, error }) => [body, error ?? undefined] as const))('%s', (body, error) => {
    const value = readBody(body);
    const decoding = codecOf(value).decode(value);
    expect(decoding.ok ? undefined : decoding.error).toBe(error);
  });
});

describe('unknown members', () => {
  test.each(unknown.map((one) => [one.body, one.unknown] as const))('%s', (body, paths) => {
    const value = readBody(body);
    const decoding = codecOf(value).decode(value);
    expect(decoding.ok && decoding.unknown).toEqual(paths);
  });

  test('no more than 100 are named', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, i]));
    const decoding = codecOf({ apiVersion: 'v1', kind: 'ConfigMap' }).decode(many);
    expect(decoding.ok && decoding.unknown.length).toBe(100);
  });
});

describe('built-in kinds', () => {
  test('kind, apiVersion and metadata are there though they were not sent', () => {
    const codec = codecOf({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(write(decoded({}, codec))).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}');
  });

  const podTemplate = (template: string): string =>
    write(
      decoded(`{"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"a"},"template":${template}}`)[
        'template'
      ],
    );

  // Recorded: kube-apiserver 1.36.3, without the defaults.
  test('times, nulls and empty members come out as Go has them', () => {
    expect(
      podTemplate(
        '{"metadata":{"deletionTimestamp":"0001-01-01T00:00:00Z","creationTimestamp":"2020-01-01T00:00:00.9+01:00","labels":{"b":"a","a":null},"annotations":null,"finalizers":[]},"spec":{"containers":[{"name":"c","env":[{"name":"A","value":""}],"command":[],"args":[null],"ports":[]},null]}}',
      ),
    ).toBe(
      '{"metadata":{"creationTimestamp":"2019-12-31T23:00:00Z","deletionTimestamp":null,"labels":{"a":"","b":"a"}},"spec":{"containers":[{"name":"c","args":[""],"env":[{"name":"A"}],"resources":{}},{"name":"","resources":{}}]}}',
    );
  });

  test('an empty list that is always written stays, and is null when it comes back from the store', () => {
    const slice = decoded(
      '{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4","endpoints":[],"ports":null}',
    );
    const text = (endpoints: string): string =>
      `{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{},"addressType":"IPv4","endpoints":${endpoints},"ports":null}`;
    expect(write(slice)).toBe(text('[]'));
    expect(write(codecOf(slice).asStored(slice))).toBe(text('null'));
  });

  test('so it is inside the items of a list', () => {
    const role = decoded(
      '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","rules":[{"verbs":["get"]},{"verbs":[]}]}',
    );
    expect(codecOf(role).asStored(role)['rules']).toEqual([{ verbs: ['get'] }, { verbs: null }]);
  });

  test('what has no such list comes back from the store as the very same object', () => {
    for (const object of answers) expect(codecOf(object).asStored(object)).toBe(object);
  });

  test.each([
    ['"a":null,"b":""', '"a":"","b":""'],
    ['"a":"YWJj\\nZGVm"', '"a":"YWJjZGVm"'],
    ['"a":"YR=="', '"a":"YQ=="'],
    ['"a":[1,2,255]', '"a":"AQL/"'],
  ])('bytes {%s} are written {%s}', (sent, out) => {
    expect(write(decoded(`{"apiVersion":"v1","kind":"Secret","data":{${sent}}}`)['data'])).toBe(`{${out}}`);
  });

  test('micro times have six decimals, and the zero time is null', () => {
    const renewTime = (text: string): unknown =>
      decoded(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","spec":{"renewTime":${text}}}`)['spec'];
    expect(renewTime('"2020-01-01T02:00:00.100000+02:00"')).toEqual({
      renewTime: '2020-01-01T00:00:00.100000Z',
    });
    expect(renewTime('"0001-01-01T00:00:00.000000Z"')).toEqual({ renewTime: null });
    expect(renewTime('null')).toEqual({});
  });

  test('int64 values beyond 2^53 stay exact', () => {
    const pod = decoded(
      '{"apiVersion":"v1","kind":"Pod","spec":{"securityContext":{"runAsUser":9007199254740993}}}',
    );
    expect(pod['spec']).toEqual({ containers: null, securityContext: { runAsUser: 9007199254740993n } });
  });

  test('quantities take numbers, as they were sent where that is known', () => {
    const pv = decoded(
      '{"apiVersion":"v1","kind":"PersistentVolume","spec":{"capacity":{"c":1.5,"b":1e8,"a":2.0,"d":10,"e":null}}}',
    );
    expect(write(pv['spec'])).toBe('{"capacity":{"a":"2","b":"100e6","c":"1500m","d":"10","e":"0"}}');
  });

  test('JSON of schemas is sorted, raw extensions are kept', () => {
    const schema = (text: string): string =>
      write(
        decoded(
          `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":${text}}}]}}`,
        )['spec'],
      ).replace(/^.*"openAPIV3Schema":(.*)\}\}\]\}$/, '$1');
    expect(
      schema(
        '{"default":null,"enum":["a",null],"example":{"z":1,"a":1.0},"required":[],"maximum":10000000000000000000000,"type":"object","items":[]}',
      ),
    ).toBe('{"type":"object","maximum":1e+22,"enum":["a",null],"items":null,"example":{"a":1,"z":1}}');
    expect(
      schema(
        '{"additionalProperties":false,"properties":{"b":{"items":{"x":1,"type":"string"}},"a":{"additionalProperties":{"type":"string"}}}}',
      ),
    ).toBe(
      '{"properties":{"a":{"additionalProperties":{"type":"string"}},"b":{"items":{"type":"string"}}},"additionalProperties":false}',
    );
    const revision = decoded(
      '{"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"z":1,"a":[null]},"revision":1}',
    );
    expect(write(revision['data'])).toBe('{"z":1,"a":[null]}');
  });

  test('an eviction’s delete options and a claim template may carry kind and apiVersion', () => {
    const set = decoded(
      '{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"v"}}]}}',
    );
    expect(write(set)).toContain(
      '"volumeClaimTemplates":[{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"v"},"spec":{"resources":{}},"status":{}}]',
    );
  });

  test('arranging drops what a server leaves empty and adds what is always written', () => {
    const codec = codecOf({ apiVersion: 'v1', kind: 'Pod' });
    expect(
      write(
        codec.arrange({
          metadata: { finalizers: [], labels: {}, name: 'a' },
          apiVersion: 'v1',
          spec: { hostNetwork: false },
          kind: 'Pod',
        }),
      ),
    ).toBe('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":null},"status":{}}');
  });
});

describe('custom kinds', () => {
  const widget = { apiVersion: 'ex.io/v1', kind: 'Widget' };
  const codec = codecOf(widget);

  // Recorded: kube-apiserver 1.36.3, without what create adds.
  test('metadata is typed and everything is sorted, other values are untouched', () => {
    const sent =
      '{"kind":"Widget","apiVersion":"ex.io/v1","metadata":{"name":"a","labels":{},"finalizers":[],"annotations":{"b":"1","a":null},"ownerReferences":[{"uid":"u","name":"n","kind":"K","apiVersion":"v1","controller":null}],"creationTimestamp":null},"zeta":1.0,"Alpha":{"b":1,"a":{"y":1,"x":2}},"data":null,"template":{"metadata":{"labels":{},"creationTimestamp":null}}}';
    expect(write(decoded(sent))).toBe(
      '{"Alpha":{"a":{"x":2,"y":1},"b":1},"apiVersion":"ex.io/v1","data":null,"kind":"Widget","metadata":{"annotations":{"a":"","b":"1"},"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}]},"template":{"metadata":{"creationTimestamp":null,"labels":{}}},"zeta":1}',
    );
  });

  test.each(['{}', '{"metadata":null}'])('%s has empty metadata', (body) => {
    expect(write(decoded(readBody(body), codec))).toBe(
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{}}',
    );
  });

  test('a whole float is an integer in metadata', () => {
    expect(
      decoded('{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"generation":1.0}}').metadata,
    ).toEqual({ generation: 1 });
  });

  test('a member named __proto__ is a member', () => {
    const object = decoded(
      '{"apiVersion":"ex.io/v1","kind":"Widget","spec":{"__proto__":{"a":1}},"__proto__":2}',
    );
    expect(write(object)).toBe(
      '{"__proto__":2,"apiVersion":"ex.io/v1","kind":"Widget","metadata":{},"spec":{"__proto__":{"a":1}}}',
    );
  });

  test('its bookmark has metadata only', () => {
    expect(write(codec.empty({ resourceVersion: '13' }))).toBe(
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"resourceVersion":"13"}}',
    );
  });

  test('arranging shares what is in order', () => {
    const object = decoded(
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"a","labels":{}},"spec":{"b":1,"a":2}}',
    );
    expect(codec.arrange(object)).toBe(object);
    const relabelled = codec.arrange({ ...object, metadata: { name: 'a', labels: { b: '1' } } });
    expect(relabelled['spec']).toBe(object['spec']);
  });

  test('arranging leaves inputs as they are', () => {
    const object: ApiObject = Object.freeze({
      ...widget,
      spec: Object.freeze({ b: 1, a: 2 }),
      metadata: Object.freeze({ uid: 'u', name: 'a' }),
    });
    expect(write(codec.arrange(object))).toBe(
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"a","uid":"u"},"spec":{"a":2,"b":1}}',
    );
  });
});

describe('any input', () => {
  const { pod, names } = vocabulary();
  const anything = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<JsonValue>(
        null,
        true,
        0,
        1,
        -1.5,
        '',
        'x',
        '1Gi',
        '2020-01-01T00:00:00Z',
        'YQ==',
        2 ** 40,
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    ),
  })).value;

  test.each(['Pod', 'Widget'])('decoding a %s never throws, and what it makes decodes to itself', (kind) => {
    const codec = codecOf({ apiVersion: kind === 'Pod' ? 'v1' : 'ex.io/v1', kind });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 5 }), (body) => {
        const first = codec.decode(structuredClone(body));
        if (!first.ok) return;
        expect(write(decoded(structuredClone(first.object), codec))).toBe(write(first.object));
        expect(write(codec.arrange(first.object))).toBe(write(first.object));
      }),
      { numRuns: 300 },
    );
  });

  test('a good object with one value replaced gives an object or an error, and never throws', () => {
    const codec = codecOf(pod);
    fc.assert(
      fc.property(fc.nat(), anything, (at, value) => {
        const decoding = codec.decode(replaceOne(pod, at, value));
        expect(decoding.ok ? decoding.object.kind : decoding.error).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

/** The largest recorded pod, and the names of its members at all depths. */
function vocabulary(): { pod: ApiObject; names: string[] } {
  const pods = answers.filter((one) => one.kind === 'Pod').sort((a, b) => write(b).length - write(a).length);
  const pod = pods[0];
  if (pod === undefined) throw new Error('no pod was recorded');
  return {
    pod,
    names: [
      ...new Set([...write(pod).matchAll(/"([A-Za-z]+)":/g)].map((match) => match[1] ?? '')),
      '__proto__',
      'bogus',
    ],
  };
}

/** A copy with the value at the `at`-th place (modulo their number) replaced. */
function replaceOne(object: JsonObject, at: number, replacement: JsonValue): JsonObject {
  let places = 0;
  const count = (value: JsonValue): void => {
    places++;
    if (isJsonArray(value)) value.forEach(count);
    else if (isJsonObject(value)) Object.values(value).forEach(count);
  };
  Object.values(object).forEach(count);
  let left = at % places;
  const copy = (value: JsonValue): JsonValue => {
    if (left-- === 0) return replacement;
    if (isJsonArray(value)) return value.map(copy);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copy(one)]));
  };
  return Object.fromEntries(Object.entries(object).map(([name, one]) => [name, copy(one)]));
}
