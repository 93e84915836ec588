/** The lines that containers have written, as the user gives them: nothing runs here that would write any. */
import { type Clock, formatTimeMs, parseTime } from '../ground/clock.js';
import { type JsonObject, member } from '../ground/json.js';

/** Lines, and whose they are: of every container that all members which are given fit. */
export interface LogEntry {
  /** @default any */
  readonly namespace?: string;
  /** The name of the pod. @default any */
  readonly pod?: string;
  /** Labels that the pod must have, all of them. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default any */
  readonly container?: string;
  /** Whether an earlier run of the container wrote them, which ended. @default false */
  readonly previous?: boolean;
  /** One by one, or a text that has several. A line without a time was written when it was added. */
  readonly lines: string | readonly (string | TimedLine)[];
}

export interface TimedLine {
  /** As RFC 3339 has it. */
  readonly time: string;
  readonly text: string;
}

/** Whose log is asked for. */
export interface LogOwner {
  readonly namespace: string;
  readonly pod: string;
  readonly labels: JsonObject;
  readonly container: string;
  readonly previous: boolean;
}

/** A line as it was written: without its end. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly text: string;
}

interface Written {
  readonly entry: LogEntry;
  readonly lines: readonly LogLine[];
}

interface Follower {
  readonly owner: LogOwner;
  /** Told of further lines. */
  readonly written: (lines: readonly LogLine[]) => void;
  /** No more will come. */
  readonly ended: () => void;
}

export class LogBook {
  readonly #clock: Clock;
  #written: Written[] = [];
  readonly #followers = new Set<Follower>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Errors: RangeError for a time that is none; nothing is added then. */
  add(...entries: readonly LogEntry[]): void {
    const now = this.#clock.now();
    const further = entries.map((entry) => ({ entry, lines: linesOf(entry, now) }));
    for (const one of further) {
      this.#written.push(one);
      for (const follower of this.#followers)
        if (isOf(one.entry, follower.owner)) follower.written(one.lines);
    }
  }

  /** In the order in which they were added. Shape: undefined when nothing was ever said of that log. */
  read(owner: LogOwner): readonly LogLine[] | undefined {
    const found = this.#written.filter(({ entry }) => isOf(entry, owner));
    return found.length === 0 ? undefined : found.flatMap(({ lines }) => lines);
  }

  /** Shape: what ends it; `ended` is not told then. */
  follow(owner: LogOwner, written: (lines: readonly LogLine[]) => void, ended: () => void): () => void {
    const follower: Follower = { owner, written, ended };
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** What was added, each line with its time. */
  get entries(): readonly LogEntry[] {
    return this.#written.map(({ entry, lines }) => ({
      ...entry,
      lines: lines.map(({ atMs, text }) => ({ time: formatTimeMs(atMs), text })),
    }));
  }

  /** Forgets every line; who follows is told that it ends. */
  clear(): void {
    this.#written = [];
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const { ended } of followers) ended();
  }
}

function linesOf({ lines }: LogEntry, now: number): readonly LogLine[] {
  if (typeof lines === 'string') {
    if (lines === '') return [];
    return lines
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ atMs: now, text }));
  }
  return lines.map((line) =>
    typeof line === 'string' ? { atMs: now, text: line } : { atMs: timeOf(line), text: line.text },
  );
}

function timeOf({ time }: TimedLine): number {
  const ms = parseTime(time);
  if (ms === undefined) throw new RangeError(`time: ${JSON.stringify(time)} is no time`);
  return ms;
}

const isOf = (
  { namespace, pod, labels = {}, container, previous = false }: LogEntry,
  owner: LogOwner,
): boolean =>
  (namespace ?? owner.namespace) === owner.namespace &&
  (pod ?? owner.pod) === owner.pod &&
  (container ?? owner.container) === owner.container &&
  previous === owner.previous &&
  Object.entries(labels).every(([name, value]) => member(owner.labels, name) === value);
