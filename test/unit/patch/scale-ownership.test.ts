import {
  type JsonArray,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  stringMember,
} from '../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { createOwnership } from '../../../mockserver/patch/ownership.js';
import { definition, object, scopeOf } from './ownership-scopes.js';

const PATHS = new Map([['apps/v1', 'spec.replicas']]);
const scale = scopeOf({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  subresource: 'scale',
  schema: definition('io.k8s.api.autoscaling.v1.Scale'),
});
const time = '2026-01-01T00:00:00Z';

const entry = (manager: string, operation: string, fields: JsonValue, more = {}): JsonValue => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': fields },
  ...more,
});
const shown = (list: JsonArray | undefined): string[] =>
  (list ?? []).map((one) =>
    isJsonObject(one)
      ? [
          ...['manager', 'operation', 'apiVersion', 'subresource'].map(
            (name) => stringMember(one, name) ?? '',
          ),
          one['time'] === undefined ? '-' : 'T',
          JSON.stringify(one['fieldsV1']),
        ].join(' ')
      : '',
  );

/** Sets the replicas through the scale, and shows the owners of the resource then. */
function scaled(managedFields: JsonArray, writer: string, from: number, to: number): string[] {
  const ownership = createOwnership();
  const parent: ApiObject = {
    apiVersion: 'apps/v1',
    kind: 'D',
    metadata: { name: 'd', uid: 'u', managedFields },
  };
  const before = ownership.ofScale(parent, PATHS);
  const live = object(scale, {
    metadata: { name: 'd', uid: 'u', ...(before === undefined ? {} : { managedFields: before }) },
    spec: { replicas: from },
  });
  const next = { ...live, spec: { replicas: to } };
  const after = ownership.track(scale, { live, next, creating: false, resets: false, writer, now: 0 });
  return shown(ownership.afterScale(parent, after, PATHS, 'apps/v1', 'typed'));
}

// As kube-apiserver 1.36.3 answered them.
describe('a write of the scale', () => {
  test('takes the replicas from who applied them, and has no time', () => {
    expect(scaled([entry('a', 'Apply', { 'f:replicas': {}, 'f:paused': {} })], 's', 1, 2)).toEqual([
      'a Apply apps/v1  T {"f:spec":{"f:paused":{}}}',
      's Update apps/v1 scale - {"f:spec":{"f:replicas":{}}}',
    ]);
  });

  test('that changes nothing parts an updater’s replicas from the rest, in an entry of the same name', () => {
    expect(scaled([entry('c', 'Update', { 'f:replicas': {}, 'f:paused': {} })], 's', 2, 2)).toEqual([
      'c Update apps/v1  - {"f:spec":{"f:replicas":{}}}',
      'c Update apps/v1  T {"f:spec":{"f:paused":{}}}',
    ]);
  });

  test('that changes nothing leaves appliers as they are', () => {
    const entries = [entry('a', 'Apply', { 'f:replicas': {}, 'f:paused': {} })];
    expect(scaled(entries, 's', 2, 2)).toEqual([
      'a Apply apps/v1  T {"f:spec":{"f:paused":{},"f:replicas":{}}}',
    ]);
  });

  test('is not tracked when nobody owns the replicas', () => {
    expect(scaled([entry('c', 'Update', { 'f:paused': {} })], 's', 1, 2)).toEqual([
      'c Update apps/v1  T {"f:spec":{"f:paused":{}}}',
    ]);
  });

  test('forgets owners by a version that the resource does not have', () => {
    expect(scaled([entry('c', 'Update', { 'f:paused': {} }, { apiVersion: 'apps/v0' })], 's', 1, 1)).toEqual(
      [],
    );
  });

  test('of the same writer again keeps one entry', () => {
    const first = [entry('s', 'Update', { 'f:replicas': {} }, { subresource: 'scale' })];
    expect(scaled(first, 's', 1, 2)).toEqual(['s Update apps/v1 scale - {"f:spec":{"f:replicas":{}}}']);
  });
});

test('the scale shows who owns the replicas, in its own version', () => {
  const parent: ApiObject = {
    apiVersion: 'apps/v1',
    kind: 'D',
    metadata: {
      managedFields: [entry('a', 'Apply', { 'f:replicas': {} }), entry('b', 'Update', { 'f:paused': {} })],
    },
  };
  const list = createOwnership().ofScale(parent, PATHS);
  expect(isJsonArray(list)).toBe(true);
  expect(shown(list)).toEqual(['a Apply autoscaling/v1  T {"f:spec":{"f:replicas":{}}}']);
});
