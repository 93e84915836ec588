import { Float, type JsonValue } from '../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { fieldErrorText } from '../../../mockserver/ground/field-error.js';
import { customScale } from '../../../mockserver/registry/custom-scale.js';
import { scaleErrors } from '../../../mockserver/schema/structural/replica-counts.js';
import { refusal } from '../refusal.js';

const PATHS = {
  specReplicasPath: '.spec.deep.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.sel',
};
const view = customScale(PATHS, new Map([['ex.io/v1', 'spec.deep.replicas']]));
const widget = (spec: JsonValue, status: JsonValue = {}): ApiObject => ({
  apiVersion: 'ex.io/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', labels: { x: 'y' } },
  spec,
  status,
});
const scale = (spec: JsonValue, metadata = {}): ApiObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', ...metadata },
  spec,
});

test('a scale shows the numbers at the paths of the definition, and what identifies the object', () => {
  expect(view.show(widget({ deep: { replicas: 3 } }, { replicas: 2, sel: 'a in (b)' }))).toEqual({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7' },
    spec: { replicas: 3 },
    status: { replicas: 2, selector: 'a in (b)' },
  });
});

test('an object without the number has no scale to read, but one to write', () => {
  expect(refusal(() => view.show(widget({})))).toMatchObject({
    code: 500,
    message: 'Internal error occurred: the spec replicas field ".spec.deep.replicas" does not exist',
  });
  expect(view.put(widget({}), scale({ replicas: 4 }))).toMatchObject({ spec: { deep: { replicas: 4 } } });
});

test('a patch that leaves an absent number absent is refused', () => {
  const base = view.patchBase?.(widget({}));
  expect(base).toBeDefined();
  expect(refusal(() => view.put(widget({}), base ?? widget({})))).toMatchObject({
    code: 400,
    message: 'the spec replicas field ".spec.deep.replicas" cannot be empty',
  });
});

test('a scale without replicas writes 0', () => {
  expect(view.put(widget({ deep: { replicas: 3 } }), scale({}))).toMatchObject({
    spec: { deep: { replicas: 0 } },
    metadata: { resourceVersion: '7' },
  });
});

test('the version that a scale names is the one that the object must have', () => {
  expect(view.put(widget({}), scale({}, { resourceVersion: '3' })).metadata).toMatchObject({
    resourceVersion: '3',
    labels: { x: 'y' },
  });
});

test.each<[string, ApiObject, string, readonly string[]]>([
  ['good numbers', widget({ deep: { replicas: 1 } }, { replicas: 0 }), '', []],
  ['nothing there', widget({ deep: null }, {}), '', []],
  [
    'a negative number',
    widget({ deep: { replicas: -2 } }),
    '',
    ['.spec.deep.replicas: Invalid value: -2: should be a non-negative integer'],
  ],
  [
    'a number beyond int32',
    widget({}, { replicas: 3_000_000_000 }),
    '',
    ['.status.replicas: Invalid value: 3000000000: should be less than or equal to 2147483647'],
  ],
  [
    'a text',
    widget({ deep: { replicas: 'x' } }),
    '',
    [
      '.spec.deep.replicas: Invalid value: 0: .spec.deep.replicas accessor error: x is of the type string, expected int64',
    ],
  ],
  [
    'a float',
    widget({ deep: { replicas: new Float(2) } }),
    '',
    [
      '.spec.deep.replicas: Invalid value: 0: .spec.deep.replicas accessor error: 2 is of the type float64, expected int64',
    ],
  ],
  [
    'a number where an object should be',
    widget({ deep: 5 }),
    '',
    [
      '.spec.deep.replicas: Invalid value: 0: .spec.deep.replicas accessor error: 5 is of the type int64, expected map[string]interface{}',
    ],
  ],
  [
    'a number as selector',
    widget({}, { sel: 5 }),
    '',
    ['.status.sel: Invalid value: "": .status.sel accessor error: 5 is of the type int64, expected string'],
  ],
  ['a bad spec while the status is written', widget({ deep: 5 }), 'status', []],
])('validation of %s', (_, object, subresource, errors) => {
  expect(
    scaleErrors(object, PATHS, subresource).map((one) => `${one.field}: ${fieldErrorText(one)}`),
  ).toEqual(errors);
});
