/** Builders of rules: each answers plain data, which may be changed further. */
import { type JsonValue } from '../ground/json.js';
import { WATCH_LIST_REFUSED } from './effect-answer.js';
import { type Effect, type EffectOf } from './effects.js';
import { type StatusParts } from './effects/declaration.js';
import { type EventMatch, type Match } from './match.js';
import { type FaultRule, type When } from './rule.js';

/** What a builder may be told besides its matcher. */
export type RuleOptions = When;

const rule = (match: Match, effect: Effect, options: RuleOptions = {}): FaultRule => ({
  ...options,
  match,
  effect,
});

const atEvent = (match: Match, event: EventMatch): Match => ({
  verb: 'watch',
  ...match,
  event: { ...match.event, ...event },
});

export const fault = Object.freeze({
  /** Waits before the request is served. Milliseconds. */
  delay: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'delay', ms }, options),
  /** Answers a Status in place of serving the request. */
  status: (match: Match, status: StatusParts | number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'status', ...(typeof status === 'number' ? { code: status } : status) }, options),
  /** Answers a body of its own: a text as it is, anything else as JSON. */
  answer: (
    match: Match,
    body: JsonValue,
    head: { readonly code?: number; readonly contentType?: string } = {},
    options?: RuleOptions,
  ): FaultRule => rule(match, { kind: 'answer', body, ...head }, options),
  /** 429 with Retry-After. */
  tooManyRequests: (match: Match, retryAfterSeconds = 1, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'status', code: 429, retryAfterSeconds }, options),
  reset: (match: Match, options?: RuleOptions): FaultRule => rule(match, { kind: 'reset' }, options),
  hang: (match: Match, options?: RuleOptions): FaultRule => rule(match, { kind: 'hang' }, options),
  /** The write is committed and its answer is lost: the connection is reset. */
  loseAnswer: (match: Match, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'lose-answer' }, options),
  /** The write is answered and nothing is committed. */
  loseCommit: (match: Match, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'lose-commit' }, options),
  /** Watch-lists are answered 422, as with the server's feature gate off. */
  refuseWatchList: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule({ verb: 'watch', watchList: true, ...match }, WATCH_LIST_REFUSED, options),
  /** The marker that ends initial events is never sent. */
  withholdMarker: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, { type: 'MARKER' }), { kind: 'drop' }, options),
  /** No bookmarks but the marker. */
  withholdBookmarks: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, { type: 'BOOKMARK' }), { kind: 'drop' }, options),
  /** The stream ends in good order after so many initial events. */
  endAfterInitialEvents: (match: Match, count: number, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, { phase: 'initial', number: count + 1 }), { kind: 'end' }, options),
  /** Watches are opened and end at once, without an event. */
  endWatch: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule({ verb: 'watch', ...match }, { kind: 'end' }, options),
  /** Watches are answered 200 and one ERROR event. */
  errorInWatch: (match: Match, status: StatusParts | number, options?: RuleOptions): FaultRule =>
    rule(
      { verb: 'watch', ...match },
      { kind: 'error', ...(typeof status === 'number' ? { code: status } : status) },
      options,
    ),
  /** Watches fall behind until the rule is removed, or for so many milliseconds. */
  stall: (match: Match = {}, forMs?: number, options?: RuleOptions): FaultRule =>
    rule({ verb: 'watch', ...match }, { kind: 'stall', ...(forMs === undefined ? {} : { forMs }) }, options),
  dropEvent: (match: Match, event: EventMatch = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, event), { kind: 'drop' }, options),
  duplicateEvent: (match: Match, event: EventMatch = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, event), { kind: 'duplicate' }, options),
  /** One byte a chunk. */
  splitFrames: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule({ verb: 'watch', ...match }, { kind: 'split' }, options),
  /** Half a frame in the place of the event, then the end. */
  halfFrame: (match: Match, event: EventMatch = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, event), { kind: 'half-frame' }, options),
  /** A whole frame without its newline in the place of the event, then the end. */
  noNewline: (match: Match, event: EventMatch = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, event), { kind: 'no-newline' }, options),
  /** Lists that go on with a continue token are answered 410. */
  expireContinue: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule({ verb: 'list', continued: true, ...match }, { kind: 'expire-continue' }, options),
  /** Any effect: what the other builders make, spelled out. */
  rule: (match: Match, effect: Effect, options?: RuleOptions): FaultRule => rule(match, effect, options),
  /** Serves the request and answers late; a write is committed at once. */
  delayAnswer: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'delay-answer', ms }, options),
  /** Resets the connection and refuses new ones for a while. */
  refuseConnections: (match: Match, forMs: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'refuse', forMs }, options),
  /** The connection is reset in the midst of the body. */
  cutBody: (match: Match, afterBytes?: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'cut-body', ...(afterBytes === undefined ? {} : { afterBytes }) }, options),
  bandwidth: (match: Match, bytesPerSecond: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'bandwidth', bytesPerSecond }, options),
  /** Further pages show the state of now, not that of the first page. */
  inconsistentContinue: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'inconsistent-continue' }, options),
  /** Lists come in pages of that size, whatever they ask for. */
  pageSize: (match: Match, limit: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'page-size', limit }, options),
  /** Each further page of a list comes late. */
  slowPages: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule({ verb: 'list', continued: true, ...match }, { kind: 'delay', ms }, options),
  drip: (match: Match, everyMs: number, events = 1, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'drip', events, everyMs }, options),
  /** Watches end after so long, as by their timeout. */
  timeoutWatch: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'timeout', ms }, options),
  /** The event, and what follows it, comes late. */
  delayEvent: (match: Match, event: EventMatch, ms: number, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, event), { kind: 'delay', ms }, options),
  /** The event comes behind the next ones. */
  reorderEvent: (match: Match, event: EventMatch = {}, behind = 1, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, event), { kind: 'reorder', behind }, options),
  /** Bookmarks, and the marker, name a version that is so much older. */
  staleBookmarks: (match: Match, by: number, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, { type: ['BOOKMARK', 'MARKER'] }), { kind: 'shift-version', by: -by }, options),
  /** The marker comes late. */
  delayMarker: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, { type: 'MARKER' }), { kind: 'delay', ms }, options),
  /** What would be an ERROR event is the end of the stream, without a word: as resources without a watch cache did. */
  closeSilently: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule(atEvent(match, { type: 'ERROR' }), { kind: 'end' }, options),
  joinFrames: (match: Match, frames: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'join', frames }, options),
  lateNewline: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'late-newline', ms }, options),
  /** 504 for a version that has not come yet. */
  tooLargeVersion: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'too-large-version' }, options),
  /** The cache of a resource falls so many milliseconds behind the store. */
  lag: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'lag', ms }, options),
  /** The cache of a resource stands still until the rule is removed. */
  freeze: (match: Match = {}, options?: RuleOptions): FaultRule => rule(match, { kind: 'freeze' }, options),
  /** Reads show what was there so many revisions before. */
  timeTravel: (match: Match, back: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'time-travel', back }, options),
  /** Reads are served by a replica with caches of its own. */
  replica: (match: Match, name: string, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'replica', name }, options),
  reinitialize: (match: Match, forMs: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'reinitialize', forMs }, options),
  /** Drops history up to a revision, or to that of now, before the request is served. */
  compact: (match: Match, revision?: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'compact', ...(revision === undefined ? {} : { revision }) }, options),
  /** Writes pass every check, then their commit fails. */
  failCommit: (match: Match, error: EffectOf<'fail-commit'>['error'], options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'fail-commit', ...(error === undefined ? {} : { error }) }, options),
  /** Writes are committed late. */
  slowCommit: (match: Match, ms: number, options?: RuleOptions): FaultRule =>
    rule({ verb: ['create', 'update', 'patch', 'delete'], ...match }, { kind: 'delay', ms }, options),
  /** Writes of objects are answered 409. */
  conflict: (match: Match, options?: RuleOptions): FaultRule => rule(match, { kind: 'conflict' }, options),
  revisionGap: (match: Match, by: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'revision-gap', by }, options),
  /** The store is restored as it was so many revisions before. */
  restoreBackup: (match: Match, back: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'restore', back }, options),
  restartServer: (match: Match, forMs: number, options?: RuleOptions): FaultRule =>
    rule(match, { kind: 'restart', forMs }, options),
  unhealthy: (check = 'etcd', options?: RuleOptions): FaultRule =>
    rule({}, { kind: 'unhealthy', check }, options),
  /** `1.33` refuses watch-lists, `pre-1.27` does not know them. */
  emulate: (version: EffectOf<'emulate'>['version'], options?: RuleOptions): FaultRule =>
    rule({}, { kind: 'emulate', version }, options),
});
