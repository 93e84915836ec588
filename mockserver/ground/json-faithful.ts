/** Whether JSON.parse has kept everything that a body says. */
import { type JsonValue } from './json.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Deeper bodies take the exact road, so that the walk below may recurse. */
const DEEPEST = 500;

/**
 * Whether `value`, which JSON.parse made of the UTF-8 text `bytes`, is exactly what the text says: no member was given twice, each
 * number is an integer of at most 15 digits or has a fraction. False may also mean that this quick look could not tell;
 * true is certain.
 *
 * How: members in the text are counted by their colons and compared with the members of the value. In a well-formed text a colon
 * that ends a member's name stands behind a closing quote or behind white space; white space there is not looked into
 * (false). A quote in front of a colon is one of three:
 * - an opening quote (a string that begins with a colon): then `{ [ , :` or white space precedes it. A name may end
 *   in such a character too, so that this is not looked into either (false);
 * - an escaped quote inside a string: then an odd number of backslashes precedes it;
 * - else it closes a name.
 * So the count is exact when it is used. Escapes of surrogates are the caller's to look for.
 */
export function isFaithful(bytes: Uint8Array, value: JsonValue): boolean {
  const members = countMembers(value, 0);
  return members >= 0 && members === countNames(bytes);
}

/** Members of all objects in `value`; negative for a number outside of objects and for deep nesting. */
function countMembers(value: JsonValue, depth: number): number {
  if (depth > DEEPEST) return -Infinity;
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value as readonly JsonValue[]) {
      if (typeof item === 'object' && item !== null) count += countMembers(item, depth + 1);
      else if (typeof item === 'number') return -Infinity;
    }
    return count;
  }
  if (typeof value === 'number') return -Infinity;
  if (typeof value !== 'object' || value === null) return 0;
  // JSON.parse makes plain objects only, whose enumerable members are all their own.
  const object = value as Readonly<Record<string, JsonValue>>;
  let count = 0;
  for (const name in object) {
    count++;
    const member = object[name];
    if (typeof member === 'object' && member !== null) count += countMembers(member, depth + 1);
  }
  return count;
}

const UNSURE = -1;

/** Names of members in the text, when every one is followed by its colon at once; else UNSURE, as for a doubtful number. */
function countNames(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  let count = 0;
  // Four bytes are looked at together: most hold no colon. The first few stand before the first aligned word.
  const lead = Math.min(length, -byteOffset & 3);
  const whole = (length - lead) >> 2;
  // A body may end before that word, which is then not where it would have to be.
  const words = new Uint32Array(buffer, whole === 0 ? 0 : byteOffset + lead, whole);
  for (let at = 0; at < lead; at++) {
    if (bytes[at] === COLON) {
      const found = lookAtColon(bytes, at);
      if (found === UNSURE) return UNSURE;
      count += found;
    }
  }
  for (let w = 0; w < words.length; w++) {
    const differs = (words[w] ?? 0) ^ 0x3a3a3a3a;
    // A byte's high bit is set when the byte is zero here, that is, a colon there (or above one: it is looked at anyway).
    if (((differs - 0x01010101) & ~differs & 0x80808080) === 0) continue;
    const start = lead + w * 4;
    for (let at = start; at < start + 4; at++) {
      if (bytes[at] === COLON) {
        const found = lookAtColon(bytes, at);
        if (found === UNSURE) return UNSURE;
        count += found;
      }
    }
  }
  for (let at = lead + words.length * 4; at < length; at++) {
    if (bytes[at] === COLON) {
      const found = lookAtColon(bytes, at);
      if (found === UNSURE) return UNSURE;
      count += found;
    }
  }
  return count;
}

/** 1 when the colon ends a name that a plain value follows, 0 when it is inside a string, UNSURE in doubt. */
function lookAtColon(bytes: Uint8Array, colon: number): 0 | 1 | typeof UNSURE {
  const before = bytes[colon - 1] ?? 0;
  if (before !== QUOTE) return isSpace(before) ? UNSURE : 0;
  const last = bytes[colon - 2] ?? 0;
  switch (last) {
    case 0x7b: // {
    case 0x5b: // [
    case 0x2c: // ,
    case COLON:
    case 0x20:
    case 0x0a:
    case 0x0d:
    case 0x09:
      return UNSURE;
    case BACKSLASH: {
      let first = colon - 2;
      while (bytes[first - 1] === BACKSLASH) first--;
      if ((colon - 1 - first) % 2 === 1) return 0;
    }
  }
  let at = colon + 1;
  while (isSpace(bytes[at] ?? 0)) at++;
  const lead = bytes[at] ?? 0;
  return lead > 0x39 || lead === QUOTE || isPlainNumber(bytes, at) ? 1 : UNSURE;
}

/** Whether a number keeps its value and its type: an integer of at most 15 digits, or a decimal that cannot be integral. */
function isPlainNumber(bytes: Uint8Array, start: number): boolean {
  const from = bytes[start] === 0x2d ? start + 1 : start;
  let at = from;
  let point = false;
  let fraction = false;
  for (; ; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) fraction ||= point && byte !== 0x30;
    else if (byte === 0x2e) point = true;
    else if (byte === 0x65 || byte === 0x45) return false;
    else break;
  }
  if (at - from > 15) return false; // with more digits a double may round to an integer
  if (point) return fraction;
  return from === start || bytes[from] !== 0x30; // -0 is the integer 0
}
