/** A fault rule: what it matches, what it does, how often. Plain data that a test, a file or a request can hold. */
import { type JsonValue } from '../ground/json.js';

/** `*` stands for any run of characters, `?` for one. Several: any of them. */
export type Pattern = string | readonly string[];

export interface Match {
  /** get, list, watch, create, update, patch, delete, deletecollection; for documents the method in lower case. */
  readonly verb?: Pattern;
  /** `''` is the core group. */
  readonly group?: Pattern;
  readonly version?: Pattern;
  /** The plural; `''` are documents (discovery, OpenAPI, health). */
  readonly resource?: Pattern;
  /** @default '' when a resource is given, else any */
  readonly subresource?: Pattern;
  readonly namespace?: Pattern;
  readonly name?: Pattern;
  readonly userAgent?: Pattern;
  /** Name of the user. */
  readonly user?: Pattern;
  /** Path and query as sent. */
  readonly url?: Pattern;
  /** Whether the request asks for initial events (`sendInitialEvents`). */
  readonly watchList?: boolean;
  /** Whether the request goes on with a list (`continue`). */
  readonly continued?: boolean;
  /** Only the n-th request that matches the rest, counted from 1 for each rule. */
  readonly request?: number;
  /** Only events such as these; the effect then takes place at the event. */
  readonly event?: EventMatch;
}

export interface EventMatch {
  /** `MARKER`: the bookmark that ends the initial events; `BOOKMARK`: the others. */
  readonly type?: EventKind | readonly EventKind[];
  /** Only the n-th event of the watch that matches the rest, counted from 1. */
  readonly number?: number;
  /** `initial`: up to the marker, or in the state a watch begins with; `live`: what follows. */
  readonly phase?: 'initial' | 'live';
  readonly namespace?: Pattern;
  readonly name?: Pattern;
}

export const EVENT_KINDS = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'MARKER', 'ERROR'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A Status that clients are to be told. */
export interface StatusParts {
  readonly code: number;
  /** @default the reason that belongs to the code */
  readonly reason?: string;
  /** @default a text that names the rule */
  readonly message?: string;
  /** Also sent as a Retry-After header. */
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly {
    readonly reason?: string;
    readonly message?: string;
    readonly field?: string;
  }[];
}

export type Effect =
  /** The request waits before it is served. Milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number }
  /** Answers a Status; nothing is committed. */
  | ({ readonly kind: 'status' } & StatusParts)
  /** Answers this body: a text as it is, anything else as JSON. */
  | {
      readonly kind: 'answer';
      /** @default 200 */
      readonly code?: number;
      readonly body: JsonValue;
      /** @default application/json, or text/plain for a text */
      readonly contentType?: string;
    }
  /** Answers 410 with a token to go on with, as for a continue token whose revision is compacted. */
  | { readonly kind: 'expire-continue' }
  /** Resets the connection: of a request before anything is answered, of a watch at the event. */
  | { readonly kind: 'reset' }
  /** Answers nothing and keeps the connection: of a watch, sends nothing any more. */
  | { readonly kind: 'hang' }
  /** Commits, then loses the answer. */
  | { readonly kind: 'lose-answer'; readonly by?: 'reset' | 'hang' | 'status'; readonly status?: StatusParts }
  /** Answers as if committed, and commits nothing. */
  | { readonly kind: 'lose-commit' }
  /** Compacts history before the request is served. @default to the revision of now */
  | { readonly kind: 'compact'; readonly revision?: number }
  /** Stops reading for the client: the watch falls behind until it is resumed, or for so many milliseconds. */
  | { readonly kind: 'stall'; readonly forMs?: number }
  /** Ends the stream in good order: at once, or in the place of the event. */
  | { readonly kind: 'end' }
  /** Sends an ERROR event, then ends the stream. */
  | ({ readonly kind: 'error' } & StatusParts)
  /** Leaves the event out. */
  | { readonly kind: 'drop' }
  /** Sends the event twice. */
  | { readonly kind: 'duplicate' }
  /** Sends the frame in chunks of one byte. */
  | { readonly kind: 'split' }
  /** Sends the first half of the frame, then ends the stream. */
  | { readonly kind: 'half-frame' };

export type EffectKind = Effect['kind'];

export interface FaultRule {
  /** Names the rule in the journal and in `after`. @default `rule-N` */
  readonly name?: string;
  /** @default everything */
  readonly match?: Match;
  readonly effect: Effect;
  /** It fires so many times at the most. @default no bound */
  readonly times?: number;
  /** From 0 to 1: fires by chance, seeded by the plan. @default 1 */
  readonly probability?: number;
  /** Only after the rule of this name has fired. */
  readonly after?: string;
}

/** Where a rule takes place. */
export type Stage = 'request' | 'answer' | 'open' | 'event';

const STAGE_OF: Readonly<Record<EffectKind, Stage>> = {
  delay: 'request',
  status: 'request',
  answer: 'request',
  'expire-continue': 'request',
  reset: 'request',
  hang: 'request',
  'lose-answer': 'answer',
  'lose-commit': 'request',
  compact: 'request',
  stall: 'open',
  end: 'open',
  error: 'open',
  drop: 'event',
  duplicate: 'event',
  split: 'event',
  'half-frame': 'event',
};

/** Effects that can take place at an event. */
const AT_EVENTS: ReadonlySet<EffectKind> = new Set([
  'reset',
  'hang',
  'stall',
  'end',
  'error',
  'drop',
  'duplicate',
  'split',
  'half-frame',
]);

export const canBeAtEvent = (kind: EffectKind): boolean => AT_EVENTS.has(kind);

/** The stage of a rule: at the event when it matches events, else where its effect belongs. */
export const stageOf = ({ match, effect }: FaultRule): Stage =>
  match?.event !== undefined && canBeAtEvent(effect.kind) ? 'event' : STAGE_OF[effect.kind];
