/** JSON bodies. */
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { writeJson, writePretty } from '../ground/json-write.js';
import { type ApiObject } from '../ground/object.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Format, type ListParts } from './format.js';

/** The compact bytes of an object, without a newline: made once, then shared by lists and watchers. */
export function jsonBytes(object: StoredObject): Buffer {
  const body = jsonBody(object);
  return body.subarray(0, body.length - 1);
}

/** The compact bytes with the newline that ends a body: what is kept, since it cannot be put behind them later. */
function jsonBody(object: StoredObject): Buffer {
  return object.encoded('json', encodeJson);
}

function encodeJson(object: ApiObject): Buffer {
  return Buffer.from(`${writeJson(object)}\n`);
}

/**
 * Compact bodies end with a newline, indented ones do not.
 *
 * Source: apimachinery runtime/serializer/json; streamed lists, KEP-5116.
 */
export const jsonFormat: Format = {
  name: 'json',
  mediaType: 'application/json',
  watchMediaType: 'application/json',
  text: true,
  object: (object, pretty) => [pretty ? Buffer.from(writePretty(object.object)) : jsonBody(object)],
  value: (value, pretty) => [Buffer.from(pretty ? writePretty(value) : `${writeJson(value)}\n`)],
  list: (list, pretty) => (pretty ? prettyList(list) : compactList(list)),
};

/** The members of a list in the order of the wire, with a mark where the items stand. */
export function listMembers({
  head,
  memberOrder,
}: ListParts): readonly (readonly [string, JsonValue | ItemsMark])[] {
  const members: (readonly [string, JsonValue | ItemsMark])[] = [...Object.entries(head), ['items', ITEMS]];
  if (memberOrder === 'sorted') members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return members;
}

export const ITEMS = Symbol('items');
export type ItemsMark = typeof ITEMS;

function* compactList(list: ListParts): Generator<Buffer> {
  let pending = '{';
  let first = true;
  for (const [name, value] of listMembers(list)) {
    pending += `${first ? '' : ','}${writeJson(name)}:`;
    first = false;
    if (value !== ITEMS) {
      pending += writeJson(value);
      continue;
    }
    let separator = `${pending}[`;
    const heads = new ItemHeads();
    for (const item of list.items) {
      const bytes = jsonBytes(item);
      const skipped = list.itemForm === 'bare' ? heads.lengthIn(item.object, bytes) : 0;
      yield Buffer.from(skipped === undefined || skipped === 0 ? separator : `${separator}{`);
      yield skipped === undefined ? Buffer.from(writeJson(bareObject(item.object))) : bytes.subarray(skipped);
      separator = ',';
    }
    pending = list.items.length === 0 ? `${separator}]` : ']';
  }
  yield Buffer.from(`${pending}}\n`);
}

/** What stands at the beginning of the items of one list, where it is nearly always the same. */
class ItemHeads {
  #kind = '';
  #apiVersion = '';
  #head = Buffer.alloc(0);

  /**
   * How many of an item's bytes the opening brace, kind and apiVersion take, so that the rest needs only a brace in
   * front of it. Undefined when the bytes do not begin with them (a codec puts them first, so this is rare).
   */
  lengthIn({ kind, apiVersion }: ApiObject, bytes: Buffer): number | undefined {
    if (kind !== this.#kind || apiVersion !== this.#apiVersion) {
      this.#kind = kind;
      this.#apiVersion = apiVersion;
      this.#head = Buffer.from(`{"kind":${writeJson(kind)},"apiVersion":${writeJson(apiVersion)},`);
    }
    const { length } = this.#head;
    return bytes.length > length && this.#head.compare(bytes, 0, length) === 0 ? length : undefined;
  }
}

/** An object without kind and apiVersion, as it stands in a list of its kind. */
export function bareObject(object: ApiObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name]) => name !== 'kind' && name !== 'apiVersion'),
  );
}

function* prettyList(list: ListParts): Generator<Buffer> {
  let pending = '{\n';
  let first = true;
  for (const [name, value] of listMembers(list)) {
    pending += `${first ? '' : ',\n'}  ${writeJson(name)}: `;
    first = false;
    if (value !== ITEMS) {
      pending += indented(writePretty(value), '  ');
      continue;
    }
    if (list.items.length === 0) {
      pending += '[]';
      continue;
    }
    let separator = `${pending}[\n    `;
    for (const item of list.items) {
      const shown = list.itemForm === 'bare' ? bareObject(item.object) : item.object;
      yield Buffer.from(separator + indented(writePretty(shown), '    '));
      separator = ',\n    ';
    }
    pending = '\n  ]';
  }
  yield Buffer.from(`${pending}\n}`);
}

/** All lines but the first moved to the right. Line breaks within texts are escaped, so a line is a line. */
function indented(text: string, by: string): string {
  return text.replace(/\n/g, `\n${by}`);
}
