/** Reads YAML 1.1 as sigs.k8s.io/yaml does, by turning it into JSON values. */
import { type JsonValue, type MutableJsonObject, Float, setMember } from './json.js';
import { numberOf } from './json-exact.js';
import { type JsonReading, readJson } from './json-read.js';
import { asStored, writeJson } from './json-write.js';
import { goQuote } from './revision.js';
import { resolveScalar, type Resolved, TAGS, goFloat } from './yaml-scalar.js';
import { Lines, yamlSyntaxError } from './yaml-error.js';
import {
  type Alias,
  type ParsedDocument,
  loadYaml,
  type Node,
  type Scalar,
  type YamlPackage,
  type YAMLMap,
  type YAMLSeq,
} from './yaml-package.js';

const PARSE_OPTIONS = {
  schema: 'failsafe',
  version: '1.1',
  uniqueKeys: false,
  strict: true,
  logLevel: 'silent',
} as const;

/**
 * The value of the first document of a YAML text.
 *
 * Shape: as readJson's; an empty text is null. `duplicates` holds whole warnings, `line 4: key "a" already set in map`; the last
 * value has won. Numbers are as their JSON text reads: `1.0` is the int64 1.
 * Errors: `yaml: line 2: did not find expected ',' or ']'` and the like, `json: unsupported value: +Inf`; texts and lines of
 * syntax errors are those of yaml.v2 in the common cases only.
 * Source: sigs.k8s.io/yaml YAMLToJSON over yaml.v2 decode.go.
 */
export function readYaml(text: string): JsonReading {
  if (/^\s*\{/.test(text) && !UNLIKE_JSON.test(text)) {
    const json = readJson(Buffer.from(text));
    if (json.ok && json.duplicates.length === 0 && json.overflow === undefined) {
      return { ok: true, value: asStored(json.value), duplicates: [] };
    }
  }
  for (const reading of readDocuments(text)) return reading.reading;
  return { ok: true, value: null, duplicates: [] };
}

/** What YAML 1.1 does not take from JSON text: `\\/`, escapes of surrogates, some raw characters. */
const UNLIKE_JSON = /\\\/|\\u[dD][89a-fA-F]|[\x7f-\x9f]/;

export interface YamlDocument {
  /** 1-based line of the text on which the document's content begins. */
  readonly line: number;
  readonly value: JsonValue;
}

export type YamlDocuments =
  | { readonly ok: true; readonly documents: readonly YamlDocument[] }
  | { readonly ok: false; readonly error: string };

/** All documents of a text (a manifest file) but the empty ones, in order; or the first error, which names the line. */
export function readYamlDocuments(text: string): YamlDocuments {
  const documents: YamlDocument[] = [];
  for (const { reading, line } of readDocuments(text)) {
    if (!reading.ok) {
      const named = reading.error.includes('line ')
        ? reading.error
        : `${reading.error} (document at line ${line})`;
      return { ok: false, error: named };
    }
    if (reading.value !== null) documents.push({ line, value: reading.value });
  }
  return { ok: true, documents };
}

/** What yaml.v2's reader refuses anywhere in a text. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function* readDocuments(text: string): Generator<{ reading: JsonReading; line: number }> {
  if (CONTROL.test(text)) {
    yield { reading: { ok: false, error: 'yaml: control characters are not allowed' }, line: 1 };
    return;
  }
  const yaml = loadYaml();
  const lines = new Lines(text);
  const documents = new yaml.Composer(PARSE_OPTIONS).compose(new yaml.Parser().parse(text));
  for (;;) {
    let line = 1;
    let reading: JsonReading;
    try {
      const next = documents.next();
      if (next.done === true) return;
      const document = next.value;
      line = lines.lineAt(document.contents?.range[0] ?? document.range[0]);
      reading = readDocument(yaml, document, lines);
    } catch (error) {
      if (error instanceof RangeError) reading = { ok: false, error: 'yaml: exceeded max depth of 10000' };
      else if (error instanceof YamlFailure) reading = { ok: false, error: error.message };
      else throw error;
    }
    yield { reading, line };
    if (!reading.ok) return;
  }
}

function readDocument(yaml: YamlPackage, document: ParsedDocument, lines: Lines): JsonReading {
  const problem = yamlSyntaxError(document, lines);
  if (problem !== undefined) return { ok: false, error: problem };
  const decoder = new Decoder(yaml, lines, bindAliases(yaml, document.contents));
  const value = decoder.decode(document.contents);
  return { ok: true, value, duplicates: decoder.warnings };
}

/** Ends the reading of a text; its message is the error. */
class YamlFailure extends Error {}

const fail = (why: string): never => {
  throw new YamlFailure(`yaml: ${why}`);
};

type Kind =
  | { readonly is: 'scalar'; readonly node: Scalar }
  | { readonly is: 'map'; readonly node: YAMLMap }
  | { readonly is: 'list'; readonly node: YAMLSeq }
  | { readonly is: 'alias'; readonly node: Alias };

/** One entry of a map, as the parser has it. */
interface Member {
  readonly key: unknown;
  readonly value: unknown;
}

/** Undefined for an absent node, which is a null. */
function kindOf({ isScalar, isMap, isSeq, isAlias }: YamlPackage, node: unknown): Kind | undefined {
  if (isScalar(node)) return { is: 'scalar', node };
  if (isMap(node)) return { is: 'map', node };
  if (isSeq(node)) return { is: 'list', node };
  if (isAlias(node)) return { is: 'alias', node };
  return undefined;
}

/** Each alias with the node that its anchor named where the alias stands. Errors: an alias without anchor. */
function bindAliases(yaml: YamlPackage, root: unknown): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const bound = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    const kind = kindOf(yaml, node);
    if (kind === undefined) return;
    if (kind.is === 'alias') {
      const target = anchors.get(kind.node.source);
      if (target === undefined) fail(`unknown anchor '${kind.node.source}' referenced`);
      else bound.set(kind.node, target);
      return;
    }
    if (kind.node.anchor !== undefined) anchors.set(kind.node.anchor, kind.node);
    if (kind.is === 'list') kind.node.items.forEach(visit);
    if (kind.is === 'map') {
      for (const { key, value } of kind.node.items) {
        visit(key);
        visit(value);
      }
    }
  };
  visit(root);
  return bound;
}

/** A map as Go has it: names with their types, since 1 and "1" differ until they become JSON. */
type GoMap = Map<string, { readonly name: string; readonly value: JsonValue }>;

class Decoder {
  readonly warnings: string[] = [];
  readonly #yaml: YamlPackage;
  readonly #lines: Lines;
  readonly #aliases: ReadonlyMap<Alias, Node>;
  readonly #open = new Set<Alias>();
  #steps = 0;
  #aliasSteps = 0;

  constructor(yaml: YamlPackage, lines: Lines, aliases: ReadonlyMap<Alias, Node>) {
    this.#yaml = yaml;
    this.#lines = lines;
    this.#aliases = aliases;
  }

  decode(node: unknown): JsonValue {
    this.#count();
    const kind = this.#kindOf(node);
    switch (kind?.is) {
      case undefined:
        return null;
      case 'scalar':
        return jsonOf(scalarOf(kind.node));
      case 'list':
        return kind.node.items.map((item) => this.decode(item));
      case 'map':
        return objectOf(this.#fill(kind.node, new Map()));
      case 'alias':
        return this.#through(kind.node, (target) => this.decode(target));
    }
  }

  /** Source: yaml.v2 decode.go, the guard against aliases that multiply. */
  #count(): void {
    this.#steps++;
    if (this.#open.size > 0) this.#aliasSteps++;
    if (this.#aliasSteps <= 100 || this.#steps <= 1000) return;
    const [low, high] = [400_000, 4_000_000];
    const share = (Math.min(Math.max(this.#steps, low), high) - low) / (high - low);
    if (this.#aliasSteps / this.#steps > 0.99 - 0.89 * share) fail('document contains excessive aliasing');
  }

  #through<T>(alias: Alias, read: (target: Node | undefined) => T): T {
    if (this.#open.has(alias)) fail(`anchor '${alias.source}' value contains itself`);
    this.#open.add(alias);
    const result = read(this.#aliases.get(alias));
    this.#open.delete(alias);
    return result;
  }

  #fill(map: YAMLMap, into: GoMap): GoMap {
    for (const pair of map.items) {
      if (this.#isMergeKey(pair)) {
        this.#merge(pair.value, into);
        continue;
      }
      const { shown, name } = this.#keyOf(pair);
      const value = this.decode(pair.value);
      if (into.has(shown)) this.warnings.push(`line ${this.#lineOf(pair)}: key ${shown} already set in map`);
      into.set(shown, { name, value });
    }
    return into;
  }

  #merge(source: unknown, into: GoMap): void {
    const kind = this.#kindOf(source);
    if (kind?.is === 'list') {
      for (const item of [...kind.node.items].reverse()) {
        if (this.#kindOf(item)?.is === 'list') wantMap();
        this.#merge(item, into);
      }
    } else if (kind?.is === 'map') {
      this.#count();
      this.#fill(kind.node, into);
    } else if (kind?.is === 'alias') {
      this.#count();
      this.#through(kind.node, (target) => {
        const aliased = this.#kindOf(target);
        if (aliased?.is === 'map') this.#fill(aliased.node, into);
        else wantMap();
      });
    } else wantMap();
  }

  #keyOf({ key, value }: Member): { readonly shown: string; readonly name: string } {
    this.#count();
    const kind = this.#kindOf(key);
    if (kind?.is === 'alias')
      return this.#through(kind.node, (target) => this.#keyOf({ key: target, value }));
    if (kind?.is === 'list') return fail(`invalid map key: []interface {}{${showItems(this.decode(key))}}`);
    if (kind?.is === 'map')
      return fail(`invalid map key: map[interface {}]interface {}{${showItems(this.decode(key))}}`);
    const resolved: Resolved = kind === undefined ? resolveScalar('') : scalarOf(kind.node);
    if (resolved.value === null) {
      const shown = this.decode(value);
      throw new YamlFailure(
        `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown === null ? 'interface {}(nil)' : writeJson(shown)}`,
      );
    }
    const name = nameOf(resolved.value);
    return { shown: typeof resolved.value === 'string' ? goQuote(name) : name, name };
  }

  /** Where the value begins, or where it would. */
  #lineOf({ key, value }: Member): number {
    const range = this.#kindOf(value)?.node.range ?? this.#kindOf(key)?.node.range;
    return this.#lines.lineAt(range?.[0] ?? 0);
  }

  #isMergeKey({ key }: Member): boolean {
    const kind = this.#kindOf(key);
    return (
      kind?.is === 'scalar' &&
      kind.node.value === '<<' &&
      (kind.node.tag === undefined ? kind.node.type === 'PLAIN' : kind.node.tag.endsWith(':merge'))
    );
  }

  #kindOf(node: unknown): Kind | undefined {
    return kindOf(this.#yaml, node);
  }
}

const wantMap = (): never => fail('map merge requires map or sequence of maps as the value');

const CORE_TAG = 'tag:yaml.org,2002:';

/** Errors: a tag that its text does not fit. */
function scalarOf(node: Scalar): Resolved {
  const text = typeof node.value === 'string' ? node.value : '';
  if (node.tag === undefined || node.tag === '!') {
    return node.type === 'PLAIN' && node.tag === undefined
      ? resolveScalar(text)
      : { tag: TAGS.text, value: text };
  }
  const wanted = node.tag.startsWith(CORE_TAG) ? `!!${node.tag.slice(CORE_TAG.length)}` : node.tag;
  switch (wanted) {
    case TAGS.binary:
      return { tag: TAGS.text, value: binaryText(text) };
    case TAGS.bool:
    case TAGS.int:
    case TAGS.float:
    case TAGS.none:
    case TAGS.time: {
      const resolved = resolveScalar(text, wanted !== TAGS.time);
      if (resolved.tag === wanted) return resolved;
      if (wanted === TAGS.float && resolved.tag === TAGS.int)
        return { tag: TAGS.float, value: resolved.value };
      return fail(`cannot decode ${resolved.tag} \`${text}\` as a ${wanted}`);
    }
    default:
      return { tag: TAGS.text, value: text };
  }
}

function binaryText(text: string): string {
  const compact = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    fail('!!binary value contains invalid base64 data');
  }
  return Buffer.from(compact, 'base64').toString();
}

/** The value as its JSON text reads: `1.0` is written `1`. Errors: what JSON has no text for. */
function jsonOf({ value }: Resolved): JsonValue {
  if (!(value instanceof Float)) return value;
  if (Number.isFinite(value.value)) return numberOf(writeJson(value));
  const shown = Number.isNaN(value.value) ? 'NaN' : value.value > 0 ? '+Inf' : '-Inf';
  throw new YamlFailure(`json: unsupported value: ${shown}`);
}

/** Source: sigs.k8s.io/yaml convertToJSONableObject, which shows a float with the precision of 32 bits. */
function nameOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value instanceof Float ? goFloat(value.value, 32) : writeJson(value);
}

function objectOf(map: GoMap): JsonValue {
  const object: MutableJsonObject = {};
  for (const { name, value } of map.values()) setMember(object, name, value);
  return object;
}

/** The inside of a list or an object, near to what Go's %#v shows. */
const showItems = (value: JsonValue): string => writeJson(value).slice(1, -1);
