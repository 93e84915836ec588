/** Where watches stood: with live dispatch, behind it, or stalled on purpose. */
import { type JournalEntry } from './journal-entry.js';

/** From a moment on. */
export interface PlaceChange {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A watch that is stalled may be behind as well: it is told of as stalled. */
  readonly state: 'synced' | 'unsynced' | 'stalled';
}

/** By request, oldest first; a watch counts as synced until it is told otherwise. */
export function watchPlaces(entries: readonly JournalEntry[]): ReadonlyMap<number, readonly PlaceChange[]> {
  const places = new Map<number, { stalled: boolean; unsynced: boolean; changes: PlaceChange[] }>();
  for (const entry of entries) {
    if (entry.kind !== 'queue') continue;
    const place = places.get(entry.request) ?? { stalled: false, unsynced: false, changes: [] };
    places.set(entry.request, place);
    if (entry.state === 'stalled' || entry.state === 'resumed') place.stalled = entry.state === 'stalled';
    else place.unsynced = entry.state === 'unsynced';
    const state = place.stalled ? 'stalled' : place.unsynced ? 'unsynced' : 'synced';
    place.changes.push({ at: entry.at, state });
  }
  return new Map([...places].map(([request, { changes }]) => [request, changes]));
}

/** Milliseconds for which watches were not synced, in all. @param now for those that are open */
export function behindMs(entries: readonly JournalEntry[], now: number): number {
  const ends = new Map(
    entries.flatMap((one) => (one.kind === 'end' ? [[one.request, one.at] as const] : [])),
  );
  let total = 0;
  for (const [request, changes] of watchPlaces(entries))
    changes.forEach(({ at, state }, i) => {
      if (state !== 'synced') total += (changes[i + 1]?.at ?? ends.get(request) ?? now) - at;
    });
  return total;
}
