/** Records of defaults that say all there is to know: put this value there when the member is missing. */
import { type JsonValue, isJsonObject } from '../../ground/json.js';

/** One record of the facts about defaults; see openapi/default-record.ts. */
export interface RuleRecord {
  readonly path: string;
  readonly value: JsonValue;
  readonly when: string;
}

/** The member at `path` becomes `value` when it is missing and what it would stand in is there. */
export interface LiteralRule {
  /** Names of members; lists are gone through. A first name with a capital is a message beside that of the record. */
  readonly path: readonly string[];
  /** Frozen. */
  readonly value: JsonValue;
  /** Whether `""` and 0 count as missing too. */
  readonly replacesEmpty: boolean;
}

/** Conditions that are no more than "it is missing"; what stands in brackets explains itself. */
const MISSING =
  /^(?:\w+ present and (?:\w+ )?)?(each )?absent( or (?:""|0))?(?: \((?:null too|or empty list|the zero quantity is written|written as "")\))?(?:; 0 is kept|; kind \w+ only, not in templates)?$/;

/**
 * The rules of one record.
 *
 * Shape: undefined when the record needs a reader: its condition is more than absence, or its value is a sentence.
 */
export function literalRules(record: RuleRecord): readonly LiteralRule[] | undefined {
  const missing = MISSING.exec(record.when);
  if (missing === null) return undefined;
  const replacesEmpty = missing[2] !== undefined;
  const paths = pathsOf(record.path);
  const values = valuesOf(record.value, paths.length);
  if (values === undefined) return undefined;
  return paths.flatMap((path, i) => {
    const value = values[i] ?? null;
    // "Each" of an object's members by itself.
    if (missing[1] !== undefined && paths.length === 1 && isJsonObject(value)) {
      return Object.entries(value).map(([name, one]) => ({
        path: [...path, name],
        value: one,
        replacesEmpty,
      }));
    }
    return alternatives(path).map((one) => ({ path: one, value, replacesEmpty }));
  });
}

/** `a.b; c.d e[].f, g` → a.b, c.d.e.f, c.d.g. */
function pathsOf(text: string): readonly (readonly string[])[] {
  return text.split('; ').flatMap((group) => {
    const [head = '', ...others] = group.split(', ');
    const space = head.indexOf(' ');
    const prefix = space > 0 ? names(head.slice(0, space)) : names(head).slice(0, -1);
    const first = space > 0 ? names(head.slice(space + 1)) : names(head).slice(-1);
    const whole = (path: readonly string[]): readonly string[] =>
      path.length > 1 && path[0] === prefix[0] ? path : [...prefix, ...path];
    return [[...prefix, ...first], ...others.map((other) => whole(names(other)))];
  });
}

const names = (path: string): readonly string[] => path.replace('…', '').replaceAll('[]', '').split('.');

/** `a/b` within a path is either of the two. */
function alternatives(path: readonly string[]): readonly (readonly string[])[] {
  return path.reduce<readonly (readonly string[])[]>(
    (paths, name) => paths.flatMap((before) => name.split('/').map((one) => [...before, one])),
    [[]],
  );
}

function valuesOf(value: JsonValue, count: number): readonly JsonValue[] | undefined {
  if (count === 1) return typeof value === 'string' && value.includes(' ') ? undefined : [deepFrozen(value)];
  if (typeof value !== 'string') return undefined;
  const texts = value.split(/[,;] /);
  const values = texts.map(wordValue).filter((one) => one !== undefined);
  return values.length === count ? values : undefined;
}

/** `{}`, `10`, `""`, `[Persistent]`, `Cluster`. Undefined for what is more than one word. */
function wordValue(text: string): JsonValue | undefined {
  if (text.includes(' ')) return undefined;
  const listed = /^\[(\w+)\]$/.exec(text)?.[1];
  if (listed !== undefined) return deepFrozen([listed]);
  if (/^(?:[{["]|-?\d+$|true$|false$)/.test(text)) return deepFrozen(JSON.parse(text) as JsonValue); // JSON by the test above
  return text;
}

function deepFrozen(value: JsonValue): JsonValue {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((one: JsonValue) => deepFrozen(one));
    Object.freeze(value);
  }
  return value;
}
