/** JSON bodies. */
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { writeJson, writePretty } from '../ground/json-write.js';
import { type ApiObject } from '../ground/object.js';
import { byteString } from '../ground/utf8.js';
import { type Format, type ListParts, type Piece } from './format.js';

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
  // One line each: the document and a newline.
  frames: {
    object: (type, object) => Buffer.from(`{"type":"${type}","object":${object.json}}\n`, 'latin1'),
    value: (type, value) => Buffer.from(`{"type":"${type}","object":${writeJson(value)}}\n`),
  },
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

function* compactList(list: ListParts): Generator<Piece> {
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
    yield* separatedItems(list);
    pending = ']';
  }
  yield `${pending}}\n`;
}

/** Items of a list that are handed on at a time. */
const ROW = 64;

/**
 * The items with commas between them, each as its shared text. Bare items are what follows kind and apiVersion in it,
 * with a brace in front: a codec puts those two first, and all items have the same.
 */
function* separatedItems({ items, itemForm }: ListParts): Generator<readonly string[]> {
  const head = itemForm === 'bare' && items[0] !== undefined ? headOf(items[0].object) : '';
  const opening = head === '' ? '' : '{';
  for (let start = 0; start < items.length; start += ROW) {
    const row: string[] = [];
    for (const { json, object } of items.slice(start, start + ROW)) {
      const separator = start === 0 && row.length === 0 ? '' : ',';
      if (json.startsWith(head)) row.push(separator + opening, json.slice(head.length));
      else row.push(separator, byteString(writeJson(bareObject(object))));
    }
    yield row;
  }
}

const headOf = ({ kind, apiVersion }: ApiObject): string =>
  byteString(`{"kind":${writeJson(kind)},"apiVersion":${writeJson(apiVersion)},`);

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
