/**
 * The records of a log as bytes: a line each, `<checksum> <JSON>`.
 *
 * What follows a line that is not whole, or does not have its checksum, is not read: the records before it are a state
 * that the store was in.
 */
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, member, numberMember, stringMember } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { type ApiObject } from '../ground/object.js';
import { type Revision, revision } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';
import { byteString } from '../ground/utf8.js';

export type LogRecord =
  /** The first one of every log. */
  | { readonly kind: 'begin'; readonly format: number; readonly kubernetesVersion: string }
  /** A text that is kept under a name beside the objects; a later one of the same name goes before. */
  | { readonly kind: 'keep'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly revision: Revision;
      readonly timeMs: number;
      readonly object: ApiObject;
    }
  | { readonly kind: 'delete'; readonly key: string; readonly revision: Revision; readonly timeMs: number }
  /** Where the store stands; `compacted`: below which it cannot be read any more. */
  | {
      readonly kind: 'stand';
      readonly revision: Revision;
      readonly compacted: Revision;
      readonly timeMs: number;
    };

/** What this program writes, and can read. */
export const LOG_FORMAT = 1;

const CHECKSUM_DIGITS = 16;
const NEWLINE = 0x0a;

/** Shape: UTF-8, with its newline. */
export const beginLine = (kubernetesVersion: string): Buffer =>
  lineOf(JSON.stringify({ begin: LOG_FORMAT, kubernetesVersion }));

export const keepLine = (name: string, text: string): Buffer => lineOf(JSON.stringify({ keep: name, text }));

/** The object's JSON is that which its readers are sent. */
export const putLine = ({ key, revision: at, json }: StoredObject, timeMs: number): Buffer =>
  lineOf(`{"put":${byteString(JSON.stringify(key))},"revision":${at},"time":${timeMs},"object":${json}}`);

export const deleteLine = (key: string, at: Revision, timeMs: number): Buffer =>
  lineOf(byteString(JSON.stringify({ delete: key, revision: at, time: timeMs })));

export const standLine = (at: Revision, compacted: Revision, timeMs: number): Buffer =>
  lineOf(JSON.stringify({ stand: at, compacted, time: timeMs }));

/** @param json a byte string */
function lineOf(json: string): Buffer {
  const bytes = Buffer.from(json, 'latin1');
  return Buffer.concat([Buffer.from(`${checksum(bytes)} `, 'latin1'), bytes, Buffer.from('\n')]);
}

const checksum = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, CHECKSUM_DIGITS);

export interface LogReading {
  readonly records: readonly LogRecord[];
  /** Bytes that were read; less than there are when something is wrong with what follows. */
  readonly good: number;
}

/**
 * The records up to the end, or to the first that is not whole.
 *
 * Errors: an Error for a record that is whole and yet none: another program's, or that of a later version.
 */
export function readLog(bytes: Buffer): LogReading {
  const records: LogRecord[] = [];
  let good = 0;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, good);
    const json = end < 0 ? undefined : checkedJson(bytes.subarray(good, end));
    if (json === undefined) return { records, good };
    records.push(recordOf(json, records.length + 1));
    good = end + 1;
  }
}

function checkedJson(line: Buffer): Buffer | undefined {
  const json = line.subarray(CHECKSUM_DIGITS + 1);
  return line.toString('latin1', 0, CHECKSUM_DIGITS + 1) === `${checksum(json)} ` ? json : undefined;
}

function recordOf(json: Buffer, number: number): LogRecord {
  const reading = readJson(json);
  const value = reading.ok && isJsonObject(reading.value) ? reading.value : {};
  const record = knownRecord(value);
  if (record === undefined) throw new Error(`record ${number} is of a kind that this version does not know`);
  return record;
}

function knownRecord(value: JsonObject): LogRecord | undefined {
  const put = stringMember(value, 'put');
  const removed = stringMember(value, 'delete');
  const kept = stringMember(value, 'keep');
  const timeMs = numberMember(value, 'time') ?? 0;
  const at = (name: string): Revision => revision(numberMember(value, name) ?? 0);
  if (put !== undefined) {
    const object = member(value, 'object');
    // as: what has been stored is an object of the API
    return { kind: 'put', key: put, revision: at('revision'), timeMs, object: object as ApiObject };
  }
  if (removed !== undefined) return { kind: 'delete', key: removed, revision: at('revision'), timeMs };
  if (kept !== undefined) return { kind: 'keep', name: kept, text: stringMember(value, 'text') ?? '' };
  if (member(value, 'stand') !== undefined)
    return { kind: 'stand', revision: at('stand'), compacted: at('compacted'), timeMs };
  const format = numberMember(value, 'begin');
  const kubernetesVersion = stringMember(value, 'kubernetesVersion');
  if (format !== LOG_FORMAT || kubernetesVersion === undefined) return undefined;
  return { kind: 'begin', format, kubernetesVersion };
}
