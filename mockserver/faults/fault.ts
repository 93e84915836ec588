/** Builders of rules: each answers plain data, which may be changed further. */
import { type Effect, type EventMatch, type FaultRule, type Match, type StatusParts } from './rule.js';

/** What a builder may be told besides its matcher. */
export type RuleOptions = Pick<FaultRule, 'name' | 'times' | 'probability' | 'after'>;

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
  /** Lists that go on with a continue token are answered 410. */
  expireContinue: (match: Match = {}, options?: RuleOptions): FaultRule =>
    rule({ verb: 'list', continued: true, ...match }, { kind: 'expire-continue' }, options),
});

/** Source: kube-apiserver 1.36 with the feature gate WatchList off. */
const WATCH_LIST_REFUSED: Effect = Object.freeze({
  kind: 'status',
  code: 422,
  message:
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  causes: Object.freeze([
    Object.freeze({
      reason: 'FieldValueForbidden',
      message:
        'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      field: 'sendInitialEvents',
    }),
  ]),
});
