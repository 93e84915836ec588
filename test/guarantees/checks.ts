/** The guarantees of a watch, each a function of the history and of one session's record. */
import { type Expected, type History, placeText } from './history.js';
import { type Seen, type Session } from './session.js';

export interface Circumstances {
  readonly stallResume: boolean;
  /** Values that the window's floor has had, in rising order; undefined: not known. */
  readonly floors: readonly number[] | undefined;
}

/** The parts of what was seen. */
interface Parts {
  /** Synthetic ADDED events of a start from the state. */
  readonly initial: readonly Extract<Seen, { kind: 'event' }>[];
  readonly endBookmarks: readonly number[];
  /** Whether the initial part is over for sure. */
  readonly initialDone: boolean;
  /** What follows the initial part. */
  readonly live: readonly Seen[];
  /** The revision above which live events begin; undefined: not known. */
  readonly above: number | undefined;
}

/** Sentences about what is broken. Shape: empty when all guarantees hold. */
export function violations(history: History, session: Session, circumstances: Circumstances): string[] {
  const parts = split(history, session);
  return [
    ...initialEvents(history, session, parts),
    ...orderAndSelection(history, session, parts),
    ...bookmarks(history, session, parts),
    ...termination(history, session, parts, circumstances),
    ...complete(history, session, parts),
  ];
}

const isEvent = (one: Seen): one is Extract<Seen, { kind: 'event' }> => one.kind === 'event';

function split(history: History, { start, interest, openedAt, seen }: Session): Parts {
  if (start.kind === 'after')
    return { initial: [], endBookmarks: ends(seen), initialDone: true, live: seen, above: start.revision };
  let at: number;
  if (start.endBookmark) {
    at = seen.findIndex((one) => one.kind === 'bookmark' && one.initialEventsEnd);
  } else {
    // No marker: as many as the state had.
    const count = openedAt === undefined ? 0 : history.stateAt(openedAt, interest).length;
    at = seen.length >= count && seen.slice(0, count).every(isEvent) ? count : -1;
  }
  const done = at >= 0;
  const until = done ? at : seen.findIndex((one) => one.kind !== 'event');
  const initial = (until < 0 ? seen : seen.slice(0, until)).filter(isEvent);
  const marker = seen[at];
  const live = done ? seen.slice(start.endBookmark ? at + 1 : at) : until < 0 ? [] : seen.slice(until);
  const above =
    start.endBookmark && marker?.kind === 'bookmark' ? marker.revision : done ? openedAt : undefined;
  return { initial, endBookmarks: ends(seen), initialDone: done, live, above };
}

const ends = (seen: readonly Seen[]): number[] =>
  seen.flatMap((one) => (one.kind === 'bookmark' && one.initialEventsEnd ? [one.revision] : []));

/** Initial: the state at one revision, in key order, ended by one marked bookmark where one was asked for. */
function initialEvents(history: History, session: Session, parts: Parts): string[] {
  const { start, interest, openedAt } = session;
  if (start.kind === 'after')
    return parts.endBookmarks.length === 0 ? [] : ['an end of initial events nobody asked for'];
  const at = openedAt ?? parts.endBookmarks[0];
  const found: string[] = [];
  if (parts.endBookmarks.length > (start.endBookmark ? 1 : 0)) found.push('too many ends of initial events');
  if (openedAt !== undefined && parts.endBookmarks[0] !== undefined && parts.endBookmarks[0] < openedAt)
    found.push(`initial events end at ${parts.endBookmarks[0]}, the state was of ${openedAt}`);
  if (at === undefined) return found;
  const wanted = history.stateAt(at, interest).map((one) => `${placeText(one)}@${one.revision}`);
  const got = parts.initial.map((one) => `${one.place}@${one.revision}`);
  const shown = parts.initialDone ? wanted : wanted.slice(0, got.length);
  if (shown.join() !== got.join())
    found.push(`initial events of ${at}: [${got.join(' ')}] instead of [${shown.join(' ')}]`);
  if (parts.initial.some((one) => one.type !== 'ADDED')) found.push('an initial event that is not ADDED');
  return found;
}

/** Ordered, unique, reliable, resumable, filtered, typed: live events are the model's, from the first one on. */
function orderAndSelection(history: History, { interest }: Session, { live, above }: Parts): string[] {
  const events = live.filter(isEvent);
  if (events.length === 0) return [];
  if (above === undefined) return ['events before the initial ones were over'];
  const last = Math.max(...events.map((one) => one.revision));
  const wanted = history.events(interest, above, last);
  for (let i = 0; i < Math.max(events.length, wanted.length); i++) {
    const got = events[i];
    const want = wanted[i];
    if (textOf(got) !== textOf(want))
      return [`event ${i} above ${above} is ${textOf(got)} instead of ${textOf(want)}`];
  }
  return [];
}

const textOf = (event: Expected | undefined): string =>
  event === undefined ? 'nothing' : `${event.type} ${event.place} ${event.color} @${event.revision}`;

/** Bookmarkable: whoever comes back with a bookmark's version misses nothing and sees nothing twice. */
function bookmarks(history: History, session: Session, { live, above }: Parts): string[] {
  const found: string[] = [];
  let last = above ?? 0;
  let delivered = 0;
  for (const one of live) {
    if (one.kind === 'event') {
      if (one.revision <= last) found.push(`event of ${one.revision} after ${last}`);
      last = one.revision;
      delivered++;
    } else if (one.kind === 'bookmark') {
      if (!session.bookmarks) found.push('a bookmark nobody asked for');
      if (one.revision < last) found.push(`bookmark ${one.revision} after ${last}`);
      if (above !== undefined && one.revision <= above)
        found.push(`bookmark ${one.revision} at the start ${above}`);
      const due = history.events(session.interest, above ?? 0, one.revision).length;
      if (delivered < due)
        found.push(`bookmark ${one.revision} with ${due - delivered} events missing before it`);
      last = Math.max(last, one.revision);
    }
  }
  return found;
}

/** Ends for lag are honest: backlog, one 410 that names a position below the floor, the end. */
function termination(
  history: History,
  session: Session,
  { live, above, initialDone }: Parts,
  { stallResume, floors }: Circumstances,
): string[] {
  const found: string[] = [];
  const errors = session.seen.filter((one) => one.kind === 'error');
  if (session.ending === 'silent' && stallResume) found.push('ended without a word');
  if (session.ending === 'error' && errors.length === 0 && session.quiescent)
    found.push('no ERROR event at the end');
  if (errors.length > 1) found.push('more than one ERROR event');
  const [error] = errors;
  if (error === undefined) return found;
  if (session.seen.at(-1)?.kind !== 'error') found.push('something after the ERROR event');
  const match = /^too old resource version: (\d+) \((\d+)\)$/.exec(error.message);
  if (error.code !== 410 || error.reason !== 'Expired' || match === null)
    return [...found, `ERROR ${error.code} ${error.reason} ${error.message}`];
  const position = Number(match[1]);
  const floor = Number(match[2]);
  if (position >= floor) found.push(`expired at ${position} although the window reaches down to ${floor}`);
  if (floors !== undefined && !floors.includes(floor)) found.push(`the floor was never ${floor}`);
  if (session.floorAtOpen !== undefined && session.start.kind === 'after') {
    const refused =
      session.seen.length === 1 && position === session.start.revision && floor === session.floorAtOpen;
    if (!refused && !stallResume) found.push('a 410 in the middle with the gate off');
  }
  if (!initialDone) return [...found, 'a 410 before the initial events were delivered'];
  const due = history.events(session.interest, above ?? 0, position).length;
  const got = live.filter(isEvent).length;
  if (got !== due) found.push(`${got} events before the 410 at ${position} instead of ${due}`);
  return found;
}

/** A watch that is open and has been read to its end has shown everything. */
function complete(history: History, session: Session, { live, above, initialDone }: Parts): string[] {
  if (session.ending !== 'open' || !session.quiescent) return [];
  if (!initialDone || above === undefined) return ['initial events that never end'];
  const wanted = history.events(session.interest, above, history.revision).length;
  const got = live.filter(isEvent).length;
  if (got !== wanted) return [`${got} events up to the last write instead of ${wanted}`];
  if (session.start.kind === 'after') return [];
  // Cross: whoever applies the events to the state holds what a list would show now.
  const held = new Map<string, string>();
  for (const one of session.seen) {
    if (one.kind !== 'event') continue;
    if (one.type === 'DELETED') held.delete(one.place);
    else held.set(one.place, one.color);
  }
  const listed = history.stateAt(history.revision, session.interest);
  const same = held.size === listed.length && listed.every((one) => held.get(placeText(one)) === one.color);
  return same ? [] : ['the events applied to the state are not what a list shows'];
}
