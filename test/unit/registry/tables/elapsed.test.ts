/** Durations in words. */
import { Elapsed, humanDuration, timeSince } from '../../../../mockserver/registry/tables/elapsed.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

test.each([
  ['two seconds ahead', -2 * SECOND, '<invalid>'],
  ['less than two seconds ahead', -2 * SECOND + 1, '0s'],
  ['less than a second ahead', -999, '0s'],
  ['nothing', 0, '0s'],
  ['just short of two minutes', 2 * MINUTE - 1, '119s'],
  ['two minutes', 2 * MINUTE, '2m'],
  ['three minutes and a bit', 3 * MINUTE + 20 * SECOND, '3m20s'],
  ['just short of ten minutes', 10 * MINUTE - 1, '9m59s'],
  ['ten minutes and a bit', 10 * MINUTE + 59 * SECOND, '10m'],
  ['just short of three hours', 3 * HOUR - 1, '179m'],
  ['three hours', 3 * HOUR, '3h'],
  ['three hours and a bit', 3 * HOUR + 5 * MINUTE, '3h5m'],
  ['just short of eight hours', 8 * HOUR - 1, '7h59m'],
  ['eight hours', 8 * HOUR + 30 * MINUTE, '8h'],
  ['just short of two days', 2 * DAY - 1, '47h'],
  ['two days', 2 * DAY, '2d'],
  ['three days and a bit', 3 * DAY + 4 * HOUR, '3d4h'],
  ['eight days', 8 * DAY, '8d'],
  ['just short of two years', 2 * YEAR - 1, '729d'],
  ['two years', 2 * YEAR, '2y'],
  ['two years and a bit', 2 * YEAR + 30 * DAY, '2y30d'],
  ['just short of eight years', 8 * YEAR - 1, '7y364d'],
  ['nine years', 9 * YEAR + 200 * DAY, '9y'],
])('%s', (_name, ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test.each([
  ['absent', undefined],
  ['null', null],
  ['the zero time', '0001-01-01T00:00:00Z'],
])('a time that is %s is unknown', (_name, time) => {
  expect(timeSince(time)).toBe('<unknown>');
});

test.each([
  ['in UTC', '2026-01-02T03:04:05Z', 0],
  ['with a fraction', '2026-01-02T03:04:04.250000Z', 750],
  ['in another zone', '2026-01-02T05:04:05+02:00', 0],
  ['in another zone, with a fraction', '2026-01-02T05:04:04.5+02:00', 500],
])('a time %s is counted from its instant', (_name, time, ms) => {
  expect(timeSince(time)).toEqual(new Elapsed(Date.UTC(2026, 0, 2, 3, 4, 5) - ms));
});
