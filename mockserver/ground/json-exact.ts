/** Reads well-formed JSON text without losing anything. */
import {
  type JsonValue,
  type MutableJsonObject,
  Float,
  isJsonArray,
  isJsonObject,
  setMember,
} from './json.js';

/** What becomes of a member that is given twice: see `JsonReadOptions`. */
export type OnDuplicate = 'replace' | 'merge';

export interface ExactReading {
  readonly value: JsonValue;
  /** Paths of members given again, in the order of the text, each once, at most 100. */
  readonly duplicates: readonly string[];
  /** The first number that no float64 holds (`1e400`); in the value it is a Float of ±Infinity. */
  readonly overflow: string | undefined;
}

/** What a reader of the text is told besides the value. */
export interface ExactEvents {
  /** A member begins; `path` answers its path. */
  member?(path: () => string): void;
  /** A number literal was read; `path` answers its path. */
  number?(literal: string, path: () => string): void;
}

/** sigs.k8s.io/json keeps no more strict errors than these. */
const MOST_DUPLICATES = 100;

interface ObjectFrame {
  readonly kind: 'object';
  readonly value: MutableJsonObject;
  name: string;
}
interface ArrayFrame {
  readonly kind: 'array';
  readonly value: JsonValue[];
}
type Frame = ObjectFrame | ArrayFrame;

const NOT_SPACE = /[^ \t\r\n]/g;
const STRING_END = /["\\]/g;
const NUMBER = /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

/**
 * Reads `text`, which jsonSyntaxError has passed, without recursion.
 *
 * Source: sigs.k8s.io/json, UnmarshalStrict: numbers as its PreserveInts has them, a member given again is noted when its
 * name is met, so inner ones come before the next outer one.
 */
export function readExactly(text: string, onDuplicate: OnDuplicate, events: ExactEvents = {}): ExactReading {
  const notSpace = new RegExp(NOT_SPACE);
  const stringEnd = new RegExp(STRING_END);
  const number = new RegExp(NUMBER);
  const frames: Frame[] = [];
  const duplicates = new Set<string>();
  let overflow: string | undefined;
  let at = 0;

  const skipSpace = (): string => {
    notSpace.lastIndex = at;
    at = notSpace.exec(text)?.index ?? text.length;
    return text[at] ?? '';
  };

  const readString = (): string => {
    const start = at;
    stringEnd.lastIndex = start + 1;
    let escaped = false;
    for (;;) {
      const found = stringEnd.exec(text);
      if (found === null) throw new Error(`string at ${start} has no end`);
      if (found[0] === '"') {
        at = found.index + 1;
        break;
      }
      escaped = true;
      stringEnd.lastIndex = found.index + 2;
    }
    if (!escaped) return text.slice(start + 1, at - 1);
    return wellFormed(String(JSON.parse(text.slice(start, at))));
  };

  const path = (): string => pathOf(frames);

  const readNumber = (): JsonValue => {
    number.lastIndex = at;
    const literal = number.exec(text)?.[0] ?? '';
    if (literal === '') throw new Error(`no JSON value at ${at}`);
    at += literal.length;
    events.number?.(literal, path);
    const value = numberOf(literal);
    if (value instanceof Float && !Number.isFinite(value.value)) overflow ??= literal;
    return value;
  };

  const add = (value: JsonValue): void => {
    const frame = frames.at(-1);
    if (frame === undefined) root = value;
    else if (frame.kind === 'array') frame.value.push(value);
    else {
      const earlier = Object.hasOwn(frame.value, frame.name) ? frame.value[frame.name] : undefined;
      const merged = earlier !== undefined && onDuplicate === 'merge' ? mergeAgain(earlier, value) : value;
      setMember(frame.value, frame.name, merged);
    }
  };

  const readName = (frame: ObjectFrame): void => {
    frame.name = readString();
    events.member?.(path);
    if (Object.hasOwn(frame.value, frame.name) && duplicates.size < MOST_DUPLICATES) duplicates.add(path());
    skipSpace();
    at++; // the colon
  };

  let root: JsonValue = null;
  for (;;) {
    const char = skipSpace();
    if (char === '') break;
    const frame = frames.at(-1);
    if (char === ',') {
      at++;
      skipSpace();
      if (frame?.kind === 'object') readName(frame);
    } else if (char === '}' || char === ']') {
      at++;
      frames.pop();
      if (frame !== undefined) add(frame.value);
    } else if (char === '{') {
      at++;
      const opened: ObjectFrame = { kind: 'object', value: {}, name: '' };
      frames.push(opened);
      if (skipSpace() === '"') readName(opened);
    } else if (char === '[') {
      at++;
      frames.push({ kind: 'array', value: [] });
    } else if (char === '"') add(readString());
    else if (char === 't') {
      at += 4;
      add(true);
    } else if (char === 'f') {
      at += 5;
      add(false);
    } else if (char === 'n') {
      at += 4;
      add(null);
    } else add(readNumber());
  }
  return { value: root, duplicates: [...duplicates], overflow };
}

/** `spec.list[0].k`: names as they are, without quotes. Source: sigs.k8s.io/json kubernetes_patch.go. */
function pathOf(frames: readonly Frame[]): string {
  let text = '';
  frames.forEach((frame, depth) => {
    if (frame.kind === 'array') text += `[${frame.value.length}]`;
    else text += depth === 0 ? frame.name : `.${frame.name}`;
  });
  return text;
}

const MAX_INT64 = 9223372036854775807n;
const MIN_INT64 = -9223372036854775808n;

/**
 * The value of one literal: an int64 when it has neither point nor exponent and fits, else a float64. What no float64
 * holds is a Float of ±Infinity.
 * Source: sigs.k8s.io/json decode.go, convertNumber.
 */
export function numberOf(literal: string): JsonValue {
  if (/^-?[0-9]+$/.test(literal)) {
    const quick = Number(literal);
    if (Number.isSafeInteger(quick)) return quick === 0 ? 0 : quick;
    const exact = BigInt(literal);
    if (exact >= MIN_INT64 && exact <= MAX_INT64) return exact;
  }
  const value = Number(literal);
  return Number.isInteger(value) || !Number.isFinite(value) ? new Float(value, literal) : value;
}

/** Lone surrogates become U+FFFD each, as Go's decoder has it. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  );
}

/** No built-in kind is deeper; beyond, a later value replaces. */
const MERGED_LEVELS = 500;

/**
 * What a second value makes of the first when both are decoded into one typed field: maps and structs are merged,
 * the items of a list are merged by position, anything else replaces.
 */
function mergeAgain(earlier: JsonValue, later: JsonValue, depth = 0): JsonValue {
  if (depth > MERGED_LEVELS) return later;
  if (isJsonObject(earlier) && isJsonObject(later)) {
    const merged: MutableJsonObject = { ...earlier };
    for (const [name, added] of Object.entries(later)) {
      const known = Object.hasOwn(earlier, name) ? earlier[name] : undefined;
      setMember(merged, name, known === undefined ? added : mergeAgain(known, added, depth + 1));
    }
    return merged;
  }
  if (isJsonArray(earlier) && isJsonArray(later)) {
    return later.map((item, index) => {
      const known = earlier[index];
      return known === undefined ? item : mergeAgain(known, item, depth + 1);
    });
  }
  return later;
}
