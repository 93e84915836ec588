/** Dates as HTTP headers write them. */
import { formatTime } from '../ground/clock.js';

const DAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;

/** `Sun, 29 Nov 2026 18:09:52 GMT`. @param ms milliseconds since 1970, not before. @param zone `UTC` for Go's RFC 1123. */
export function httpDate(ms: number, zone: 'GMT' | 'UTC' = 'GMT'): string {
  // 1970 began on a Thursday.
  const day = DAYS[Math.floor(ms / DAY_MS) % 7] ?? '';
  const [date = '', time = ''] = formatTime(ms).slice(0, -1).split('T');
  const [year = '', month = '', dayOfMonth = ''] = date.split('-');
  return `${day}, ${dayOfMonth} ${MONTHS[Number(month) - 1] ?? ''} ${year} ${time} ${zone}`;
}

/** The same moment as sortable text (`2026-11-29T18:09:52Z`); undefined when it is no HTTP date. */
export function sortableDate(text: string): string | undefined {
  const match = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  const month = MONTHS.indexOf(match?.[2] ?? '') + 1;
  if (match === null || month === 0) return undefined;
  return `${match[3] ?? ''}-${String(month).padStart(2, '0')}-${match[1] ?? ''}T${match[4] ?? ''}Z`;
}
