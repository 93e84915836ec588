/** What a random session is made of, as values that fast-check can make, replay and shrink. */
import fc from 'fast-check';
import { type Interest } from './history.js';

export type StartChoice =
  'state' | 'state without bookmark' | 'now' | 'last' | 'last bookmark' | 'floor' | 'below the floor';

export type Step =
  | { readonly kind: 'put'; readonly place: number; readonly color: number }
  | { readonly kind: 'delete'; readonly place: number }
  | { readonly kind: 'burst'; readonly writes: number; readonly place: number }
  /** A commit of another resource. */
  | { readonly kind: 'elsewhere' }
  /** The cache learns of the store's version. */
  | { readonly kind: 'progress' }
  | {
      readonly kind: 'open';
      readonly client: number;
      readonly start: StartChoice;
      readonly interest: Interest;
      readonly bookmarks: boolean;
      readonly timeoutMs: number;
    }
  /** Reads so many events; what it does not ask for stays in the socket. */
  | { readonly kind: 'read'; readonly client: number; readonly events: number }
  /** Reads whatever comes from now on, or stops doing so. */
  | { readonly kind: 'flow'; readonly client: number; readonly on: boolean }
  | { readonly kind: 'close'; readonly client: number }
  /** The dispatcher's and the passes' time. */
  | { readonly kind: 'pace'; readonly ms: number }
  /** The cluster's time: bookmarks, timeouts. */
  | { readonly kind: 'clock'; readonly ms: number }
  /** All watches of the resource are ended. */
  | { readonly kind: 'terminate' };

export interface Settings {
  readonly stallResume: boolean;
  readonly design: 'target' | 'alpha';
  readonly capacity: number;
  readonly channel: number;
  /** Events that fit into a socket. */
  readonly socket: number;
  readonly incoming: number;
  readonly members: number;
  readonly scan: number;
  readonly pushes: number;
  readonly retryRounds: number;
}

export interface Scenario {
  readonly settings: Settings;
  readonly steps: readonly Step[];
}

export const NAMESPACES = ['a', 'b'] as const;
export const NAMES = ['x', 'y', 'z'] as const;
export const COLORS = ['red', 'blue'] as const;
export const CLIENTS = 4;

const client = fc.nat({ max: CLIENTS - 1 });
const place = fc.nat({ max: NAMESPACES.length * NAMES.length - 1 });

const interest: fc.Arbitrary<Interest> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record({ namespace: fc.constantFrom(...NAMESPACES) }),
  fc.record({ namespace: fc.constantFrom(...NAMESPACES), name: fc.constantFrom(...NAMES) }),
  fc.record({ name: fc.constantFrom(...NAMES) }),
  { weight: 2, arbitrary: fc.record({ color: fc.constantFrom(...COLORS) }) },
  fc.record({ namespace: fc.constantFrom(...NAMESPACES), color: fc.constantFrom(...COLORS) }),
);

const start: fc.Arbitrary<StartChoice> = fc.constantFrom(
  'state',
  'state',
  'state without bookmark',
  'now',
  'last',
  'last',
  'last bookmark',
  'floor',
  'below the floor',
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('put' as const), place, color: fc.nat({ max: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('burst' as const),
      writes: fc.integer({ min: 2, max: 14 }),
      place,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'elsewhere' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'progress' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      client,
      start,
      interest,
      bookmarks: fc.boolean(),
      timeoutMs: fc.constantFrom(3_600_000, 3_600_000, 90_000, 5_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      client,
      events: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('flow' as const), client, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), client }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('pace' as const), ms: fc.constantFrom(0, 1, 10, 10, 40, 120) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      ms: fc.constantFrom(1_300, 59_000, 62_000, 130_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'terminate' as const }) },
);

const settings: fc.Arbitrary<Settings> = fc.record({
  stallResume: fc.constantFrom(true, true, true, false),
  design: fc.constantFrom('target' as const, 'target' as const, 'alpha' as const),
  capacity: fc.constantFrom(8, 12, 32, 200),
  channel: fc.integer({ min: 1, max: 4 }),
  socket: fc.integer({ min: 0, max: 3 }),
  incoming: fc.constantFrom(1, 3, 100),
  members: fc.constantFrom(1, 2, 512, 512),
  scan: fc.constantFrom(66, 70, 140, 2000, 2000),
  pushes: fc.constantFrom(1, 3, 10, 2000, 2000),
  retryRounds: fc.constantFrom(0, 2, 2),
});

/** @param steps at most */
export const scenarios = (steps = 40): fc.Arbitrary<Scenario> =>
  fc.record({ settings, steps: fc.array(step, { minLength: 4, maxLength: steps, size: 'max' }) });
