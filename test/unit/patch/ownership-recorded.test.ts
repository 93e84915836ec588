import { readFileSync } from 'node:fs';
import {
  type JsonObject,
  type JsonValue,
  jsonEqual,
  setMember,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  member,
} from '../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { type Status, StatusError } from '../../../mockserver/ground/status.js';
import { createOwnership, withOldTimes } from '../../../mockserver/patch/ownership.js';
import { type OwnershipScope } from '../../../mockserver/patch/ownership-scope.js';
import { TREE, definition, object, scopeOf } from './ownership-scopes.js';

interface Case {
  readonly what: string;
  readonly kind: string;
  readonly subresource: string;
  readonly op: 'update' | 'apply';
  readonly writer: string;
  readonly time: string;
  readonly live: ApiObject | null;
  readonly next?: ApiObject;
  readonly creating?: boolean;
  readonly resets?: boolean;
  readonly applied?: JsonObject;
  readonly force?: boolean;
  readonly managedFields?: JsonValue;
  readonly object?: JsonObject;
  readonly status?: Status;
}

const url = new URL('../../../fixtures/recorded/ownership/answers.json', import.meta.url);
// The form is described in the README beside the file.
const recorded = JSON.parse(readFileSync(url, 'utf8')) as {
  readonly thingSchema: JsonObject;
  readonly cases: readonly Case[];
};

const custom = { apiVersion: 'own.io/v1', custom: true } as const;
const free = TREE.custom({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const thing = TREE.custom(recorded.thingSchema);
const apps = definition('io.k8s.api.apps.v1.Deployment');
const service = definition('io.k8s.api.core.v1.Service');
const SCOPES: Readonly<Record<string, OwnershipScope>> = {
  'Thing/': scopeOf({ ...custom, kind: 'Thing', schema: thing, ignored: ['status'] }),
  'Thing/status': scopeOf({
    ...custom,
    kind: 'Thing',
    schema: thing,
    subresource: 'status',
    ignored: ['metadata', 'spec'],
  }),
  'Free/': scopeOf({ ...custom, kind: 'Free', schema: free }),
  'ConfigMap/': scopeOf({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    schema: definition('io.k8s.api.core.v1.ConfigMap'),
  }),
  'Deployment/': scopeOf({ apiVersion: 'apps/v1', kind: 'Deployment', schema: apps, ignored: ['status'] }),
  'Deployment/status': scopeOf({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    schema: apps,
    subresource: 'status',
    ignored: ['spec', 'metadata.labels'],
  }),
  'Service/': scopeOf({ apiVersion: 'v1', kind: 'Service', schema: service, ignored: ['status'] }),
  'Service/status': scopeOf({
    apiVersion: 'v1',
    kind: 'Service',
    schema: service,
    subresource: 'status',
    ignored: ['spec'],
  }),
};
const EMPTY: Readonly<Record<string, JsonObject>> = {
  Deployment: {
    spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  },
  Service: { spec: {}, status: { loadBalancer: {} } },
};

/** What defaults and decoding add or take away is not ownership's: empty parts and nulls do not count. */
function bare(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(bare);
  if (!isJsonObject(value)) return value;
  const out: MutableJsonObject = {};
  for (const name of Object.keys(value)) {
    const one = bare(member(value, name) ?? null);
    const hollow =
      one === null ||
      (isJsonArray(one) && one.length === 0) ||
      (isJsonObject(one) && Object.keys(one).length === 0);
    if (!hollow) setMember(out, name, one);
  }
  return out;
}

/** Whether the second has all that the first has, lists of equal length item by item. */
function within(a: JsonValue, b: JsonValue | undefined): boolean {
  if (isJsonArray(a))
    return isJsonArray(b) && a.length === b.length && a.every((one, i) => within(one, b[i]));
  if (isJsonObject(a))
    return (
      isJsonObject(b) &&
      Object.keys(a).every((name) => name === 'cpu' || within(member(a, name) ?? null, member(b, name)))
    );
  return jsonEqual(a, b);
}

const partsOf = (of: JsonObject, subresource: string): JsonObject =>
  subresource === 'status'
    ? { status: of['status'] ?? {} }
    : {
        ...of,
        status: {},
        metadata: Object.fromEntries(
          Object.entries(isJsonObject(of['metadata']) ? of['metadata'] : {}).filter(([name]) =>
            ['labels', 'annotations', 'finalizers', 'ownerReferences'].includes(name),
          ),
        ),
      };

const causesOf = (status: Status): readonly string[] =>
  (status.details?.causes ?? []).map((cause) => `${cause.field ?? ''} ${cause.message ?? ''}`).sort();

const named = recorded.cases.map((one, i): [string, Case] => [`${one.what} (${i})`, one]);

test.each(named)('%s is answered as a server answered it', (_, one) => {
  const scope = SCOPES[`${one.kind}/${one.subresource}`];
  if (scope === undefined) throw new Error(`no scope for ${one.kind}/${one.subresource}`);
  const ownership = createOwnership();
  const empty = object(scope, EMPTY[one.kind] ?? {});
  const live = one.live ?? empty;
  const now = Date.parse(one.time);
  if (one.next !== undefined) {
    const list = ownership.track(scope, {
      live,
      next: one.next,
      creating: one.creating ?? false,
      resets: one.resets ?? false,
      writer: one.writer,
      now,
    });
    const written = withOldTimes(
      { ...one.next, metadata: { ...one.next.metadata, managedFields: list ?? null } },
      live,
    );
    expect(JSON.stringify(written.metadata['managedFields'])).toBe(JSON.stringify(one.managedFields));
    return;
  }
  const apply = (): ReturnType<typeof ownership.apply> =>
    ownership.apply(scope, {
      live,
      applied: one.applied ?? {},
      writer: one.writer,
      force: one.force ?? false,
      now,
      empty,
    });
  if (one.status !== undefined) {
    let refused: unknown;
    try {
      apply();
    } catch (error) {
      refused = error;
    }
    if (!(refused instanceof StatusError)) throw new Error('not refused');
    expect(causesOf(refused.status)).toEqual(causesOf(one.status));
    expect({ ...refused.status, details: undefined }).toEqual({ ...one.status, details: undefined });
    return;
  }
  const result = apply();
  expect(JSON.stringify(result.managedFields)).toBe(JSON.stringify(one.managedFields));
  expect(
    within(bare(partsOf(result.object, one.subresource)), bare(partsOf(one.object ?? {}, one.subresource))),
  ).toBe(true);
});
