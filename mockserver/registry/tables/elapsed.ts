/** Elapsed times in words, as people read them in tables. */
import { type JsonValue } from '../../ground/json.js';
import { instantOf } from '../../schema/go-time.js';

const MINUTE_SECONDS = 60;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
const YEAR_HOURS = 365 * DAY_HOURS;

/**
 * A duration with two or three significant figures.
 *
 * Shape: `45s`, `3m20s`, `90m`, `3h5m`, `26h`, `3d4h`, `400d`, `2y30d`, `9y`; `<invalid>` when it lies further
 * back than a clock may be wrong.
 *
 * @param ms milliseconds; fractions of a second are cut off towards zero.
 * Source: apimachinery util/duration/duration.go, HumanDuration.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE_SECONDS) return `${seconds}s`;
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  if (minutes < 10) return joined(minutes, 'm', seconds % MINUTE_SECONDS, 's');
  if (minutes < 3 * HOUR_MINUTES) return `${minutes}m`;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  if (hours < 8) return joined(hours, 'h', minutes % HOUR_MINUTES, 'm');
  if (hours < 2 * DAY_HOURS) return `${hours}h`;
  const days = Math.floor(hours / DAY_HOURS);
  if (hours < 8 * DAY_HOURS) return joined(days, 'd', hours % DAY_HOURS, 'h');
  if (hours < 2 * YEAR_HOURS) return `${days}d`;
  const years = Math.floor(hours / YEAR_HOURS);
  return hours < 8 * YEAR_HOURS ? joined(years, 'y', days % 365, 'd') : `${years}y`;
}

const joined = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;

/** Whether a member holds a time other than the zero time. */
export const isTime = (time: JsonValue | undefined): time is string =>
  typeof time === 'string' && typeof instantOf(time) === 'number';

/** A text about how long ago something was: it is known what was, and the text follows when it is written. */
export class Elapsed {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly #before: string;
  readonly #after: string;

  constructor(since: number, before = '', after = '') {
    this.since = since;
    this.#before = before;
    this.#after = after;
  }

  /** @param now milliseconds since 1970 */
  at(now: number): string {
    return `${this.#before}${humanDuration(now - this.since)}${this.#after}`;
  }
}

/** The time since then; `<unknown>` for an absent or zero time. */
export function timeSince(time: JsonValue | undefined): Elapsed | string {
  const instant = typeof time === 'string' ? instantOf(time) : undefined;
  return typeof instant === 'number' ? new Elapsed(instant) : '<unknown>';
}
