import { Float, type JsonObject, type JsonValue } from '../../../mockserver/ground/json.js';
import { fromUnstructured } from '../../../mockserver/patch/from-unstructured.js';
import { typeOf } from './built-in-types.js';

const deployment = typeOf('io.k8s.api.apps.v1.Deployment');
const replicas = (value: JsonValue): JsonObject => ({ spec: { replicas: value } });

describe('conversion of untyped JSON', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['an integer', 3, 3],
    ['a whole float', new Float(3), 3],
    ['what does not fit into 32 bits, by its low ones', 2 ** 31, -(2 ** 31)],
    ['a 64-bit integer, the same way', 2n ** 62n + 5n, 5],
    ['null', null, null],
  ])('takes %s', (_name, given, taken) => {
    expect(fromUnstructured(replicas(given), deployment)).toEqual({
      ok: true,
      value: replicas(taken),
      unknown: [],
    });
  });

  test.each<[string, JsonObject, string]>([
    ['fractions', replicas(1.5), 'cannot convert float64 to int32'],
    ['texts for integers', replicas('1'), 'unrecognized type: int32'],
    ['maps for integers', replicas({}), 'unrecognized type: int32'],
    ['integers for texts', { kind: 1 }, 'cannot convert int64 to string'],
    ['floats for texts', { kind: 1.5 }, 'unrecognized type: string'],
    ['numbers for booleans', { spec: { paused: 1 } }, 'unrecognized type: bool'],
    ['texts for maps', { metadata: { labels: 'x' } }, 'cannot restore map from string'],
    ['maps for lists', { metadata: { finalizers: {} } }, 'cannot restore slice from map'],
    ['lists for structs', { spec: [] }, 'cannot restore struct from: slice'],
    [
      'no times',
      { metadata: { creationTimestamp: 5 } },
      'json: cannot unmarshal number into Go value of type string',
    ],
  ])('refuses %s', (_name, value, error) => {
    expect(fromUnstructured(value, deployment)).toEqual({ ok: false, error });
  });

  test('names the first error in the order of the type', () => {
    const value = { spec: { template: 1, replicas: 'x' }, metadata: { labels: 1 } };
    expect(fromUnstructured(value, deployment)).toEqual({
      ok: false,
      error: 'cannot restore map from int64',
    });
  });

  test('names unknown fields with indices, in byte order, all of them', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, i]));
    const value = {
      b: 1,
      spec: { template: { spec: { containers: [{}, { q: 1 }] } } },
      a: 1,
      metadata: many,
    };
    const conversion = fromUnstructured(value, deployment);
    const unknown = conversion.ok ? conversion.unknown : [];
    expect(unknown).toHaveLength(153);
    expect(unknown.slice(0, 3)).toEqual([
      'unknown field "a"',
      'unknown field "b"',
      'unknown field "metadata.x0"',
    ]);
    expect(unknown.at(-1)).toBe('unknown field "spec.template.spec.containers[1].q"');
  });

  test('gives the value back where nothing is to be converted', () => {
    const value = replicas(1);
    const conversion = fromUnstructured(value, deployment);
    expect(conversion.ok && conversion.value).toBe(value);
  });
});
