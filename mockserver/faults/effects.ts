/** Every effect, declared once: its type, its JSON schema, the reference in docs/faults.md and its words come from here. */
import { type Match } from './match.js';
import {
  anything,
  flag,
  listOf,
  type Members,
  milliseconds,
  needed,
  objectOf,
  oneOf,
  text,
  type ValuesOf,
  whole,
} from './member.js';

/**
 * Where an effect takes place. `request`: before the request is served; `answer`: when it has been; `open`: when a watch
 * begins; `event`: in the place of an event, or of each one when the rule matches no event.
 */
export type Stage = 'request' | 'answer' | 'open' | 'event';

/** What an effect is about, for the reference. */
export type Area = 'request' | 'list' | 'watch' | 'cache' | 'store' | 'server';

interface Declaration<M extends Members> {
  readonly area: Area;
  readonly stage: Stage;
  /** Whether it can also take place at an event that the rule matches. */
  readonly atEvents: boolean;
  /** For the reference, and for `explain` where there are no `words`. */
  readonly says: string;
  readonly members: M;
  /** What a request must be besides what the rule matches. @default anything */
  readonly needs?: Match;
  /** What one such effect does: goes on behind "then". @default `says` */
  readonly words?: (given: ValuesOf<M>) => string;
}

const effect = <M extends Members>(declaration: Declaration<M>): Declaration<M> => declaration;

export const STATUS_MEMBERS = {
  code: needed(whole('the HTTP code', 400, 599)),
  reason: text('the reason; by default that of the code'),
  message: text('the message; by default one that names the rule'),
  retryAfterSeconds: whole('also sent as a Retry-After header', 0),
  causes: listOf(
    objectOf({ reason: text('why'), message: text('in words'), field: text('of the request') }, 'one cause'),
    'details.causes',
  ),
};

/** A Status that clients are to be told. */
export type StatusParts = ValuesOf<typeof STATUS_MEMBERS>;

const statusWords = ({ code, reason, retryAfterSeconds }: StatusParts): string =>
  `${code}${reason === undefined ? '' : ` ${reason}`}${retryAfterSeconds === undefined ? '' : ` with Retry-After ${retryAfterSeconds}`}`;

const waitWords = ({ ms, jitterMs = 0 }: { readonly ms: number; readonly jitterMs?: number }): string =>
  jitterMs === 0 ? `${ms} ms` : `${ms} ms and up to ${jitterMs} ms more by chance`;

const forWords = (forMs: number | undefined, otherwise: string): string =>
  forMs === undefined ? otherwise : `for ${forMs} ms`;

const DELAY_MEMBERS = {
  ms: needed(milliseconds('how long')),
  jitterMs: milliseconds('as much more by chance, at the most'),
};

/** What an older server said of its trouble with etcd. Source: etcd api/v3rpc/rpctypes/error.go. */
export const COMMIT_ERRORS = {
  'request timed out': 'etcdserver: request timed out',
  'leader changed': 'etcdserver: leader changed',
  'no leader': 'etcdserver: no leader',
} as const;

// as: the keys of the object above
const COMMIT_ERROR_NAMES = Object.keys(COMMIT_ERRORS) as (keyof typeof COMMIT_ERRORS)[];

const READS = ['get', 'list', 'watch'];
const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const CONTINUED: Match = { verb: 'list', continued: true };
const WATCH: Match = { verb: 'watch' };
const READ: Match = { verb: READS };
const WRITE: Match = { verb: WRITES };

export const EFFECTS = {
  delay: effect({
    area: 'request',
    stage: 'request',
    atEvents: true,
    says: 'waits before the request is served; with an event matcher, before the event and what follows it',
    members: DELAY_MEMBERS,
    words: (given) => `waits ${waitWords(given)}`,
  }),
  'delay-answer': effect({
    area: 'request',
    stage: 'answer',
    atEvents: false,
    says: 'serves the request, a write is committed, and waits before it answers',
    members: DELAY_MEMBERS,
    words: (given) => `serves the request and waits ${waitWords(given)} before it answers`,
  }),
  status: effect({
    area: 'request',
    stage: 'request',
    atEvents: false,
    says: 'answers a Status in place of serving the request',
    members: STATUS_MEMBERS,
    words: (given) => `answers ${statusWords(given)}`,
  }),
  answer: effect({
    area: 'request',
    stage: 'request',
    atEvents: false,
    says: 'answers a body of its own',
    members: {
      code: whole('200 by default', 200, 599),
      body: needed(anything('a text as it is, anything else as JSON')),
      contentType: text('application/json by default, text/plain for a text'),
    },
    words: ({ code = 200 }) => `answers ${code} with a body of the rule's own`,
  }),
  reset: effect({
    area: 'request',
    stage: 'request',
    atEvents: true,
    says: 'resets the connection, in place of an answer or of an event',
    members: {},
  }),
  hang: effect({
    area: 'request',
    stage: 'request',
    atEvents: true,
    says: 'answers nothing and keeps the connection; of a watch, sends nothing any more',
    members: {},
  }),
  refuse: effect({
    area: 'request',
    stage: 'request',
    atEvents: false,
    says: 'resets the connection, and the server refuses every new one for a while',
    members: { forMs: milliseconds('how long; 1000 by default') },
    words: ({ forMs = 1000 }) => `resets the connection and refuses new ones for ${forMs} ms`,
  }),
  'lose-answer': effect({
    area: 'request',
    stage: 'answer',
    atEvents: false,
    says: 'serves the request, a write is committed, and loses the answer',
    members: {
      by: oneOf(['reset', 'hang', 'status'], 'what the client meets; reset by default'),
      status: objectOf(STATUS_MEMBERS, 'the Status, by `status`'),
    },
    words: ({ by = 'reset', status }) =>
      `commits and loses the answer (${by === 'status' && status !== undefined ? statusWords(status) : by})`,
  }),
  'lose-commit': effect({
    area: 'request',
    stage: 'request',
    atEvents: false,
    needs: WRITE,
    says: 'answers as if a write had been committed, and commits nothing',
    members: {},
  }),
  'cut-body': effect({
    area: 'request',
    stage: 'answer',
    atEvents: false,
    says: 'resets the connection in the midst of the body, compressed or not',
    members: { afterBytes: whole('of the body as sent; half of it by default', 0) },
    words: ({ afterBytes }) =>
      `resets the connection after ${afterBytes === undefined ? 'half of the body' : `${afterBytes} bytes of the body`}`,
  }),
  bandwidth: effect({
    area: 'request',
    stage: 'answer',
    atEvents: true,
    says: 'sends the body, or the events of a watch, so many bytes a second',
    members: { bytesPerSecond: needed(whole('how many', 1)) },
    words: ({ bytesPerSecond }) => `sends ${bytesPerSecond} bytes a second`,
  }),
  'expire-continue': effect({
    area: 'list',
    stage: 'request',
    atEvents: false,
    needs: CONTINUED,
    says: 'answers 410, with a token for the rest, as for a continue token whose revision is compacted',
    members: {},
  }),
  'inconsistent-continue': effect({
    area: 'list',
    stage: 'request',
    atEvents: false,
    needs: CONTINUED,
    says: 'goes on with a list at the state of now, not at that of its first page',
    members: {},
  }),
  'page-size': effect({
    area: 'list',
    stage: 'request',
    atEvents: false,
    needs: { verb: 'list' },
    says: 'answers lists in pages of that size, whatever limit and version they ask for',
    members: { limit: needed(whole('objects in a page', 1)) },
    words: ({ limit }) => `answers in pages of ${limit}`,
  }),
  stall: effect({
    area: 'watch',
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'takes nothing for the client, as one that stops reading: the watch falls behind',
    members: { forMs: milliseconds('how long; until the rule is removed by default') },
    words: ({ forMs }) => `stalls the watch ${forWords(forMs, 'until the rule is removed')}`,
  }),
  drip: effect({
    area: 'watch',
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'stalls the watch and lets a few events out now and then',
    members: {
      events: whole('how many at a time; 1 by default', 1),
      everyMs: needed(milliseconds('how often')),
    },
    words: ({ events = 1, everyMs }) => `stalls the watch and lets ${events} out every ${everyMs} ms`,
  }),
  end: effect({
    area: 'watch',
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'ends the stream in good order, at once or in place of the event',
    members: {},
  }),
  timeout: effect({
    area: 'watch',
    stage: 'open',
    atEvents: false,
    needs: WATCH,
    says: 'ends the watch as its timeout does, after so long',
    members: { ms: needed(milliseconds('how long')) },
    words: ({ ms }) => `ends the watch after ${ms} ms`,
  }),
  error: effect({
    area: 'watch',
    stage: 'open',
    atEvents: true,
    needs: WATCH,
    says: 'sends an ERROR event with a Status, then ends the stream, at once or in place of the event',
    members: STATUS_MEMBERS,
    words: (given) => `sends an ERROR event ${statusWords(given)} and ends the stream`,
  }),
  drop: effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'leaves the event out',
    members: {},
  }),
  duplicate: effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the event twice',
    members: {},
  }),
  reorder: effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the event behind later ones',
    members: { behind: whole('how many later ones; 1 by default', 1) },
    words: ({ behind = 1 }) => `sends the event behind the next ${behind}`,
  }),
  'shift-version': effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'gives a bookmark, or the marker, an older or a later version',
    members: {
      by: needed(whole('added to its revision; negative: an older one', -1_000_000_000, 1_000_000_000)),
    },
    words: ({ by }) => `names a version that differs by ${by}`,
  }),
  split: effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'cuts the frame into chunks',
    members: {
      size: whole('bytes of a chunk; 1 by default', 1),
      at: oneOf(
        ['characters', 'escapes'],
        'cut inside every character of several bytes, or every escape, alone',
      ),
      pauseMs: milliseconds('between two chunks; none by default'),
    },
    words: ({ size = 1, at }) =>
      at === undefined ? `sends chunks of ${size} bytes` : `cuts the frame inside its ${at}`,
  }),
  join: effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends several frames in one chunk',
    members: {
      frames: needed(whole('how many', 2)),
      withinMs: milliseconds('how long to wait for them; 1000 by default'),
    },
    words: ({ frames }) => `sends ${frames} frames in one chunk`,
  }),
  'late-newline': effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends the frame without its newline, and that later',
    members: { ms: needed(milliseconds('how much later')) },
    words: ({ ms }) => `sends the newline of the frame ${ms} ms later`,
  }),
  'half-frame': effect({
    area: 'watch',
    stage: 'event',
    atEvents: true,
    needs: WATCH,
    says: 'sends half of the frame, then ends the stream',
    members: {},
  }),
  'too-large-version': effect({
    area: 'cache',
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'answers 504 "Too large resource version", a watch-list by an ERROR event',
    members: {},
  }),
  lag: effect({
    area: 'cache',
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the cache of the resource hears of commits late, until the rule is removed',
    members: {
      ms: milliseconds('by how much'),
      revisions: whole('or by how many commits', 1),
    },
    words: ({ ms, revisions }) =>
      `the cache of the resource falls ${revisions === undefined ? `${ms ?? 0} ms` : `${revisions} commits`} behind the store`,
  }),
  freeze: effect({
    area: 'cache',
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the cache of the resource hears of no commit',
    members: { forMs: milliseconds('how long; until the rule is removed by default') },
    words: ({ forMs }) =>
      `the cache of the resource stands still ${forWords(forMs, 'until the rule is removed')}`,
  }),
  'time-travel': effect({
    area: 'cache',
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the request is served as by a replica that stopped at an older revision',
    members: {
      back: whole('how many revisions before the first request; 1 by default', 1),
      revision: whole('or which one', 1),
    },
    words: ({ back = 1, revision }) =>
      `reads what was there ${revision === undefined ? `${back} revisions before` : `at revision ${revision}`}`,
  }),
  replica: effect({
    area: 'cache',
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the request is served by a replica of that name, with caches of its own',
    members: { name: needed(text('the name; see server.replicas')) },
    words: ({ name }) => `is served by the replica ${name}`,
  }),
  reinitialize: effect({
    area: 'cache',
    stage: 'request',
    atEvents: false,
    needs: READ,
    says: 'the cache of the resource is built anew: its watches end, and reads of it are answered 429 meanwhile',
    members: { forMs: milliseconds('how long; 1000 by default') },
    words: ({ forMs = 1000 }) => `builds the cache of the resource anew, for ${forMs} ms`,
  }),
  compact: effect({
    area: 'store',
    stage: 'request',
    atEvents: false,
    says: 'drops history before the request is served',
    members: { revision: whole('up to which revision; to that of now by default', 1) },
    words: ({ revision }) =>
      `compacts history ${revision === undefined ? 'to now' : `to revision ${revision}`}`,
  }),
  'fail-commit': effect({
    area: 'store',
    stage: 'request',
    atEvents: false,
    needs: WRITE,
    says: 'a write passes every check, then its commit fails with an error of etcd (500); nothing is stored',
    members: {
      error: oneOf(COMMIT_ERROR_NAMES, 'which; request timed out by default'),
    },
    words: ({ error = 'request timed out' }) => `fails the commit: ${COMMIT_ERRORS[error]}`,
  }),
  conflict: effect({
    area: 'store',
    stage: 'request',
    atEvents: false,
    needs: { verb: ['update', 'patch', 'delete'] },
    says: 'a write of an object meets somebody who wrote it first',
    members: {
      by: oneOf(
        ['answer', 'write'],
        'answer: 409, whatever the client sent (default); write: the object really gets a new revision first',
      ),
    },
    words: ({ by = 'answer' }) =>
      by === 'answer' ? 'answers 409 Conflict' : 'writes the object first, so that its version has moved',
  }),
  'revision-gap': effect({
    area: 'store',
    stage: 'request',
    atEvents: false,
    says: 'leaves revisions out before the request is served, as if other resources had been written',
    members: { by: needed(whole('how many', 1)) },
    words: ({ by }) => `leaves ${by} revisions out`,
  }),
  restore: effect({
    area: 'store',
    stage: 'request',
    atEvents: false,
    says: 'restores the store as it was, as from a backup: revisions go back, watches end, caches are built anew',
    members: {
      back: whole('how many revisions; 1 by default', 1),
      revision: whole('or to which one', 1),
    },
    words: ({ back = 1, revision }) =>
      `restores the store ${revision === undefined ? `${back} revisions back` : `to revision ${revision}`}`,
  }),
  restart: effect({
    area: 'server',
    stage: 'request',
    atEvents: false,
    says: 'stops the server and starts it again: connections are reset and refused meanwhile',
    members: {
      forMs: milliseconds('how long; 1000 by default'),
      keepHistory: flag('whether watches can be resumed; by default caches begin anew'),
    },
    words: ({ forMs = 1000, keepHistory = false }) =>
      `stops the server for ${forMs} ms and starts it with ${keepHistory ? 'its' : 'no'} history`,
  }),
  unhealthy: effect({
    area: 'server',
    stage: 'request',
    atEvents: false,
    needs: { url: ['/healthz*', '/livez*', '/readyz*'] },
    says: 'health endpoints answer 500, as when a check fails',
    members: { check: text('which; etcd by default') },
    words: ({ check = 'etcd' }) => `fails the health check ${check}`,
  }),
  emulate: effect({
    area: 'server',
    stage: 'request',
    atEvents: false,
    needs: { verb: 'watch', watchList: true },
    says: 'treats watch-lists as an older server does',
    members: {
      version: needed(
        oneOf(
          ['1.33', 'pre-1.27'],
          '1.33: refused with 422, the feature is off; pre-1.27: the parameter is ignored',
        ),
      ),
    },
    words: ({ version }) =>
      version === '1.33' ? 'refuses watch-lists with 422' : 'ignores that initial events are asked for',
  }),
};

export type EffectKind = keyof typeof EFFECTS;

/** What an effect of a kind holds besides its kind. */
export type EffectMembers<K extends EffectKind> = ValuesOf<(typeof EFFECTS)[K]['members']>;

export type EffectOf<K extends EffectKind> = { readonly kind: K } & EffectMembers<K>;

export type Effect = { [K in EffectKind]: EffectOf<K> }[EffectKind];

// as: the keys of the declaration
export const EFFECT_KINDS = Object.keys(EFFECTS) as EffectKind[];

export const isEffectKind = (kind: unknown): kind is EffectKind =>
  typeof kind === 'string' && Object.hasOwn(EFFECTS, kind);

/** What an effect does, in words. */
export function effectWords(given: Effect): string {
  // as: the words of a kind take what its effects hold
  const { says, words } = EFFECTS[given.kind] as Declaration<Members>;
  return words === undefined ? says : words(given);
}
