/** Values as Go's dump of their structs shows them, whose text kube-controller-manager hashes. */
import { type GoField, type GoLayouts } from '../../openapi/go-layouts.js';
import { compareUtf8, isJsonArray, isJsonObject, member, type JsonValue } from '../ground/json.js';
import { writeJsonBytes } from '../ground/json-write.js';
import { quantityDump } from './go-quantity-dump.js';
import { instantOf } from './go-time.js';

const NIL = '<nil>';
const MAP = /^map\[([^\]]+)\](.+)$/;
const ZERO_TIME = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
/** From the first of January of the year 1 to 1970, in seconds. */
const UNIX_TO_ZERO = 62_135_596_800;
/** Of a machine that has no time zone set, as an image of a controller. */
const UTC =
  '{name:(string)UTC zone:([]time.zone)<nil> tx:([]time.zoneTrans)<nil> extend:(string) cacheStart:(int64)0 cacheEnd:(int64)0 cacheZone:(*time.zone)<nil>}';

type Value = JsonValue | undefined;

/**
 * The text of a value with its types, as the object is after it came over the wire: empty lists and maps are none.
 *
 * @param goType as Go prints it: `v1.PodTemplateSpec`, `*int32`, `[]v1.Container`.
 *
 * Source: go-spew's `%#v` (spew/format.go) with sorted keys and without methods, as kubernetes pkg/util/hash sets it.
 */
export function goDump(layouts: GoLayouts, goType: string, value: JsonValue): string {
  return new Dump(layouts).typed(goType, value);
}

class Dump {
  readonly #layouts: GoLayouts;

  constructor(layouts: GoLayouts) {
    this.#layouts = layouts;
  }

  typed(goType: string, value: Value): string {
    const absent = value === undefined || value === null;
    if (goType.startsWith('*') && !absent) return `(${goType})${this.#bare(goType.slice(1), value)}`;
    return `(${goType})${this.#bare(goType, value)}`;
  }

  /** Without the type of its own, as elements of lists and maps are. */
  #bare(goType: string, value: Value): string {
    if (goType.startsWith('*')) return NIL;
    if (goType.startsWith('[]')) return this.#list(goType.slice('[]'.length), value);
    const [, , element] = MAP.exec(goType) ?? [];
    if (element !== undefined) return this.#map(element, value);
    const special = SPECIAL.get(goType);
    if (special !== undefined) return special(value);
    const { structs, named } = this.#layouts;
    const fields = structs[goType];
    if (fields !== undefined) return this.#struct(fields, value);
    const under = named[goType];
    return under === undefined ? scalar(goType, value) : this.#bare(under, value);
  }

  #list(element: string, value: Value): string {
    if (!isJsonArray(value ?? null)) return NIL;
    const items = value as readonly JsonValue[];
    return items.length === 0 ? NIL : `[${items.map((item) => this.#bare(element, item)).join(' ')}]`;
  }

  #map(element: string, value: Value): string {
    if (!isJsonObject(value)) return NIL;
    const entries = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
    if (entries.length === 0) return NIL;
    return `map[${entries.map(([key, one]) => `${key}:${this.#bare(element, one)}`).join(' ')}]`;
  }

  #struct(fields: readonly GoField[], value: Value): string {
    const object = isJsonObject(value) ? value : undefined;
    const texts = fields.map(
      ([goName, goType, name]) =>
        `${goName}:${this.typed(goType, name === undefined ? object : member(object, name))}`,
    );
    return `{${texts.join(' ')}}`;
  }
}

/** Types whose JSON is not an object of their fields. */
const SPECIAL: ReadonlyMap<string, (value: Value) => string> = new Map([
  ['v1.Time', timeDump],
  ['v1.FieldsV1', (value) => `{Raw:([]uint8)[${writeJsonBytes(value ?? null).join(' ')}]}`],
  ['resource.Quantity', (value) => quantityDump(typeof value === 'string' ? value : undefined)],
  ['intstr.IntOrString', intOrStringDump],
]);

function timeDump(value: Value): string {
  const ms = typeof value === 'string' ? instantOf(value) : undefined;
  if (ms === undefined || ms === null) return ZERO_TIME;
  const seconds = Math.floor(ms / 1000) + UNIX_TO_ZERO;
  return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${seconds} loc:(*time.Location)${UTC}}}`;
}

function intOrStringDump(value: Value): string {
  const text = typeof value === 'string' ? value : undefined;
  const number = typeof value === 'number' ? value : 0;
  const kind = text === undefined ? 0 : 1;
  return `{Type:(intstr.Type)${kind} IntVal:(int32)${number} StrVal:(string)${text ?? ''}}`;
}

/** Absent ones are the zero of their type. */
function scalar(goType: string, value: Value): string {
  if (goType === 'bool') return value === true ? 'true' : 'false';
  if (goType === 'string') return typeof value === 'string' ? value : '';
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '0';
}
