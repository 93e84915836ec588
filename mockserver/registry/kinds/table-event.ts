/** The table of events. */
import { type ApiObject } from '../../ground/object.js';
import { type CellValue, countAt, nameCell, objectAt, textAt, valueAt } from '../tables/cell.js';
import { isTime, timeSince } from '../tables/elapsed.js';
import { type KindTable } from '../tables/kind-table.js';

const eventCells: Pick<KindTable, 'row'> = {
  row(event) {
    const firstSeen = firstSeenOf(event);
    const series = objectAt(event, 'series');
    const last = valueAt(event, ['lastTimestamp']);
    const lastSeen =
      series !== undefined
        ? timeSince(valueAt(series, ['lastObservedTime']))
        : isTime(last)
          ? timeSince(last)
          : firstSeen;
    return [
      lastSeen,
      textAt(event, 'type'),
      textAt(event, 'reason'),
      targetOf(event),
      textAt(event, 'involvedObject', 'fieldPath'),
      sourceOf(event),
      trimmed(textAt(event, 'message')),
      firstSeen,
      // Events of the newer kind that happened once have no count.
      series !== undefined ? countAt(series, 'count') : countAt(event, 'count') || 1,
      nameCell(event),
    ];
  },
};

export const eventTable: KindTable = { group: '', kind: 'Event', ...eventCells };
export const newEventTable: KindTable = { group: 'events.k8s.io', kind: 'Event', ...eventCells };

function firstSeenOf(event: ApiObject): CellValue {
  const first = valueAt(event, ['firstTimestamp']);
  return timeSince(isTime(first) ? first : valueAt(event, ['eventTime']));
}

function targetOf(event: ApiObject): string {
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = textAt(event, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceOf(event: ApiObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  const instance = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}

const BLANK = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const OUTER_BLANKS = new RegExp(`^${BLANK}|${BLANK}$`, 'g');

/** Without blanks at the ends, as Go counts blanks. */
const trimmed = (text: string): string => text.replace(OUTER_BLANKS, '');
