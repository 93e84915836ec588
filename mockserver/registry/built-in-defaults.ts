/** What a server fills in for each built-in kind, the recorded facts and the functions for what they say in words; and what it drops. */
import { type DefaultRecord } from '../../openapi/default-record.js';
import { type GroupVersionKind, apiVersionOf } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { DefaultPlans, hasMembers, ownerOf } from '../schema/defaults/default-plan.js';
import {
  type DefaultFunction,
  type DefaultRules,
  type PlacedValue,
} from '../schema/defaults/default-rules.js';
import { type RuleRecord, literalRules } from '../schema/defaults/literal-rule.js';
import { type MessageTable } from '../schema/message-table.js';
import {
  HOLD_FOR_MESSAGE,
  MAP_DEFAULTS,
  NOT_REGULAR,
  PARTS,
  SAME_DEFAULTS,
  WITHOUT_DEFAULTS,
  WRITTEN_DEFAULTS,
} from './kinds/defaults-all.js';
import { MORE_RECORDS } from './kinds/defaults-records.js';
import { DISABLED_MEMBERS } from './kinds/disabled-members.js';
import { type Fill } from './resource.js';

/**
 * Fills in an object of one kind.
 *
 * Pure and idempotent; the object itself when nothing is missing. What the codec gives goes in; members come out in
 * the order of the wire, parts that nothing was added to are shared. Nothing is remembered of an object.
 */
export type Defaulting = Fill;

export interface BuiltInDefaults {
  /** The function of a kind; one that changes nothing for a kind without a message. Compiled with its first object. */
  defaultsFor(kind: GroupVersionKind): Defaulting;
  /** The same for what belongs to features that are off: it goes. */
  dropsFor(kind: GroupVersionKind): Defaulting;
}

export interface DefaultFacts {
  /** Both are asked for with the first object: they are large. */
  readonly table: () => MessageTable;
  readonly records: () => readonly DefaultRecord[];
  /** Messages may lack members that there are records of, which are then passed over. @default that is an error */
  readonly partial?: boolean;
  /** Full name of the message of a kind; undefined for unknown kinds. */
  messageOf(kind: GroupVersionKind): string | undefined;
}

/** Compiles the defaults of the built-in API. */
export function builtInDefaults(facts: DefaultFacts): BuiltInDefaults {
  return {
    defaultsFor: perKind(facts, () => ({
      table: facts.table(),
      rules: {
        values: placedValues(facts),
        functions: writtenFunctions(),
        mapFunctions: MAP_DEFAULTS,
        untouched: WITHOUT_DEFAULTS,
      },
    })),
    dropsFor: perKind(facts, () => ({
      table: facts.table(),
      rules: { values: [], functions: DISABLED_MEMBERS, mapFunctions: new Map(), untouched: new Set() },
    })),
  };
}

/** One set of rules, compiled when its first kind meets its first object. */
function perKind(
  facts: DefaultFacts,
  load: () => { readonly table: MessageTable; readonly rules: DefaultRules },
): (kind: GroupVersionKind) => Defaulting {
  let plans: DefaultPlans | undefined;
  const planOf = (message: string): DefaultFunction => {
    if (plans === undefined) {
      const { table, rules } = load();
      plans = new DefaultPlans(table, rules);
    }
    return plans.ofKind(message);
  };
  const known = new Map<string, Defaulting>();
  return (kind) => {
    const key = `${apiVersionOf(kind)} ${kind.kind}`;
    let defaulting = known.get(key);
    if (defaulting === undefined) {
      const message = facts.messageOf(kind);
      defaulting = message === undefined ? (object) => object : ofObjects(() => planOf(message));
      known.set(key, defaulting);
    }
    return defaulting;
  };
}

/** Filling in and dropping change none of the members that make an object one. */
function ofObjects(compile: () => DefaultFunction): Defaulting {
  let fill: DefaultFunction | undefined;
  return (object, now) => {
    fill ??= compile();
    // kind, apiVersion and metadata are in the argument, and no rule removes them.
    return fill(object, now) as ApiObject;
  };
}

function placedValues(facts: DefaultFacts): readonly PlacedValue[] {
  const isPlace = (value: PlacedValue): boolean => facts.partial !== true || hasMembers(facts.table(), value);
  const recorded = facts.records().flatMap((record) => {
    const message = messageOfRecord(facts, record.gvk);
    if (message === undefined || NOT_REGULAR.has(record.id)) return [];
    const values = placed(message, record).filter(isPlace);
    return HOLD_FOR_MESSAGE.has(record.gvk) ? values.map((one) => atOwner(facts.table(), one)) : values;
  });
  const values = [...recorded, ...MORE_RECORDS.flatMap((record) => placed(record.message, record))];
  const same = SAME_DEFAULTS.flatMap(([message, like]) =>
    values.filter((one) => one.message === like).map((one) => ({ ...one, message })),
  );
  return [...values, ...same].filter(isPlace);
}

/** A path that starts with a capital starts from the message of that name, beside the one of the record. */
function placed(message: string, record: RuleRecord): readonly PlacedValue[] {
  return (literalRules(record) ?? []).map(({ path, value, replacesEmpty }) => {
    const [first = '', ...rest] = path;
    return /^[A-Z]/.test(first)
      ? { message: message.replace(/[^.]*$/, first), path: rest, value, replacesEmpty }
      : { message, path, value, replacesEmpty };
  });
}

const atOwner = (table: MessageTable, value: PlacedValue): PlacedValue => ({
  ...value,
  message: ownerOf(table, value),
  path: value.path.slice(-1),
});

function messageOfRecord(facts: DefaultFacts, gvk: string): string | undefined {
  if (Object.hasOwn(PARTS, gvk)) return PARTS[gvk];
  const parts = gvk.split('/');
  const [kind = '', version = '', group = ''] = parts.reverse();
  return facts.messageOf({ group, version, kind });
}

function writtenFunctions(): ReadonlyMap<string, readonly DefaultFunction[]> {
  const functions = new Map<string, readonly DefaultFunction[]>();
  for (const { message, fill } of WRITTEN_DEFAULTS) {
    functions.set(message, [...(functions.get(message) ?? []), fill]);
  }
  for (const [message, like] of SAME_DEFAULTS) {
    const shared = functions.get(like);
    if (shared !== undefined) functions.set(message, [...(functions.get(message) ?? []), ...shared]);
  }
  return functions;
}
