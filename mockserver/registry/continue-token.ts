/** Continue tokens: where the next page of a list begins, and at which revision. */
import { goTypeName } from '../ground/go-json-type.js';
import { isInt64 } from '../ground/go-number.js';
import { Float, type JsonObject, type JsonValue, isJsonObject } from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import { type Revision, parseResourceVersion } from '../ground/revision.js';
import { type StatusError, badRequest, expired } from '../ground/status.js';

export interface ContinueToken {
  /** undefined: go on with the state of now, after the list's own revision has been compacted. */
  readonly revision: Revision | undefined;
  /** The first key that may come, relative to the keys of the list: `w1\0`, or `ns/w1\0`. Need not exist. */
  readonly startKey: string;
}

/** The outcome of reading bytes as JSON. */
export type ReadJson = (
  bytes: Buffer,
) => { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string };

const VERSION = 'meta.k8s.io/v1';

export interface EncodedPosition extends ContinueToken {
  /** Pages made from a cache begin their keys with a slash, pages read from the store do not. */
  readonly fromCache: boolean;
}

/** base64url without padding of `{"v":"meta.k8s.io/v1","rv":7,"start":"/w1\u0000"}`. */
export function encodeContinueToken({ revision, startKey, fromCache }: EncodedPosition): string {
  const token = { v: VERSION, rv: revision ?? -1, start: `${fromCache ? '/' : ''}${startKey}` };
  return Buffer.from(writeJson(token)).toString('base64url');
}

/** The token for the page behind `lastKey`, which is relative to the keys of the list. */
export const nextPageToken = (revision: Revision, lastKey: string, fromCache: boolean): string =>
  encodeContinueToken({ revision, startKey: `${lastKey}\0`, fromCache });

/**
 * Reads a token; the leading slash of its key is optional.
 *
 * Errors: 400 `invalid continue token: continue key is not valid: …`.
 * Source: apiserver storage/continue.go.
 */
export function decodeContinueToken(text: string, readJson: ReadJson): ContinueToken {
  const { v: version, rv, start } = membersOf(readToken(text, readJson));
  if (version !== VERSION) throw bad(`: server does not recognize this encoded version ${version}`);
  if (rv === 0n) throw bad(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (start === '') throw bad(`: encoded start key empty (version ${VERSION})`);
  const key = start.startsWith('/') ? start : `/${start}`;
  // A key that a path would resolve elsewhere could lead out of the keys of the list.
  if (!isCleanPath(key)) throw bad(`: ${start}`);
  return { revision: rv < 0n ? undefined : revisionOf(rv), startKey: key.slice(1) };
}

const bad = (why: string): StatusError =>
  badRequest(`invalid continue token: continue key is not valid${why}`);

function readToken(text: string, readJson: ReadJson): JsonValue {
  const wrongByte = firstIllegalByte(text);
  if (wrongByte !== undefined) throw bad(`: illegal base64 data at input byte ${wrongByte}`);
  const reading = readJson(Buffer.from(text.replace(/[\r\n]/g, ''), 'base64url'));
  if (!reading.ok) throw bad(`: ${reading.error}`);
  return reading.value;
}

/** Go's decoder skips line ends, takes no padding, and blames the beginning of a group of one letter. */
function firstIllegalByte(text: string): number | undefined {
  let inGroup = 0;
  for (const [i, byte] of Buffer.from(text).entries()) {
    const ch = String.fromCharCode(byte);
    if (ch === '\r' || ch === '\n') continue;
    if (!/[-A-Za-z0-9_]/.test(ch)) return i;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 1 ? Buffer.byteLength(text) - 1 : undefined;
}

interface Members {
  readonly v: string;
  readonly rv: bigint;
  readonly start: string;
}

/** Absent and null members have the zero value of their type; the case of names does not matter. */
function membersOf(value: JsonValue): Members {
  if (value === null) return { v: '', rv: 0n, start: '' };
  if (!isJsonObject(value)) throw wrongType(goTypeName(value), 'value of type storage.continueToken');
  return { v: textOf(value, 'v'), rv: integerOf(value, 'rv'), start: textOf(value, 'start') };
}

const wrongType = (what: string, where: string): StatusError =>
  bad(`: json: cannot unmarshal ${what} into Go ${where}`);

function memberOf(token: JsonObject, name: string): JsonValue {
  const found = Object.keys(token).findLast((key) => key.toLowerCase() === name);
  return found === undefined ? null : (token[found] ?? null);
}

function textOf(token: JsonObject, name: string): string {
  const value = memberOf(token, name);
  if (value === null) return '';
  if (typeof value === 'string') return value;
  throw wrongType(goTypeName(value), `struct field continueToken.${name} of type string`);
}

function integerOf(token: JsonObject, name: string): bigint {
  const value = memberOf(token, name);
  if (value === null) return 0n;
  if (typeof value === 'bigint' && isInt64(value)) return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  const shown = value instanceof Float ? value.value : typeof value === 'number' ? value : undefined;
  throw wrongType(
    shown === undefined ? goTypeName(value) : `number ${shown}`,
    `struct field continueToken.${name} of type int64`,
  );
}

/** Whether Go's path.Clean would leave the rooted path as it is. */
const isCleanPath = (path: string): boolean =>
  path === '/' ||
  path
    .slice(1)
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..');

function revisionOf(value: bigint): Revision {
  const parsed = parseResourceVersion(value.toString());
  if (!parsed.ok) throw new RangeError(`not a revision: ${value}`);
  return parsed.value;
}

/**
 * The 410 of a page whose revision is compacted: it holds a token to go on with, at the price of one consistent view.
 *
 * Source: apiserver storage/etcd3/errors.go.
 */
export const continueExpired = (startKey: string): StatusError =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinueToken({ revision: undefined, startKey, fromCache: false }),
  );

/** The 410 of a list at a revision that is compacted. */
export const listExpired = (): StatusError =>
  expired('The resourceVersion for the provided list is too old.');
