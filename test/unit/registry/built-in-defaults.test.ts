/** Defaults of built-in kinds against what a real server answered. */
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { messageNameOf } from '../../../openapi/protobuf-message.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { type JsonObject, type JsonValue, isJsonObject, objectMember } from '../../../mockserver/ground/json.js';
import { type GroupVersionKind, parseApiVersion } from '../../../mockserver/ground/kind.js';
import { type ApiObject, editMetadata, withMetadata } from '../../../mockserver/ground/object.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { builtInDefaults } from '../../../mockserver/registry/built-in-defaults.js';
import { type KindContext } from '../../../mockserver/registry/kind-rules.js';
import { ALL_KIND_RULES } from '../../../mockserver/registry/kinds/all.js';
import { builtInStrategy } from '../../../mockserver/registry/strategy.js';
import { codecOf, readRecorded, table } from '../schema/recorded.js';

interface Case {
  readonly id: string;
  readonly sent: JsonObject;
  readonly namespace: string;
  readonly answered: JsonObject;
}

const { cases } = readRecorded('fixtures/recorded/defaults/created.json') as { cases: readonly Case[] };
const api = loadBuiltInApi();
const clock = new VirtualClock(Date.UTC(2026, 0, 1));
const context: KindContext = { clock, random: seededRandom(1), find: () => undefined };
const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
const definitionNames = new Map(api.resources.map((one) => [keyOf(one), one.definitionName]));
const defaults = builtInDefaults(
  {
    table,
    records: api.defaultRecords,
    messageOf: (kind) => {
      const name = definitionNames.get(keyOf(kind));
      return name === undefined ? undefined : messageNameOf(name);
    },
  },
  clock,
);

function kindOf(object: JsonObject): GroupVersionKind {
  const parsed = parseApiVersion(String(object['apiVersion'])) ?? { group: '', version: '' };
  return { ...parsed, kind: String(object['kind']) };
}

/** What a create makes of an object, without names and times of its own. */
function created({ sent, namespace }: Case): ApiObject {
  const kind = kindOf(sent);
  const codec = codecOf(sent);
  const decoding = codec.decode(structuredClone(sent));
  if (!decoding.ok) throw new Error(decoding.error);
  const fill = defaults.defaultsFor(kind);
  const decoded = fill(decoding.object);
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
    }),
  );
  const { status: _, ...rest } = stamped;
  const reset = strategy.statusResetOnCreate ? { ...rest, ...parts(stamped) } : stamped;
  const conversion = rules?.conversions?.find((one) => one.apiVersion === sent['apiVersion']);
  if (conversion !== undefined) return fill(codec.arrange(conversion.fromStorage(conversion.toStorage(reset))));
  return fill(codec.arrange(rules?.prepareForCreate?.(codec.arrange(reset), context) ?? reset));
}

const parts = ({ apiVersion, kind, metadata }: ApiObject): ApiObject => ({ apiVersion, kind, metadata });

/** The answer with `<any>` and what stands in its place made alike. */
function alike(expected: JsonValue | undefined, actual: JsonValue | undefined): JsonValue | undefined {
  if (expected === '<any>' && actual !== undefined) return '<any>';
  if (Array.isArray(expected) && Array.isArray(actual)) return actual.map((one, i) => alike(expected[i], one) ?? null);
  if (!isJsonObject(expected) || !isJsonObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(actual).flatMap(([name, one]) =>
      expected[name] === '<maybe>' ? [] : [[name, alike(expected[name], one) ?? null]],
    ),
  );
}

const bare = (object: JsonObject): JsonObject => {
  const { uid: _, ...metadata } = objectMember(object, 'metadata') ?? {};
  return { ...object, metadata };
};

test('x', async () => {
  let exact = 0;
  const bad: string[] = [];
  for (const one of cases) {
    let got: string;
    try { got = JSON.stringify(alike(one.answered, bare(created(one)))); } catch (e) { got = String((e as Error).stack); }
    const want = JSON.stringify(one.answered);
    if (got === want) exact++; else bad.push(`${one.id}\n  want ${want}\n  got  ${got}`);
  }
  console.log(exact, cases.length, bad.length);
  (await import('node:fs')).writeFileSync('/tmp/bad.txt', bad.join('\n'));
});
