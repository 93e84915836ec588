/** Cron schedules of five fields. Source: github.com/robfig/cron/v3 parser.go, the errors of which reach clients. */
import { goQuote } from '../../ground/revision.js';
import { parseDuration } from '../../ground/go-duration.js';

interface FieldBounds {
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');
const FIELDS: readonly FieldBounds[] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: MONTHS },
  { low: 0, high: 6, names: DAYS },
];
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Shape: undefined for a good schedule. */
export function scheduleProblem(schedule: string): string | undefined {
  let text = schedule;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const blank = text.indexOf(' ');
    text = text.slice(blank < 0 ? text.length : blank).trim();
  }
  if (text.startsWith('@')) return descriptorProblem(text);
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== FIELDS.length)
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [i, bounds] of FIELDS.entries()) {
    for (const range of (parts[i] ?? '').split(',').filter((one) => one !== '')) {
      const problem = rangeProblem(range, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const reading = parseDuration(text.slice('@every '.length));
  return reading.ok ? undefined : `failed to parse duration ${text}: ${reading.error}`;
}

type CronNumber = { readonly value: number } | { readonly problem: string };

function numberOf(text: string, names: readonly string[]): CronNumber {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return { value: names === MONTHS ? named + 1 : named };
  if (!/^[-+]?\d+$/.test(text))
    return {
      problem: `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`,
    };
  const value = Number(text);
  return value < 0 ? { problem: `negative number (${value}) not allowed: ${text}` } : { value };
}

function rangeProblem(text: string, { low, high, names }: FieldBounds): string | undefined {
  const [range = '', step, ...more] = text.split('/');
  const ends = range.split('-');
  let [start, end] = [low, high];
  if (ends[0] !== '*' && ends[0] !== '?') {
    const first = numberOf(ends[0] ?? '', names);
    if ('problem' in first) return first.problem;
    start = end = first.value;
    if (ends.length === 2) {
      const last = numberOf(ends[1] ?? '', names);
      if ('problem' in last) return last.problem;
      end = last.value;
    } else if (ends.length > 2) return `too many hyphens: ${text}`;
  }
  if (more.length > 0) return `too many slashes: ${text}`;
  if (step !== undefined) {
    const every = numberOf(step, []);
    if ('problem' in every) return every.problem;
    if (ends.length === 1 && ends[0] !== '*' && ends[0] !== '?') end = high;
    if (every.value === 0) return `step of range should be a positive number: ${text}`;
  }
  if (start < low) return `beginning of range (${start}) below minimum (${low}): ${text}`;
  if (end > high) return `end of range (${end}) above maximum (${high}): ${text}`;
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${text}` : undefined;
}
