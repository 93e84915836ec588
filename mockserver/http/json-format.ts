/** JSON bodies. */
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { writeJson, writePretty } from '../ground/json-write.js';
import { type ApiObject } from '../ground/object.js';
import { type StoredObject } from '../ground/stored-object.js';
import { byteString } from '../ground/utf8.js';
import { type Format, type ListParts } from './format.js';

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
  object: (object, pretty) => [pretty ? byteString(writePretty(object.object)) : `${object.json}\n`],
  value: (value, pretty) => [byteString(pretty ? writePretty(value) : `${writeJson(value)}\n`)],
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

/** Items are joined to pieces of about this length. */
const PIECE_BYTES = 64 * 1024;

function* compactList(list: ListParts): Generator<string> {
  let pending = '{';
  let first = true;
  for (const [name, value] of listMembers(list)) {
    pending += `${first ? '' : ','}${byteString(writeJson(name))}:`;
    first = false;
    if (value !== ITEMS) {
      pending += byteString(writeJson(value));
      continue;
    }
    yield `${pending}[`;
    yield* joinedItems(list);
    pending = ']';
  }
  yield `${pending}}\n`;
}

/** The items with commas between them. */
function* joinedItems({ items, itemForm }: ListParts): Generator<string> {
  const cutter = new HeadCutter();
  let texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = itemForm === 'bare' ? cutter.bare(item) : item.json;
    texts.push(text);
    length += text.length;
    if (length < PIECE_BYTES) continue;
    yield texts.join(',');
    // The first of the next piece is an empty text, so that a comma stands in front of it.
    texts = [''];
    length = 0;
  }
  if (length > 0) yield texts.join(',');
}

/** Takes kind and apiVersion off the items of one list, where they are nearly always the same. */
class HeadCutter {
  #kind = '';
  #apiVersion = '';
  #head = '';

  /** The JSON of an object without kind and apiVersion. A codec puts them first, so the rest only needs a brace. */
  bare({ object, json }: StoredObject): string {
    const { kind, apiVersion } = object;
    if (kind !== this.#kind || apiVersion !== this.#apiVersion) {
      this.#kind = kind;
      this.#apiVersion = apiVersion;
      this.#head = byteString(`{"kind":${writeJson(kind)},"apiVersion":${writeJson(apiVersion)},`);
    }
    return json.startsWith(this.#head)
      ? `{${json.slice(this.#head.length)}`
      : byteString(writeJson(bareObject(object)));
  }
}

/** An object without kind and apiVersion, as it stands in a list of its kind. */
export function bareObject(object: ApiObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name]) => name !== 'kind' && name !== 'apiVersion'),
  );
}

function* prettyList(list: ListParts): Generator<string> {
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
      yield byteString(separator + indented(writePretty(shown), '    '));
      separator = ',\n    ';
    }
    pending = '\n  ]';
  }
  yield byteString(`${pending}\n}`);
}

/** All lines but the first moved to the right. Line breaks within texts are escaped, so a line is a line. */
function indented(text: string, by: string): string {
  return text.replace(/\n/g, `\n${by}`);
}
