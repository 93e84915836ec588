/** Instants and calendars: RFC 3339 to nanoseconds and back, and the parts of a date in a time zone. */
import { CelError } from './cel-error.js';
import { type Timestamp } from './values.js';

const NANOS = 1_000_000_000n;
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/;

export interface Civil {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly dayOfYear: number;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number): number =>
  (DAYS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);

/** Days since 1970-01-01 of a day of the proleptic Gregorian calendar. */
function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

/** Nanoseconds since 1970; undefined for a text that is no time. */
export function readTimestamp(text: string): bigint | undefined {
  const parts = RFC3339.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [, , , , , , , fraction = '', , sign, zoneHours = '0', zoneMinutes = '0'] = parts;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60 : 60);
  const seconds = daysOf(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  return BigInt(seconds) * NANOS + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** Nanoseconds since 1970 at the beginning of `2024-02-29`; undefined for a text that is no day. */
export const readDate = (text: string): bigint | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTimestamp(`${text}T00:00:00Z`) : undefined;

/** `+01:00` of a text that is a time; `UTC` for `Z`. */
export function zoneOf(text: string): string {
  const [, sign, hours = '', minutes = ''] = /([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  return sign === undefined || Number(hours) + Number(minutes) === 0 ? 'UTC' : `${sign}${hours}:${minutes}`;
}

/** `2024-02-29T10:00:00.5Z`, without needless zeros. */
export function timestampText({ nanos, zone }: Timestamp): string {
  const { year, month, day, hour, minute, second, nanosecond } = civilOf(nanos, zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const fraction = nanosecond === 0 ? '' : `.${String(nanosecond).padStart(9, '0').replace(/0+$/, '')}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${zone === 'UTC' ? 'Z' : zone}`;
}

/**
 * @param zone `UTC`, `+01:00`, `-05:30`, `Europe/Berlin`
 * Errors: a CelError for a zone that there is not.
 */
export function civilOf(nanos: bigint, zone: string): Civil {
  const floor = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;
  const instant = Number(floor(nanos, NANOS));
  const nanosecond = Number(nanos - BigInt(instant) * NANOS);
  const seconds = instant + offsetOf(instant, zone);
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  // Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
    nanosecond,
    weekday: (((days + 4) % 7) + 7) % 7,
    dayOfYear: days - daysOf(year, 1, 1),
  };
}

/** Seconds east of Greenwich. */
function offsetOf(instant: number, zone: string): number {
  if (zone === 'UTC' || zone === '') return 0;
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (fixed !== null) {
    const seconds = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60;
    return fixed[1] === '-' ? -seconds : seconds;
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const found = new Map(format.formatToParts(instant * 1000).map((one) => [one.type, Number(one.value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => found.get(name) ?? 0;
    const days = daysOf(part('year'), part('month'), part('day'));
    return days * 86_400 + part('hour') * 3600 + part('minute') * 60 + part('second') - instant;
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}
