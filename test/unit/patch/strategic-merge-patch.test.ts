import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { invalid } from '../../../mockserver/ground/field-error.js';
import {
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
  setMember,
  stringMember,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from '../../../mockserver/ground/json.js';
import { readJson } from '../../../mockserver/ground/json-read.js';
import { invalidObject, StatusError } from '../../../mockserver/ground/status.js';
import { fromUnstructured } from '../../../mockserver/patch/from-unstructured.js';
import { goValueText } from '../../../mockserver/ground/go-value-text.js';
import { applyMergePatch } from '../../../mockserver/patch/merge-patch.js';
import {
  applyStrategicMergePatch,
  decodeStrategicMergePatch,
} from '../../../mockserver/patch/strategic-merge-patch.js';
import { type StructType, type ValueType } from '../../../mockserver/patch/value-type.js';
import { refusal } from '../refusal.js';
import { codecOf, typeOf } from './built-in-types.js';

interface Recorded {
  readonly objects: Readonly<Record<string, { readonly definition: string; readonly object: JsonObject }>>;
  readonly patches: readonly {
    readonly name: string;
    readonly object: string;
    readonly patch: string;
    readonly changes?: JsonObject;
    readonly code?: number;
    readonly message?: string;
  }[];
}

// Where these come from: fixtures/recorded/strategic/README.md.
const recorded = JSON.parse(
  readFileSync(new URL('../../../fixtures/recorded/strategic/patches.json', import.meta.url), 'utf8'),
) as Recorded;

const frozen = (value: JsonValue): JsonValue => {
  if (isJsonArray(value)) value.forEach(frozen);
  else if (isJsonObject(value)) Object.values(value).forEach(frozen);
  Object.freeze(value);
  return value;
};

/** As the patch verb does it under Strict. Everything is frozen before. */
function outcome(object: JsonObject, definition: string, text: string): JsonObject {
  const type = typeOf(definition);
  const reading = readJson(Buffer.from(text));
  if (reading.ok) frozen(reading.value);
  const decoded = decodeStrategicMergePatch(reading, { fieldValidation: 'Strict' });
  const { result, left } = applyStrategicMergePatch(object, decoded, type);
  const unusable = (why: string): StatusError =>
    invalidObject({ group: '', resource: '' }, '', [invalid('patch', goValueText(left), why)]);
  const conversion = fromUnstructured(result, type);
  if (!conversion.ok) throw unusable(conversion.error);
  const problems = [...decoded.problems, ...conversion.unknown];
  if (problems.length > 0) throw unusable(`strict decoding error: ${problems.join(', ')}`);
  const kind = {
    apiVersion: stringMember(object, 'apiVersion') ?? '',
    kind: stringMember(object, 'kind') ?? '',
  };
  const decoding = codecOf(definition, kind).decode(conversion.value);
  if (!decoding.ok) throw new Error(decoding.error);
  return decoding.object;
}

/** Without what the recording leaves out: a status, and the time that is always written. */
function withoutRunsOwn(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  const kept = Object.entries(isJsonObject(metadata) ? metadata : {});
  return {
    ...Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'status')),
    metadata: Object.fromEntries(kept.filter(([name]) => name !== 'creationTimestamp')),
  };
}

describe('a strategic merge patch', () => {
  test.each(recorded.patches.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    const of = recorded.objects[row.object];
    if (of === undefined) throw new Error(`no object ${row.object}`);
    frozen(of.object);
    if (row.changes === undefined) {
      const error = refusal(() => outcome(of.object, of.definition, row.patch));
      expect(error).toBeInstanceOf(StatusError);
      expect(error instanceof StatusError && { code: error.code, message: error.message }).toEqual({
        code: row.code,
        message: row.message,
      });
      return;
    }
    const expected = applyMergePatch(of.object, { patch: row.changes, problems: [] });
    expect(withoutRunsOwn(outcome(of.object, of.definition, row.patch))).toEqual(expected);
  });

  test('warns of duplicate fields, and does not look for them under Ignore', () => {
    const reading = readJson(Buffer.from('{"data":{"a":"1","a":"2"}}'));
    const problemsOf = (fieldValidation: 'Ignore' | 'Warn'): readonly string[] =>
      decodeStrategicMergePatch(reading, { fieldValidation }).problems;
    expect(problemsOf('Warn')).toEqual(['duplicate field "data.a"']);
    expect(problemsOf('Ignore')).toEqual([]);
  });

  test('takes member names for what they are', () => {
    const patch = JSON.parse('{"data":{"__proto__":"x","toString":"y"}}') as JsonObject;
    const { result } = applyStrategicMergePatch(
      { data: { a: '1' } },
      { patch, problems: [] },
      typeOf('io.k8s.api.core.v1.ConfigMap'),
    );
    expect(JSON.stringify(result)).toBe('{"data":{"a":"1","__proto__":"x","toString":"y"}}');
  });

  test('refuses to compare maps, at which a real server panics', () => {
    const patch = { $retainKeys: [{ a: 1 }] };
    const error = refusal(() =>
      applyStrategicMergePatch({}, { patch, problems: [] }, typeOf('io.k8s.api.core.v1.ConfigMap')),
    );
    expect(error.message).toContain('panic');
  });
});

/** The patch that leads from one object to another, as kubectl makes it. */
function difference(from: JsonObject, to: JsonObject, type: ValueType): JsonObject {
  const patch: MutableJsonObject = {};
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const a = member(from, name);
    const b = member(to, name);
    if (jsonEqual(a, b)) continue;
    const field = type.kind === 'struct' ? type.fields.get(name) : undefined;
    if (b === undefined) setMember(patch, name, null);
    else if (isJsonObject(a) && isJsonObject(b) && field?.strategy !== 'replace') {
      setMember(patch, name, difference(a, b, field?.type ?? type));
    } else if (
      isJsonArray(a) &&
      isJsonArray(b) &&
      field?.strategy === 'merge' &&
      field.type.kind === 'list'
    ) {
      const { element } = field.type;
      const key = field.mergeKey;
      if (key === '') {
        const gone = a.filter((one) => !b.includes(one));
        const added = b.filter((one) => !a.includes(one));
        if (gone.length > 0) patch[`$deleteFromPrimitiveList/${name}`] = gone;
        if (added.length > 0) patch[name] = added;
        patch[`$setElementOrder/${name}`] = b;
        continue;
      }
      const keyOf = (one: JsonValue): JsonValue => (isJsonObject(one) ? (one[key] ?? null) : null);
      const find = (list: readonly JsonValue[], wanted: JsonValue): JsonValue | undefined =>
        list.find((one) => keyOf(one) === wanted);
      patch[name] = [
        ...b.flatMap((one) => {
          const old = find(a, keyOf(one));
          if (!isJsonObject(old) || !isJsonObject(one)) return [one];
          return jsonEqual(old, one) ? [] : [{ ...difference(old, one, element), [key]: keyOf(one) }];
        }),
        ...a
          .filter((one) => find(b, keyOf(one)) === undefined)
          .map((one) => ({ $patch: 'delete', [key]: keyOf(one) })),
      ];
      patch[`$setElementOrder/${name}`] = b.map((one) => ({ [key]: keyOf(one) }));
    } else setMember(patch, name, b);
  }
  return patch;
}

const texts = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), fc.constantFrom('1', '2'));
const byName = <T extends { name: string }>(one: fc.Arbitrary<T>) =>
  fc.uniqueArray(one, { selector: ({ name }) => name, minLength: 1, maxLength: 5 });
const named = <T extends object>(names: readonly string[], rest: fc.Arbitrary<T>) =>
  fc.tuple(fc.constantFrom(...names), rest).map(([name, more]) => ({ name, ...more }));

const container = named(
  ['a', 'b', 'c', 'd', 'e', 'f'],
  fc.record(
    {
      image: fc.constantFrom('i', 'j'),
      args: fc.array(fc.constantFrom('x', 'y')),
      env: byName(named(['A', 'B', 'C'], fc.record({ value: fc.constantFrom('1', '2') }))),
      resources: fc.record({ limits: texts('cpu', 'memory') }),
    },
    { requiredKeys: ['image'] },
  ),
);
const deployment = fc.record({
  metadata: fc.record(
    {
      labels: texts('l', 'm', 'n'),
      finalizers: fc.uniqueArray(fc.constantFrom('f/1', 'f/2', 'f/3', 'f/4'), { minLength: 1 }),
    },
    { requiredKeys: [] },
  ),
  spec: fc.record(
    {
      replicas: fc.nat(3),
      template: fc.record({
        spec: fc.record(
          { containers: byName(container), nodeSelector: texts('n', 'o') },
          { requiredKeys: [] },
        ),
      }),
    },
    { requiredKeys: ['template'] },
  ),
});

describe('a patch made of two objects', () => {
  const type: StructType = typeOf('io.k8s.api.apps.v1.Deployment');
  const put = (object: JsonObject, patch: JsonObject): JsonObject =>
    applyStrategicMergePatch(object, { patch, problems: [] }, type).result;

  test('leads from the first to the second, and changes neither', () => {
    fc.assert(
      fc.property(deployment, deployment, (a, b) => {
        frozen(a);
        frozen(b);
        const patch = difference(a, b, type);
        frozen(patch);
        expect(put(a, patch)).toEqual(b);
      }),
    );
  });

  test('changes nothing when it is put there twice', () => {
    fc.assert(
      fc.property(deployment, deployment, (a, b) => {
        const patch = difference(a, b, type);
        const once = put(a, patch);
        expect(put(once, patch)).toEqual(once);
      }),
    );
  });

  test('keeps what others have added meanwhile', () => {
    fc.assert(
      fc.property(deployment, deployment, (a, b) => {
        const sidecar = { name: 'sidecar', image: 's' };
        const { containers = [] } = a.spec.template.spec;
        const live = {
          ...a,
          spec: {
            ...a.spec,
            template: { spec: { ...a.spec.template.spec, containers: [...containers, sidecar] } },
          },
        };
        fc.pre(containers.length > 0 && b.spec.template.spec.containers !== undefined);
        const result = JSON.stringify(put(live, difference(a, b, type)));
        expect(result).toContain(JSON.stringify(sidecar));
      }),
    );
  });
});
