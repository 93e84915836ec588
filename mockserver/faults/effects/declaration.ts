/** How an effect is declared, and what declarations share. */
import { type Match } from '../match.js';
import {
  listOf,
  type Members,
  milliseconds,
  needed,
  objectOf,
  text,
  type ValuesOf,
  whole,
} from '../member.js';

/**
 * Where an effect takes place. `request`: before the request is served; `answer`: when it has been; `open`: when a watch
 * begins; `event`: in the place of an event, or of each one when the rule matches no event.
 */
export type Stage = 'request' | 'answer' | 'open' | 'event';

/** What an effect is about, for the reference. */
export type Area = 'request' | 'list' | 'watch' | 'cache' | 'store' | 'server';

export interface Declaration<M extends Members> {
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

/** Shape: what declares the effects of an area. */
export const effectsOf =
  (area: Area) =>
  <M extends Members>(declaration: Omit<Declaration<M>, 'area'>): Declaration<M> => ({
    area,
    ...declaration,
  });

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

export const statusWords = ({ code, reason, retryAfterSeconds }: StatusParts): string =>
  `${code}${reason === undefined ? '' : ` ${reason}`}${retryAfterSeconds === undefined ? '' : ` with Retry-After ${retryAfterSeconds}`}`;

export const waitWords = ({
  ms,
  jitterMs = 0,
}: {
  readonly ms: number;
  readonly jitterMs?: number;
}): string => (jitterMs === 0 ? `${ms} ms` : `${ms} ms and up to ${jitterMs} ms more by chance`);

export const forWords = (forMs: number | undefined, otherwise: string): string =>
  forMs === undefined ? otherwise : `for ${forMs} ms`;

export const DELAY_MEMBERS = {
  ms: needed(milliseconds('how long')),
  jitterMs: milliseconds('as much more by chance, at the most'),
};

export const WATCH: Match = { verb: 'watch' };
export const READ: Match = { verb: ['get', 'list', 'watch'] };
export const WRITE: Match = { verb: ['create', 'update', 'patch', 'delete', 'deletecollection'] };
