/** Times as Go reads and writes them in the API: RFC 3339, in UTC. */
import { goQuote } from '../ground/revision.js';

/** `Time` has whole seconds, `MicroTime` exactly six decimals. */
export type TimeForm = 'seconds' | 'micros';

export type TimeReading =
  | { readonly ok: true; /** Canonical text; null for the zero time. */ readonly text: string | null }
  | { readonly ok: false; /** As Go words it. */ readonly error: string };

const LAYOUT = { seconds: '2006-01-02T15:04:05Z07:00', micros: '2006-01-02T15:04:05.000000Z07:00' } as const;
const ZERO = '0001-01-01T00:00:00';
const PLAIN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{6}))?Z$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_SECONDS = 86_400;

/**
 * Reads an RFC 3339 time into the form that is written.
 *
 * Shape: UTC; fractions of a `Time` are dropped; the zero time is null.
 * Errors: the texts of Go's time.ParseError. Source: Go time/format.go; apimachinery meta/v1 time.go, micro_time.go.
 */
export function readTime(text: string, form: TimeForm): TimeReading {
  const plain = PLAIN.exec(text);
  if (plain !== null && (plain[7] !== undefined) === (form === 'micros') && isSound(plain)) {
    return { ok: true, text: text.startsWith(ZERO) && !/\.0*[1-9]/.test(text) ? null : text };
  }
  return new TimeReader(text, form).read();
}

/**
 * The instant that an RFC 3339 text names, in milliseconds since 1970, fractions included.
 *
 * Shape: null for the zero time. Errors: undefined for what Go does not read.
 */
export function instantOf(text: string): number | null | undefined {
  const plain = PLAIN.exec(text);
  if (plain === null || !isSound(plain)) {
    const reading = readTime(text, 'seconds');
    if (!reading.ok) return undefined;
    if (reading.text === null) return null;
    const whole = instantOf(reading.text);
    const fraction = /[.,](\d+)/.exec(text)?.[1];
    return typeof whole === 'number' && fraction !== undefined
      ? whole + Number(`0.${fraction}`) * 1000
      : whole;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = plain.slice(1, 7).map(Number);
  if (year === 1 && text.startsWith(ZERO)) return null;
  const seconds = daysFromEpoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
  return seconds * 1000 + (plain[7] === undefined ? 0 : Number(plain[7]) / 1000);
}

function isSound(parts: RegExpExecArray): boolean {
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    (hour ?? 24) < 24 &&
    (minute ?? 60) < 60 &&
    (second ?? 60) < 60
  );
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** Thrown within this file only, and caught there. */
class TimeError extends Error {}

/** Walks the text along the layout, element by element, as Go does: the first that does not fit is named. */
class TimeReader {
  readonly #all: string;
  readonly #form: TimeForm;
  #rest: string;

  constructor(text: string, form: TimeForm) {
    this.#all = text;
    this.#form = form;
    this.#rest = text;
  }

  read(): TimeReading {
    try {
      return { ok: true, text: this.#parts() };
    } catch (error) {
      if (error instanceof TimeError) return { ok: false, error: error.message };
      throw error;
    }
  }

  #parts(): string | null {
    const year = this.#year();
    this.#literal('-');
    const month = this.#number('01', { low: 1, high: 12, what: 'month' });
    this.#literal('-');
    const day = this.#number('02');
    this.#literal('T');
    const hour = this.#number('15', { low: 0, high: 23, what: 'hour', short: true });
    this.#literal(':');
    const minute = this.#number('04', { low: 0, high: 59, what: 'minute' });
    this.#literal(':');
    const second = this.#number('05', { low: 0, high: 59, what: 'second' });
    const micros = this.#fraction();
    const offset = this.#zone();
    if (this.#rest !== '') this.#stop(`: extra text: ${goQuote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#stop(': day out of range');
    const seconds =
      daysFromEpoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second - offset;
    return writeTime(seconds, this.#form === 'micros' ? micros : undefined);
  }

  #stop(message: string): never {
    throw new TimeError(`parsing time ${goQuote(this.#all)}${message}`);
  }

  #misfit(element: string, at: string): never {
    throw new TimeError(
      `parsing time ${goQuote(this.#all)} as ${goQuote(LAYOUT[this.#form])}: cannot parse ${goQuote(at)} as ${goQuote(element)}`,
    );
  }

  #literal(text: string): void {
    if (!this.#rest.startsWith(text)) this.#misfit(text, this.#rest);
    this.#rest = this.#rest.slice(text.length);
  }

  #year(): number {
    const digits = /^\d{4}/.exec(this.#rest)?.[0];
    if (digits === undefined) this.#misfit('2006', this.#rest);
    this.#rest = this.#rest.slice(4);
    return Number(digits);
  }

  #number(element: string, range?: { low: number; high: number; what: string; short?: boolean }): number {
    const digits = (range?.short === true ? /^\d\d?/ : /^\d\d/).exec(this.#rest)?.[0];
    if (digits === undefined) this.#misfit(element, this.#rest);
    this.#rest = this.#rest.slice(digits.length);
    const value = Number(digits);
    if (range !== undefined && (value < range.low || value > range.high))
      this.#stop(`: ${range.what} out of range`);
    return value;
  }

  /** Microseconds. A `Time` may have any fraction, which is dropped; a `MicroTime` must have six digits. */
  #fraction(): number {
    if (this.#form === 'seconds') {
      this.#rest = this.#rest.replace(/^[.,]\d+/, '');
      return 0;
    }
    const digits = /^[.,](\d{6})/.exec(this.#rest)?.[1];
    if (digits === undefined) this.#misfit('.000000', this.#rest);
    this.#rest = this.#rest.slice(7);
    return Number(digits);
  }

  /** Seconds east of Greenwich. */
  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const parts = /^([+-])(\d\d):(\d\d)/.exec(this.#rest);
    if (parts === null) this.#misfit('Z07:00', this.#rest);
    this.#rest = this.#rest.slice(6);
    const [hours, minutes] = [Number(parts[2]), Number(parts[3])];
    if (hours > 24) this.#stop(': time zone offset hour out of range');
    if (minutes > 60) this.#stop(': time zone offset minute out of range');
    return (parts[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }
}

/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar. */
function daysFromEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

/** The inverse of daysFromEpoch. */
function dateOf(days: number): readonly [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  return [
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1,
  ];
}

/**
 * The text of an instant.
 *
 * Shape: null for the zero time.
 * @param seconds since 1970, whole
 * @param micros of the second; undefined: a `Time`, which shows none
 */
export function writeTime(seconds: number, micros: number | undefined): string | null {
  const [year, month, day] = dateOf(Math.floor(seconds / DAY_SECONDS));
  const rest = ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const text = `${date}T${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  if (text === ZERO && (micros ?? 0) === 0) return null;
  return `${text}${micros === undefined ? '' : `.${String(micros).padStart(6, '0')}`}Z`;
}
