/** The recorded facts that the tests of codecs share, and the built-in API as the codecs are given it. */
import { readFileSync } from 'node:fs';
import { type JsonObject, type JsonValue, Float, isJsonObject } from '../../../mockserver/ground/json.js';
import { type Codec, builtInCodec } from '../../../mockserver/schema/codec.js';
import { customCodec } from '../../../mockserver/schema/custom-codec.js';
import {
  type GoTypesDocument,
  type MessageTable,
  type ProtobufDocument,
  messageTable,
} from '../../../mockserver/schema/message-table.js';
import { MessagePlans } from '../../../mockserver/schema/typed-codec.js';

const root = new URL('../../../', import.meta.url);

/** The caller casts: these files are ours, and a test that reads a wrong one fails. */
export function readRecorded(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
}

export const table: MessageTable = messageTable(
  readRecorded('openapi/1.36/protobuf-1.36.json') as ProtobufDocument,
  readRecorded('openapi/1.36/go-types-1.36.json') as GoTypesDocument,
);
export const plans = new MessagePlans(table);

interface Definition {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

const { definitions } = readRecorded('openapi/1.36/kubernetes-1.36.json') as {
  definitions: Record<string, Definition>;
};

const messages = new Map<string, string>();
for (const [name, definition] of Object.entries(definitions)) {
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
    const message = name
      .replace(/^io\.k8s\./, 'k8s.io.')
      .replace(/apiextensions-apiserver|kube-aggregator/, (text) => text.replace('-', '_'));
    if (name.endsWith(`.${kind}`))
      messages.set(`${group === '' ? version : `${group}/${version}`} ${kind}`, message);
  }
}

/** The codec of an object's kind; one of custom resources where it is not built in. */
export function codecOf(object: JsonObject): Codec {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new Error('an object without a kind');
  const message = messages.get(`${apiVersion} ${kind}`);
  return message === undefined
    ? customCodec({ apiVersion, kind })
    : builtInCodec(plans, { apiVersion, kind, message });
}

const MARK = 'number as sent: ';

/** Reads JSON keeping the text of numbers that are not plain integers, and large integers exact. */
export function readBody(text: string): JsonObject {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    token.startsWith('"') ||
    (Number.isSafeInteger(Number(token)) === /^-?\d+$/.test(token) && !/[.eE]/.test(token))
      ? token
      : `"${MARK}${token}"`,
  );
  const value = JSON.parse(marked, (_name, one: JsonValue): JsonValue => {
    if (typeof one !== 'string' || !one.startsWith(MARK)) return one;
    const literal = one.slice(MARK.length);
    if (/^-?\d+$/.test(literal) && BigInt.asIntN(64, BigInt(literal)) === BigInt(literal))
      return BigInt(literal);
    const float = Number(literal);
    return Number.isInteger(float) || !Number.isFinite(float) ? new Float(float, literal) : float;
  }) as JsonValue;
  if (!isJsonObject(value)) throw new Error('not an object');
  return value;
}

/** The same value with the members of every object in reverse, but for raw JSON, whose order is its own. */
export function reversed(value: JsonValue, name = ''): JsonValue {
  if (name === 'fieldsV1' || name === 'raw' || name === 'parameters') return value;
  if (Array.isArray(value)) return value.map((one: JsonValue) => reversed(one));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one, key)]),
  );
}
