/** Whether bytes are one JSON document, and if not, what Go says about them. */

/** Levels of nesting a document may have. Source: Go encoding/json scanner.go. */
export const MAX_DEPTH = 10_000;

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
const code = (char: string): number => char.charCodeAt(0);

const LITERALS: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };
const ESCAPES = new Set(Array.from('bfnrt\\/"', code));

const CUT_OFF = 'unexpected end of JSON input';

/** Where in its surroundings the next byte stands. */
type Place = 'value' | 'value or ]' | 'key' | 'key or }' | 'after key' | 'after value' | 'end';

/**
 * What is wrong with `bytes` in Go's words (`unexpected end of JSON input`, `invalid character 'x' after top-level value`);
 * undefined when they are one well-formed document of at most 10,000 levels. Text that is not UTF-8 is no error.
 *
 * Source: the states of Go's encoding/json scanner.go, which sigs.k8s.io/json shares.
 */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  const open: boolean[] = []; // true: an object
  let place = 'value' as Place; // as: the closures below move it, which narrowing does not see
  let at = 0;
  // As in Go, the end counts as one more blank: where that is wrong (`nul`, `-`, `"\\`) the blank is what is complained of.
  const wrong = (context: string): string => `invalid character ${quoteByte(bytes[at] ?? 0x20)} ${context}`;

  /** Leaves `at` behind the closing quote. */
  const string = (): string | undefined => {
    for (at++; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === 0x22) {
        at++;
        return undefined;
      }
      if (byte < 0x20) return wrong('in string literal');
      if (byte !== 0x5c) continue;
      const escape = bytes[++at] ?? -1;
      if (ESCAPES.has(escape)) continue;
      if (escape !== code('u')) return wrong('in string escape code');
      for (let k = 0; k < 4; k++) {
        at++;
        if (!isHex(bytes[at] ?? -1)) return wrong('in \\u hexadecimal character escape');
      }
    }
    return CUT_OFF;
  };

  const digits = (context: string): string | undefined => {
    if (!isDigit(bytes[at] ?? -1)) return wrong(context);
    while (isDigit(bytes[at] ?? -1)) at++;
    return undefined;
  };

  const number = (): string | undefined => {
    if (bytes[at] === code('-')) at++;
    if (bytes[at] === code('0')) at++;
    else {
      const error = digits('in numeric literal');
      if (error !== undefined) return error;
    }
    if (bytes[at] === code('.')) {
      at++;
      const error = digits('after decimal point in numeric literal');
      if (error !== undefined) return error;
    }
    if (bytes[at] === code('e') || bytes[at] === code('E')) {
      at++;
      if (bytes[at] === code('+') || bytes[at] === code('-')) at++;
      return digits('in exponent of numeric literal');
    }
    return undefined;
  };

  const literal = (word: string): string | undefined => {
    for (const char of word) {
      if (bytes[at] !== code(char)) return wrong(`in literal ${word} (expecting '${char}')`);
      at++;
    }
    return undefined;
  };

  const value = (byte: number): string | undefined => {
    if (byte === code('{') || byte === code('[')) {
      open.push(byte === code('{'));
      if (open.length > MAX_DEPTH) return wrong('exceeded max depth');
      place = byte === code('{') ? 'key or }' : 'value or ]';
      at++;
      return undefined;
    }
    place = open.length === 0 ? 'end' : 'after value';
    if (byte === code('"')) return string();
    if (byte === code('-') || isDigit(byte)) return number();
    const word = LITERALS[byte];
    return word === undefined ? wrong('looking for beginning of value') : literal(word);
  };

  const close = (): string | undefined => {
    open.pop();
    place = open.length === 0 ? 'end' : 'after value';
    at++;
    return undefined;
  };

  const step = (byte: number): string | undefined => {
    switch (place) {
      case 'value or ]':
        return byte === code(']') ? close() : value(byte);
      case 'value':
        return value(byte);
      case 'key or }':
      case 'key': {
        if (place === 'key or }' && byte === code('}')) return close();
        if (byte !== code('"')) return wrong('looking for beginning of object key string');
        place = 'after key';
        return string();
      }
      case 'after key':
        if (byte !== code(':')) return wrong('after object key');
        place = 'value';
        break;
      case 'after value': {
        const inObject = open.at(-1) === true;
        if (byte === code(inObject ? '}' : ']')) return close();
        if (byte !== code(','))
          return wrong(inObject ? 'after object key:value pair' : 'after array element');
        place = inObject ? 'key' : 'value';
        break;
      }
      case 'end':
        return wrong('after top-level value');
    }
    at++;
    return undefined;
  };

  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (SPACE.has(byte)) {
      at++;
      continue;
    }
    const error = step(byte);
    if (error !== undefined) return error;
  }
  return place === 'end' ? undefined : CUT_OFF;
}

const SHORT: Readonly<Record<number, string>> = {
  0x07: '\\a',
  0x08: '\\b',
  0x09: '\\t',
  0x0a: '\\n',
  0x0b: '\\v',
  0x0c: '\\f',
  0x0d: '\\r',
  0x22: '"',
  0x27: "\\'",
  0x5c: '\\\\',
};

/** `'x'`: one byte taken for a character of Latin-1, as Go quotes it. */
function quoteByte(byte: number): string {
  const hex = byte.toString(16).padStart(2, '0');
  let text = SHORT[byte];
  if (text === undefined) {
    if (byte < 0x20 || byte === 0x7f) text = `\\x${hex}`;
    else if ((byte >= 0x80 && byte <= 0xa0) || byte === 0xad) text = `\\u00${hex}`;
    else text = String.fromCharCode(byte);
  }
  return `'${text}'`;
}
