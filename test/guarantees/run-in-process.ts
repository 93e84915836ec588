/** Runs a scenario on one watch cache in virtual time: no timer, no socket, the same each time. */
import { VirtualClock } from '../../mockserver/ground/clock.js';
import { isJsonObject, member, stringMember } from '../../mockserver/ground/json.js';
import { type ApiObject } from '../../mockserver/ground/object.js';
import { seededRandom } from '../../mockserver/ground/random.js';
import { type Revision, revision, toResourceVersion } from '../../mockserver/ground/revision.js';
import { addressOf } from '../../mockserver/store/key.js';
import { MemoryStore } from '../../mockserver/store/memory-store.js';
import { type PassReport } from '../../mockserver/watch/pass-schedule.js';
import { ALPHA_STALL_RESUME, DEFAULT_STALL_RESUME } from '../../mockserver/watch/stall-resume.js';
import { WatchCache } from '../../mockserver/watch/watch-cache.js';
import { DEFAULT_WATCH_CACHE } from '../../mockserver/watch/watch-cache-options.js';
import { type WatchStart } from '../../mockserver/watch/watch-request.js';
import { type WatchEvent } from '../../mockserver/watch/watch-event.js';
import { NO_METRICS } from '../../mockserver/watch/watch-metrics.js';
import { type Watcher } from '../../mockserver/watch/watcher.js';
import { violations } from './checks.js';
import { covers, History, type Interest, type Place, placeText } from './history.js';
import { COLORS, NAMES, NAMESPACES, type Scenario, type Settings, type Step } from './scenario.js';
import { type Ending, type Seen, type Session } from './session.js';

const PREFIX = '/registry/configmaps/';
/** Rounds without anything new after which nothing more will come; together longer than the longest pause. */
const QUIET_ROUNDS = 6;
const ROUND_MS = 50;

export interface Outcome {
  /** Sentences; empty when every guarantee holds. */
  readonly broken: readonly string[];
  readonly sessions: number;
  readonly stalls: number;
  readonly expiries: number;
  readonly silentEnds: number;
  readonly catchUps: number;
  readonly bookmarks: number;
  readonly events: number;
}

export function runInProcess(scenario: Scenario): Outcome {
  const bed = new Bed(scenario.settings);
  for (const step of scenario.steps) bed.step(step);
  return bed.finish();
}

/** A client's end of a watch: a socket of bounded size, and a reader that takes from it. */
class Reader {
  readonly session: Session;
  readonly watcher: Watcher;
  flowing: boolean;
  readonly #socket: Seen[] = [];
  readonly #size: number;
  readonly #see: (event: WatchEvent) => Seen;
  #due = false;

  constructor(watcher: Watcher, session: Session, size: number, see: (event: WatchEvent) => Seen) {
    this.watcher = watcher;
    this.session = session;
    this.#size = size;
    this.#see = see;
    this.flowing = false;
    watcher.onReady((readiness) => {
      if (readiness === 'now') this.pump();
      else this.#due = true;
    });
  }

  /** What the end of a turn does for a server's pump. */
  turn(): void {
    if (this.#due) this.pump();
  }

  pump(): void {
    this.#due = false;
    while (this.flowing || this.#socket.length < this.#size) {
      const event = this.watcher.take();
      if (event === undefined) break;
      this.#socket.push(this.#see(event));
      if (this.flowing) this.session.seen.push(...this.#socket.splice(0));
    }
  }

  read(events: number): void {
    for (let i = 0; i < events; i++) {
      let next = this.#socket.shift();
      if (next === undefined) {
        const event = this.watcher.take();
        if (event === undefined) return;
        next = this.#see(event);
      }
      this.session.seen.push(next);
      this.pump();
    }
  }

  flow(on: boolean): void {
    this.flowing = on;
    if (!on) return;
    this.session.seen.push(...this.#socket.splice(0));
    this.pump();
  }
}

class Bed {
  readonly #settings: Settings;
  readonly #store = new MemoryStore();
  readonly #clock = new VirtualClock();
  readonly #pace = new VirtualClock();
  readonly #history = new History();
  readonly #cache: WatchCache;
  readonly #readers: (Reader | undefined)[] = [];
  readonly #all: Reader[] = [];
  readonly #broken: string[] = [];
  /** Events by type and revision: each is made, and so encoded, once for all. */
  readonly #made = new Map<string, WatchEvent>();
  readonly #counts = { stalls: 0, expiries: 0, catchUps: 0, behind: 0 };

  constructor(settings: Settings) {
    this.#settings = settings;
    const design = settings.design === 'alpha' ? ALPHA_STALL_RESUME : DEFAULT_STALL_RESUME;
    const { capacity, channel, members, scan, pushes, retryRounds } = settings;
    const broken = this.#broken;
    const counts = this.#counts;
    this.#cache = new WatchCache({
      store: this.#store,
      prefix: PREFIX,
      mode: 'cached',
      clock: this.#clock,
      pace: this.#pace,
      random: seededRandom(1),
      stallResume: settings.stallResume,
      options: {
        ...DEFAULT_WATCH_CACHE,
        window: { minCapacity: capacity, maxCapacity: capacity, freshMs: 75_000 },
        minChannel: channel,
        maxChannel: channel,
        incomingCapacity: settings.incoming,
        stallResume: {
          ...design,
          budgets: { ...design.budgets, members, scan, pushes, retryPushes: pushes, retryRounds },
        },
      },
      metrics: {
        ...NO_METRICS,
        stalled: () => {
          counts.stalls++;
        },
        unsynced: (count) => void (counts.behind = count),
        caughtUp: () => {
          counts.catchUps++;
        },
        terminated: (reason) => {
          if (reason !== 'unresponsive') counts.expiries++;
        },
        skipped: () => {
          if (design.resyncAt === 'dispatched') broken.push('live dispatch skipped an event');
        },
        passed: (report: PassReport) => {
          if (report.served > members) broken.push(`a pass served ${report.served} members`);
          if (report.scanned > scan) broken.push(`a pass read ${report.scanned} entries`);
          if (report.pushed > pushes) broken.push(`a pass pushed ${report.pushed} events`);
        },
      },
    });
  }

  step(step: Step): void {
    switch (step.kind) {
      case 'put':
        this.#put(placeOf(step.place), COLORS[step.color] ?? '');
        break;
      case 'delete':
        this.#delete(placeOf(step.place));
        break;
      case 'burst':
        for (let i = 0; i < step.writes; i++) {
          const place = placeOf((step.place + i) % (NAMESPACES.length * NAMES.length));
          if (i % 5 === 4) this.#delete(place);
          else this.#put(place, COLORS[i % 2] ?? '');
        }
        break;
      case 'elsewhere': {
        const address = addressOf('/registry/secrets/', 'ns', `s${this.#store.revision}`);
        this.#store.create(address, (rev) => draft({ namespace: 'ns', name: 's' }, '', rev));
        break;
      }
      case 'progress':
        this.#cache.catchUp();
        break;
      case 'open':
        this.#open(step);
        break;
      case 'read':
        this.#readers[step.client]?.read(step.events);
        break;
      case 'flow':
        this.#readers[step.client]?.flow(step.on);
        break;
      case 'close':
        this.#readers[step.client]?.watcher.close('client');
        break;
      case 'pace':
        this.#pace.advance(step.ms);
        break;
      case 'clock':
        this.#clock.advance(step.ms);
        break;
      case 'terminate':
        this.#cache.endWatches('shutdown');
        break;
    }
    for (const reader of this.#readers) reader?.turn();
    this.#lookAround();
  }

  /** Lets everybody read until nothing comes any more, then checks each session. */
  finish(): Outcome {
    for (const reader of this.#readers) reader?.flow(true);
    for (let quiet = 0; quiet < QUIET_ROUNDS;) {
      const before = this.#seenCount();
      this.#pace.advance(ROUND_MS);
      for (const reader of this.#readers) reader?.turn();
      quiet = this.#seenCount() === before ? quiet + 1 : 0;
    }
    this.#lookAround();
    const floors = this.#history.writes.map((_, i) => this.#floorAfter(i + 1));
    const circumstances = { stallResume: this.#settings.stallResume, floors: [0, ...floors] };
    for (const reader of this.#readers) if (reader !== undefined) reader.session.quiescent = true;
    let silentEnds = 0;
    let bookmarks = 0;
    let events = 0;
    for (const [i, reader] of this.#all.entries()) {
      const { session } = reader;
      session.ending = endingOf(reader.watcher);
      if (session.ending === 'silent') silentEnds++;
      for (const one of session.seen) {
        if (one.kind === 'bookmark') bookmarks++;
        else if (one.kind === 'event') events++;
      }
      for (const text of violations(this.#history, session, circumstances))
        this.#broken.push(`session ${i} (${JSON.stringify({ ...session, seen: undefined })}): ${text}`);
    }
    if (this.#history.writes.length > 0 && this.#history.revision > this.#cache.revision)
      this.#broken.push('the cache never caught up with the store');
    this.#cache.close('shutdown');
    if (this.#counts.behind !== 0) this.#broken.push('watchers are counted as behind after the end');
    const { stalls, expiries, catchUps } = this.#counts;
    const sessions = this.#all.length;
    return { broken: this.#broken, sessions, stalls, expiries, silentEnds, catchUps, bookmarks, events };
  }

  #put(place: Place, color: string): void {
    const address = addressOf(PREFIX, place.namespace, place.name);
    const before = this.#store.get(address.key);
    const make = (rev: Revision): ApiObject => draft(place, color, rev);
    const change =
      before === undefined
        ? this.#store.create(address, make)
        : this.#store.update(address, before.revision, make);
    this.#history.put({ ...place, color, revision: change.revision });
  }

  #delete(place: Place): void {
    const address = addressOf(PREFIX, place.namespace, place.name);
    const before = this.#store.get(address.key);
    if (before === undefined) return;
    this.#history.delete(place, this.#store.delete(address, before.revision).revision);
  }

  #open(step: Extract<Step, { kind: 'open' }>): void {
    const previous = this.#readers[step.client];
    previous?.watcher.close('client');
    const start = this.#startOf(step, previous?.session);
    const openedAt = this.#cache.revision;
    const { interest, bookmarks } = step;
    const seenWrites = this.#history.writes.filter((write) => write.revision <= openedAt).length;
    const session: Session = {
      interest,
      bookmarks,
      start:
        start.kind === 'state'
          ? { kind: 'state', endBookmark: start.bookmark }
          : { kind: 'after', revision: start.revision },
      openedAt,
      floorAtOpen: this.#floorAfter(seenWrites),
      seen: [],
      ending: 'open',
      quiescent: false,
    };
    const { color } = interest;
    const watcher = this.#cache.watch({
      start,
      scope: {
        ...(interest.namespace === undefined ? {} : { namespace: interest.namespace }),
        ...(interest.name === undefined ? {} : { name: interest.name }),
      },
      ...(color === undefined ? {} : { matches: (object: ApiObject) => colorOf(object) === color }),
      bookmarks,
      timeoutMs: step.timeoutMs,
    });
    const reader = new Reader(watcher, session, this.#settings.socket, (event) => this.#see(event, interest));
    this.#readers[step.client] = reader;
    this.#all.push(reader);
  }

  #startOf(
    { start, bookmarks, interest }: Extract<Step, { kind: 'open' }>,
    previous: Session | undefined,
  ): WatchStart {
    const after = (at: number): WatchStart => ({ kind: 'after', revision: revision(Math.max(0, at)) });
    const floor = this.#floorAfter(this.#history.writes.length);
    const same = previous !== undefined && JSON.stringify(previous.interest) === JSON.stringify(interest);
    switch (start) {
      case 'state':
        return { kind: 'state', bookmark: bookmarks };
      case 'state without bookmark':
        return { kind: 'state', bookmark: false };
      case 'now':
        return after(this.#cache.revision);
      case 'floor':
        return after(floor);
      case 'below the floor':
        return after(floor - 1);
      case 'last': {
        const last = same ? lastRevision(previous.seen) : undefined;
        return last === undefined ? after(this.#cache.revision) : after(last);
      }
      case 'last bookmark': {
        const marks = previous?.seen.flatMap((one) => (one.kind === 'bookmark' ? [one.revision] : [])) ?? [];
        return after(marks.at(-1) ?? this.#cache.revision);
      }
    }
  }

  /** `oldest - 1` of a window of fixed capacity that has taken in so many writes. */
  #floorAfter(writes: number): number {
    const { capacity } = this.#settings;
    const oldest = this.#history.writes[writes - capacity];
    return writes > capacity && oldest !== undefined ? oldest.revision - 1 : 0;
  }

  #see(event: WatchEvent, interest: Interest): Seen {
    switch (event.kind) {
      case 'bookmark':
        return { kind: 'bookmark', revision: event.revision, initialEventsEnd: event.initialEventsEnd };
      case 'error': {
        const { code = 0, reason = '', message = '' } = event.status;
        return { kind: 'error', code, reason, message };
      }
      case 'initial':
      case 'object': {
        const { metadata } = event.object.object;
        const place = {
          namespace: stringMember(metadata, 'namespace') ?? '',
          name: stringMember(metadata, 'name') ?? '',
        };
        const at = Number(stringMember(metadata, 'resourceVersion'));
        const color = colorOf(event.object.object);
        if (event.kind === 'object') {
          const key = `${event.type}@${event.revision}`;
          const known = this.#made.get(key) ?? event;
          this.#made.set(key, known);
          if (known !== event) this.#broken.push(`${key} was made twice`);
          if (at !== event.revision) this.#broken.push(`${key} shows version ${at}`);
        }
        if (!covers(interest, { ...place, color, revision: at }))
          this.#broken.push(`${placeText(place)} is of no interest`);
        return {
          kind: 'event',
          type: event.kind === 'initial' ? 'ADDED' : event.type,
          revision: at,
          place: placeText(place),
          color,
        };
      }
    }
  }

  /** Each watcher that takes part is synced or unsynced, and as many are behind as is said. */
  #lookAround(): void {
    let behind = 0;
    for (const { state } of this.#cache.watchers) {
      if (state.kind === 'unsynced') behind++;
      else if (state.kind !== 'synced') this.#broken.push(`a registered watcher is ${state.kind}`);
    }
    if (behind !== this.#cache.unsyncedCount || behind !== this.#counts.behind)
      this.#broken.push(
        `${behind} behind, ${this.#cache.unsyncedCount} in the set, ${this.#counts.behind} counted`,
      );
  }

  #seenCount(): number {
    let count = 0;
    for (const reader of this.#readers) count += reader?.session.seen.length ?? 0;
    return count;
  }
}

const placeOf = (index: number): Place => ({
  namespace: NAMESPACES[Math.floor(index / NAMES.length)] ?? '',
  name: NAMES[index % NAMES.length] ?? '',
});

const draft = ({ namespace, name }: Place, color: string, rev: Revision): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, resourceVersion: toResourceVersion(rev), labels: { color } },
});

function colorOf({ metadata }: ApiObject): string {
  const labels = member(metadata, 'labels');
  return labels !== undefined && isJsonObject(labels) ? (stringMember(labels, 'color') ?? '') : '';
}

/** What a client comes back with: the version of the last thing it was sent after the initial events. */
function lastRevision(seen: readonly Seen[]): number | undefined {
  let last: number | undefined;
  let initial = true;
  for (const one of seen) {
    if (one.kind === 'error') continue;
    if (one.kind === 'bookmark') {
      initial = false;
      last = Math.max(last ?? 0, one.revision);
    } else if (!initial || one.type !== 'ADDED') {
      initial = false;
      last = Math.max(last ?? 0, one.revision);
    }
  }
  return last;
}

function endingOf({ state }: Watcher): Ending {
  if (state.kind !== 'closed' && state.kind !== 'ending') return 'open';
  switch (state.reason) {
    case 'client':
    case 'timeout':
    case 'error':
      return state.reason;
    case 'shutdown':
    case 'terminated':
      return 'shutdown';
    case 'unresponsive':
    case 'overtaken':
      return 'silent';
  }
}
