/** The JSON schema of scenario files. */
import { ValueShape } from '../ground/value-shape.js';
import { type Scenario } from './scenario.js';

type Schema = Readonly<Record<string, unknown>>;

const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const byName = (of: Schema, least = 0): Schema => ({
  type: 'object',
  additionalProperties: of,
  minProperties: least,
});
const whole = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
const number = (minimum: number, maximum?: number): Schema => ({
  type: 'number',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
const BOOLEAN: Schema = { type: 'boolean' };
const TEXT: Schema = { type: 'string' };
/** So long that nobody means it. */
const MOST_MS = 366 * 24 * 3_600_000;
const MS = number(0, MOST_MS);
/** Something that happens again must let time pass. */
const EVERY_MS = number(0.01, MOST_MS);
const US = number(0);

const SERVER = object({
  stallResume: BOOLEAN,
  design: oneOf('target', 'alpha'),
  engine: object({
    dispatchIn: oneOf('commit', 'task'),
    passesIn: oneOf('task', 'dispatcher'),
    resyncAt: oneOf('dispatched', 'history'),
  }),
  budgets: object({
    members: whole(1),
    scan: whole(1),
    intervalOpen: whole(0),
    pushes: whole(1),
    retryPushes: whole(0),
    retryRounds: whole(0),
    wallMs: number(0),
    order: {
      type: 'array',
      uniqueItems: true,
      items: oneOf('room', 'waiting', 'rotation', 'turn', 'position'),
    },
  }),
  periods: object({
    normalMs: EVERY_MS,
    idleMs: EVERY_MS,
    busyMinMs: EVERY_MS,
    busyMaxMs: EVERY_MS,
    maxShare: number(0.001, 1),
  }),
  timeBudget: object({ refillMsPerSecond: number(0, 1000), capMs: number(0) }),
  incomingCapacity: whole(1),
  window: object({ minCapacity: whole(1), maxCapacity: whole(1), freshMs: MS }),
  bookmarks: object({ intervalMs: EVERY_MS, beforeDeadlineMs: MS }),
  channel: object({ least: whole(1), most: whole(1) }),
  pauses: object({ everyMs: EVERY_MS, forMs: MS }, ['everyMs', 'forMs']),
});

const COSTS = object({
  commitUs: US,
  openUs: US,
  selectUs: US,
  pushUs: US,
  intervalUs: US,
  readUs: US,
  wrapUs: US,
  encodeUs: US,
  encodeKbUs: US,
  writeUs: US,
});

const WRITES = object({
  perSecond: number(0, 1_000_000),
  arrivals: oneOf('even', 'poisson'),
  burst: object({ everyMs: EVERY_MS, writes: whole(1) }, ['everyMs', 'writes']),
  what: oneOf('update', 'create'),
  fromMs: MS,
  untilMs: MS,
});

const WATCHERS = object({
  count: whole(0, 1_000_000),
  join: object({ atMs: MS, overMs: MS }),
  scope: oneOf('all', 'namespace', 'name', 'field'),
  start: oneOf('now', 'state'),
  reads: object({
    perSecond: number(0.001),
    stall: object({ fromMs: MS, forMs: MS, everyMs: EVERY_MS, spread: BOOLEAN }, ['fromMs']),
  }),
  link: object({ latencyMs: MS, kbPerSecond: number(0.001), socketBytes: number(0) }),
  reconnect: object({ afterMs: MS, everyMs: EVERY_MS, from: oneOf('last', 'now') }),
});

/** JSON schema, draft 7. */
export const SCENARIO_SCHEMA: Schema = Object.freeze({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A scenario of kube-mockserver simulate',
  ...object(
    {
      description: TEXT,
      seed: whole(0),
      seconds: number(0.001, MOST_MS / 1000),
      measureFromMs: MS,
      objects: object({
        count: whole(0, 1_000_000),
        namespaces: whole(1),
        fieldValues: whole(1),
        bytes: {
          title: 'a number of bytes, or least and most',
          type: ['number', 'object'],
          minimum: 1,
          additionalProperties: false,
          properties: { least: number(1), most: number(1) },
          required: ['least', 'most'],
        },
        zipf: number(0, 10),
      }),
      writes: byName(WRITES),
      watchers: byName(WATCHERS, 1),
      server: SERVER,
      costs: COSTS,
      variants: byName(SERVER, 1),
      cases: byName({ type: 'object' }, 1),
      sweep: byName({ type: 'array', minItems: 1 }, 1),
    },
    ['seconds', 'writes', 'watchers'],
  ),
});

export const SCENARIO = new ValueShape<Scenario>(SCENARIO_SCHEMA);
