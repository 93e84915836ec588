/** Events as controllers write them: one for each occurrence, repeats and crowds of similar ones counted together. */
import { type Clock, formatTime } from '../ground/clock.js';
import { stringMember } from '../ground/json.js';
import { type ApiObject, nameOf, namespaceOf, uidOf } from '../ground/object.js';
import { StatusError } from '../ground/status.js';
import { type ControllerClient } from './client.js';

const EVENTS = { group: '', resource: 'events' } as const;
const DEFAULT_NAMESPACE = 'default';
/** Similar events within the window beyond which they become one. Source: client-go tools/record/events_cache.go. */
const MOST_SIMILAR = 10;
const SIMILAR_WINDOW_MS = 600_000;
const COMBINED = '(combined from similar events): ';
/** Events about one object that may come at once, and how long until one more may come. */
const BURST = 25;
const REFILL_MS = 300_000;
/** What is remembered of objects beyond this number is forgotten, the longest unused first. */
const MOST_REMEMBERED = 4096;

/** What the event is about; the namespace decides where it is written. */
export type Regarding = Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>;

export interface Occurrence {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

interface Written {
  readonly namespace: string;
  readonly name: string;
  count: number;
}

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

interface Allowance {
  left: number;
  atMs: number;
}

export interface EventRecorderParts {
  readonly client: ControllerClient;
  readonly clock: Clock;
  readonly component: string;
}

export class EventRecorder {
  readonly #parts: EventRecorderParts;
  readonly #written = new Map<string, Written>();
  readonly #similar = new Map<string, Similar>();
  readonly #allowances = new Map<string, Allowance>();
  #names = 0;

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
  }

  /** Nobody waits for an event: one that is refused is lost. */
  record(about: Regarding, occurrence: Occurrence): void {
    if (!this.#allowed(about)) return;
    const { key, message } = this.#correlated(about, occurrence);
    try {
      if (!this.#repeated(key, message)) this.#create(about, { ...occurrence, message }, key);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  /** Source: events_cache.go, EventSourceObjectSpamFilter. */
  #allowed(about: Regarding): boolean {
    const now = this.#parts.clock.now();
    const allowance = remembered(this.#allowances, keyOf(about), () => ({ left: BURST, atMs: now }));
    const regained = Math.floor((now - allowance.atMs) / REFILL_MS);
    if (regained > 0) {
      allowance.left = Math.min(BURST, allowance.left + regained);
      allowance.atMs += regained * REFILL_MS;
    }
    if (allowance.left === 0) return false;
    allowance.left--;
    return true;
  }

  /** Under which key it is counted, and with which text. Source: events_cache.go, EventAggregate. */
  #correlated(about: Regarding, { type, reason, message }: Occurrence): { key: string; message: string } {
    const now = this.#parts.clock.now();
    const group = [keyOf(about), type, reason].join('\n');
    const similar = remembered(this.#similar, group, () => ({ messages: new Set<string>(), lastMs: now }));
    if (now - similar.lastMs > SIMILAR_WINDOW_MS) similar.messages.clear();
    similar.lastMs = now;
    similar.messages.add(message);
    if (similar.messages.size < MOST_SIMILAR) return { key: `${group}\n${message}`, message };
    const oldest = similar.messages.values().next();
    if (oldest.done !== true) similar.messages.delete(oldest.value);
    return { key: group, message: `${COMBINED}${message}` };
  }

  /** Whether the event stood already and only its count had to grow. */
  #repeated(key: string, message: string): boolean {
    const known = this.#written.get(key);
    if (known === undefined) return false;
    const { client, clock } = this.#parts;
    if (client.get({ of: EVENTS, ...known }) === undefined) return false;
    known.count++;
    client.patch({ of: EVENTS, ...known }, 'strategic', {
      count: known.count,
      lastTimestamp: formatTime(clock.now()),
      message,
    });
    return true;
  }

  #create(about: Regarding, { type, reason, message }: Occurrence, key: string): void {
    const { client, clock, component } = this.#parts;
    const now = formatTime(clock.now());
    const place = { namespace: namespaceOf(about) || DEFAULT_NAMESPACE, name: this.#nextName(about) };
    client.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: place,
      involvedObject: referenceTo(about),
      reason,
      message,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      // A crowd's event is written by nobody, as on a real server.
      ...(message.startsWith(COMBINED) ? {} : { reportingComponent: component }),
    });
    this.#written.delete(key);
    remembered(this.#written, key, () => ({ ...place, count: 1 }));
  }

  /** A name from the time, as a real recorder makes it of nanoseconds; one that nobody took while the clock stood still. */
  #nextName(about: Regarding): string {
    const { client, clock } = this.#parts;
    const namespace = namespaceOf(about) || DEFAULT_NAMESPACE;
    for (;;) {
      const nanoseconds = BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(this.#names++);
      const name = `${nameOf(about)}.${nanoseconds.toString(16)}`;
      if (client.get({ of: EVENTS, namespace, name }) === undefined) return name;
    }
  }
}

const keyOf = (about: Regarding): string =>
  [about.apiVersion, about.kind, namespaceOf(about), nameOf(about), uidOf(about)].join('\n');

function referenceTo(about: Regarding): Record<string, string> {
  const resourceVersion = stringMember(about.metadata, 'resourceVersion');
  const namespace = namespaceOf(about);
  return {
    kind: about.kind,
    ...(namespace === '' ? {} : { namespace }),
    name: nameOf(about),
    uid: uidOf(about),
    apiVersion: about.apiVersion,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** The value of a key, made when it is new; the longest unused makes room. */
function remembered<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_REMEMBERED) {
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
  return value;
}
