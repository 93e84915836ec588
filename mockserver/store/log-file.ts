/** The log of a store on disk: each change is in it before the store has it. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Clock } from '../ground/clock.js';
import { NO_REVISION, type Revision } from '../ground/revision.js';
import { type Change } from './change.js';
import { type ChangeLog } from './change-log.js';
import { beginLine, deleteLine, keepLine, putLine, readLog, standLine } from './log-record.js';
import { type LoggedState, replayed } from './log-replay.js';
import { type StoreImage } from './store-image.js';

export interface LogFileOptions {
  readonly path: string;
  /** Of the cluster. */
  readonly clock: Clock;
  readonly kubernetesVersion: string;
  /** Told what was cut off. */
  readonly report: (message: string) => void;
}

/** So much may be of the past whatever the number of keys. */
const FEW_RECORDS = 1000;
const FEW_BYTES = 16 * 1024 * 1024;

export class LogFile implements ChangeLog {
  readonly #options: LogFileOptions;
  readonly #kept = new Map<string, string>();
  #file: number | undefined;
  /** Of what has been written as a whole. */
  #size = 0;
  /** When it was opened, or replaced. */
  #sizeAtFirst = 0;
  #records = 0;
  #broken: Error | undefined;

  private constructor(options: LogFileOptions) {
    this.#options = options;
  }

  /**
   * Opens a log and reads it. What cannot be read at its end is taken off, kept in a file beside it and reported.
   *
   * Shape: `state` is undefined for a new log, which is made by the first `replaced`.
   * Errors: an Error for a file that is no log, or one of another version of Kubernetes; those of the file system.
   */
  static open(options: LogFileOptions): { readonly log: LogFile; readonly state: LoggedState | undefined } {
    const log = new LogFile(options);
    return { log, state: existsSync(options.path) ? log.#read() : undefined };
  }

  append({ key, revision, current }: Change): void {
    const time = this.#now();
    this.#write(current === undefined ? deleteLine(key, revision, time) : putLine(current, time));
  }

  moved(to: Revision): void {
    this.#write(standLine(to, NO_REVISION, this.#now()));
  }

  compacted(at: Revision): void {
    try {
      this.#write(standLine(NO_REVISION, at, this.#now()));
    } catch (error) {
      // Without it only more of the past can be read after the next start.
      this.#options.report(`compaction: ${messageOf(error)}`);
    }
  }

  /** Keeps a text beside the objects. */
  keep(name: string, text: string): void {
    this.#kept.set(name, text);
    if (this.#file !== undefined) this.#write(keepLine(name, text));
  }

  /** Written beside the old one, which it then takes the place of: there is a whole one at any time. */
  replaced(image: StoreImage, at: Revision): void {
    const time = this.#now();
    const lines = [
      beginLine(this.#options.kubernetesVersion),
      ...[...this.#kept].map(([name, text]) => keepLine(name, text)),
      ...image.objects.sort((a, b) => a.revision - b.revision).map((object) => putLine(object, time)),
      // What came before is not in it.
      standLine(at, at, time),
    ];
    const { path } = this.#options;
    const next = `${path}.new`;
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(next, 'w', 0o600);
    try {
      writeAll(file, Buffer.concat(lines), 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // A file that is open cannot be replaced everywhere.
    this.#close();
    try {
      renameSync(next, path);
      this.#records = lines.length;
    } finally {
      this.#open();
    }
    this.#sizeAtFirst = this.#size;
  }

  isMostlyPast(live: number): boolean {
    return this.#records > 2 * live + FEW_RECORDS || this.#size > 2 * this.#sizeAtFirst + FEW_BYTES;
  }

  /** Nothing is written any more. Idempotent. */
  close(): void {
    if (this.#file !== undefined) fsyncSync(this.#file);
    this.#close();
    this.#broken ??= new Error(`${this.#options.path} is closed`);
  }

  #read(): LoggedState {
    const { path, kubernetesVersion } = this.#options;
    const bytes = readFileSync(path);
    const { records, good } = readRecords(path, bytes);
    const [first] = records;
    if (first?.kind !== 'begin') throw new Error(`${path}: no log of kube-mockserver; it is left as it is`);
    if (first.kubernetesVersion !== kubernetesVersion)
      throw new Error(
        `${path}: a cluster of Kubernetes ${first.kubernetesVersion}, but ${kubernetesVersion} is wanted`,
      );
    const state = replayed(records);
    if (good < bytes.length) this.#cut(bytes.subarray(good), good, records.length, state);
    for (const [name, text] of state.kept) this.#kept.set(name, text);
    this.#open();
    this.#sizeAtFirst = this.#size;
    this.#records = records.length;
    return state;
  }

  #cut(rest: Buffer, good: number, records: number, { image }: LoggedState): void {
    const { path, report } = this.#options;
    appendFileSync(`${path}.cut`, rest, { mode: 0o600 });
    truncateSync(path, good);
    report(
      `${path}: ${rest.length} bytes after record ${records} cannot be read and are in ${path}.cut now; the cluster stands at revision ${image.revision}`,
    );
  }

  #open(): void {
    this.#file = openSync(this.#options.path, 'r+');
    this.#size = statSync(this.#options.path).size;
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(line: Buffer): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#file === undefined) throw new Error(`${this.#options.path}: nothing has begun it`);
    this.#checkAlone();
    try {
      writeAll(this.#file, line, this.#size);
    } catch (error) {
      this.#takeBack(error);
      throw error;
    }
    this.#size += line.length;
    this.#records++;
  }

  /** Half a record must not stand before the next one. */
  #takeBack(cause: unknown): void {
    if (this.#file === undefined) return;
    try {
      ftruncateSync(this.#file, this.#size);
    } catch {
      this.#broken = new Error(`${this.#options.path}: nothing can be written any more`, { cause });
    }
  }

  /** Errors: an Error when another program has written the file, or replaced it. */
  #checkAlone(): void {
    const { path } = this.#options;
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== this.#size)
      throw new Error(`${path}: ${size === undefined ? 'is gone' : 'another program writes it, too'}`);
  }

  #now(): number {
    return Math.floor(this.#options.clock.now());
  }
}

function readRecords(path: string, bytes: Buffer): ReturnType<typeof readLog> {
  try {
    return readLog(bytes);
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
}
