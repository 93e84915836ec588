/** Defaults of built-in kinds against what a real server answered. */
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { messageNameOf } from '../../../openapi/protobuf-message.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  stringMember,
} from '../../../mockserver/ground/json.js';
import { type GroupVersionKind, parseApiVersion } from '../../../mockserver/ground/kind.js';
import { type ApiObject, editMetadata, withMetadata } from '../../../mockserver/ground/object.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { ADMIN } from '../../../mockserver/access/authentication.js';
import { builtInDefaults } from '../../../mockserver/registry/built-in-defaults.js';
import { type KindContext } from '../../../mockserver/registry/kind-context.js';
import { LogBook } from '../../../mockserver/registry/log-book.js';
import { ALL_KIND_RULES } from '../../../mockserver/registry/kinds/all.js';
import { NOT_REGULAR, WRITTEN_DEFAULTS } from '../../../mockserver/registry/kinds/defaults-all.js';
import { MORE_RECORDS } from '../../../mockserver/registry/kinds/defaults-records.js';
import { literalRules } from '../../../mockserver/schema/defaults/literal-rule.js';
import { requestedBy } from '../../../mockserver/registry/kinds/certificate-signing-request.js';
import { allocateForCreate, poolsOf } from '../../../mockserver/registry/kinds/service-allocation.js';
import { builtInStrategy } from '../../../mockserver/registry/strategy.js';
import { codecOf, readRecorded, table } from '../schema/recorded.js';

interface Case {
  readonly id: string;
  readonly sent: JsonObject;
  readonly namespace: string;
  readonly answered: JsonObject;
}

/** Recorded from a running server: one case or more for each rule, and some that the rules do not name. */
const cases = ['created', 'odd'].flatMap(
  (name) => (readRecorded(`fixtures/recorded/defaults/${name}.json`) as { cases: readonly Case[] }).cases,
);
const api = loadBuiltInApi();
const clock = new VirtualClock(Date.UTC(2026, 0, 1));
const context: KindContext = {
  clock,
  random: seededRandom(1),
  logs: new LogBook(clock),
  find: () => undefined,
  listAll: () => [],
  list: () => [],
  follow: () => () => undefined,
};
const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
const definitionNames = new Map(api.resources.map((one) => [keyOf(one), one.definitionName]));
const defaults = builtInDefaults({
  table: () => table,
  records: () => api.defaultRecords,
  messageOf: (kind) => {
    const name = definitionNames.get(keyOf(kind));
    return name === undefined ? undefined : messageNameOf(name);
  },
});

function kindOf(object: JsonObject): GroupVersionKind {
  const parsed = parseApiVersion(stringMember(object, 'apiVersion') ?? '') ?? { group: '', version: '' };
  return { ...parsed, kind: stringMember(object, 'kind') ?? '' };
}

/** What a create makes of an object, without names and times of its own. */
function created({ sent, namespace }: Case): ApiObject {
  const kind = kindOf(sent);
  const codec = codecOf(sent);
  const decoding = codec.decode(structuredClone(sent));
  if (!decoding.ok) throw new Error(decoding.error);
  const fill = defaults.defaultsFor(kind);
  const drop = defaults.dropsFor(kind);
  const decoded = codec.asStored(drop(fill(decoding.object, clock.now()), clock.now()));
  const strategy = builtInStrategy(api.strategyOf(kind), namespace !== '');
  const resource = api.resources.find((one) => keyOf(one) === keyOf(kind));
  const rules = ALL_KIND_RULES.find(
    (one) => one.group === resource?.storage.group && one.resource === resource.resource,
  );
  const stamped = withMetadata(
    decoded,
    editMetadata(decoded.metadata, {
      ...(namespace === '' ? {} : { namespace }),
      ...(strategy.countsGeneration ? { generation: 1 } : {}),
      uid: 'uid',
      name: decoded.metadata['name'] ?? 'made',
    }),
  );
  const reset = strategy.statusResetOnCreate ? codec.arrange(without(stamped, 'status')) : stamped;
  const conversion = rules?.conversions?.find((one) => one.apiVersion === sent['apiVersion']);
  if (conversion !== undefined)
    return fill(codec.arrange(conversion.fromStorage(conversion.toStorage(reset))), clock.now());
  const allocated = allocate(reset);
  const made = fill(codec.arrange(rules?.prepareForCreate?.(allocated, context) ?? allocated), clock.now());
  return rules?.shown?.(made) ?? made;
}

/** What a create does for two kinds with the help of the cluster and of the request's user. */
function allocate(object: ApiObject): ApiObject {
  if (object.kind === 'CertificateSigningRequest') return requestedBy(object, ADMIN);
  if (object.kind !== 'Service') return object;
  const result = allocateForCreate(object, { used: poolsOf([]), random: seededRandom(1), dryRun: true });
  expect(result.errors).toEqual([]);
  return codecOf(object).arrange(result.object);
}

/** The same object where the type can be seen. */
function without(object: ApiObject, name: string): ApiObject {
  const copy = { ...object };
  Reflect.deleteProperty(copy, name);
  return copy;
}

/** The answer with `<any>` and what stands in its place made alike. */
function alike(expected: JsonValue | undefined, actual: JsonValue | undefined): JsonValue | undefined {
  if (expected === '<any>' && actual !== undefined) return '<any>';
  if (isJsonArray(expected) && isJsonArray(actual))
    return actual.map((one, i) => alike(expected[i], one) ?? null);
  if (!isJsonObject(expected) || !isJsonObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(actual).flatMap(([name, one]) =>
      expected[name] === '<maybe>' ? [] : [[name, alike(expected[name], one) ?? null]],
    ),
  );
}

/** The answer without what may or may not be there. */
function withoutMaybe(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => withoutMaybe(one));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === '<maybe>' ? [] : [[name, withoutMaybe(one)]])),
  );
}

function bare(object: ApiObject): JsonObject {
  return withMetadata(object, editMetadata(object.metadata, { uid: undefined }));
}

describe('a create answers what a real server answers', () => {
  // Reviews are answered by checking something, not by storing it.
  const stored = cases.filter(({ sent }) => !stringMember(sent, 'kind')?.endsWith('Review'));
  test.each(stored)('$id', (one) => {
    const actual = alike(one.answered, bare(created(one)));
    expect(JSON.stringify(actual)).toBe(JSON.stringify(withoutMaybe(one.answered)));
  });
});

describe('defaulting', () => {
  const filled = cases.map(({ id, sent }) => {
    const decoding = codecOf(sent).decode(structuredClone(sent));
    if (!decoding.ok) throw new Error(decoding.error);
    return { id, decoded: frozen(decoding.object), fill: defaults.defaultsFor(kindOf(sent)) };
  });

  test.each(filled)('of $id is idempotent, and shares what it need not change', ({ decoded, fill }) => {
    const once = fill(decoded, clock.now());
    expect(fill(once, clock.now())).toBe(once);
    expect(codecOf(once).arrange(once)).toBe(once);
    expect(once.metadata === decoded.metadata || !jsonEqual(once.metadata, decoded.metadata)).toBe(true);
  });

  test('of a kind that nothing is known of changes nothing', () => {
    const object: ApiObject = { apiVersion: 'example.io/v1', kind: 'Widget', metadata: {} };
    expect(defaults.defaultsFor({ group: 'example.io', version: 'v1', kind: 'Widget' })(object, 0)).toBe(
      object,
    );
  });
});

/** Freezes a value to its depths, so that a change of it throws. */
function frozen<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((one: JsonValue) => frozen(one));
    Object.freeze(value);
  }
  return value;
}

describe('the recorded facts', () => {
  const NOTHING_TO_DO =
    'd071 d074 d076 d077 d078 d079 d080 d081 d082 d083 d084 d085 d086 d095 d103 d104 d107 d125 d142 d147 d151 d154 d162 d181 d205 d213 d246 d247 d252 d253 d254';
  const WRITTEN_BY_CODECS = 'd090 d094 d145 d146 d165 d169 d170 d214 d220 d221 d224 d239 d240 d243 d244';
  const DONE_BY_CREATE = 'd135 d136 d137 d138 d139 d140 d149 d157 d172 d173 d174 d192 d202 d242';
  /** Rounded amounts, messages with the defaults of others, parts that are gone through. */
  const FOLLOWING_FROM_OTHERS = 'd108 d161 d171';
  const written = new Set([
    ...WRITTEN_DEFAULTS.flatMap(({ rules }) => rules),
    ...MORE_RECORDS.flatMap(({ rules }) => rules),
  ]);

  test('are all read, written as a function, or known to ask for nothing here', () => {
    const open = api.defaultRecords.filter(
      (one) =>
        literalRules(one) === undefined && !written.has(one.id) && one.value !== 'all that the example adds',
    );
    const known = [NOTHING_TO_DO, WRITTEN_BY_CODECS, DONE_BY_CREATE, FOLLOWING_FROM_OTHERS]
      .join(' ')
      .split(' ');
    expect(open.map(({ id }) => id)).toEqual(known.sort());
  });

  test('are each written once', () => {
    const regular = api.defaultRecords.filter(
      (one) => literalRules(one) !== undefined && !NOT_REGULAR.has(one.id),
    );
    expect(regular.filter(({ id }) => written.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
