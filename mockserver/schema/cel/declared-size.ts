/** How large the values that a schema describes may be. Source: apiserver pkg/cel/common/schemas.go, SchemaDeclType. */
import { isJsonArray, member, stringMember } from '../../ground/json.js';
import { type StructuralSchema } from '../structural/structural-schema.js';
import { saysMetadata } from './declared-type.js';
import { escapedName } from './property-name.js';

/** A value's place in a schema, as far as expressions see it. */
export interface Sized {
  /** The most characters or entries; 0 for what has no size. */
  readonly most: number;
  /** Bytes of the shortest JSON. */
  readonly leastBytes: number;
  /** By names as expressions write them. */
  readonly fields: ReadonlyMap<string, Sized>;
  readonly keys: Sized | undefined;
  /** Of a list, or the values of a map. */
  readonly elements: Sized | undefined;
}

const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const MAX_TEXT = MAX_REQUEST_BYTES - 2;

const scalar = (leastBytes: number, most = 0): Sized => ({
  most,
  leastBytes,
  fields: new Map(),
  keys: undefined,
  elements: undefined,
});

const TEXT = scalar(2, MAX_TEXT);
/** Keys of maps have no bound of their own. */
const KEY = scalar(2);
const EMBEDDED_METADATA: Sized = {
  ...scalar(2),
  fields: new Map([
    ['name', TEXT],
    ['generateName', TEXT],
  ]),
};

/** How often a value with so short a JSON may stand in one request. */
export const mostRepetitions = ({ leastBytes }: Sized): number =>
  Math.floor(MAX_REQUEST_BYTES / (leastBytes + 1));

export class DeclaredSizes {
  readonly #known = new Map<StructuralSchema, Sized | undefined>();

  /** Undefined where expressions see nothing. @param isRoot as for the declared types */
  of(schema: StructuralSchema, isRoot = schema.embedded): Sized | undefined {
    if (this.#known.has(schema)) return this.#known.get(schema);
    const sized = this.#declare(schema, isRoot);
    this.#known.set(schema, sized);
    return sized;
  }

  #declare(schema: StructuralSchema, isRoot: boolean): Sized | undefined {
    if (schema.intOrString) return scalar(1, maxLength(schema, 4) ?? MAX_TEXT);
    switch (schema.type) {
      case 'array': {
        const elements = schema.items && this.of(schema.items);
        if (elements === undefined) return undefined;
        const most = bound(schema, 'maxItems') ?? Math.floor(MAX_TEXT / (elements.leastBytes + 1));
        return { ...scalar(2, most), elements };
      }
      case 'object': {
        if (schema.additional?.schema === undefined) return this.#object(schema, isRoot);
        const elements = this.of(schema.additional.schema);
        if (elements === undefined) return undefined;
        const most = bound(schema, 'maxProperties') ?? Math.floor(MAX_TEXT / (elements.leastBytes + 6));
        return { ...scalar(2, most), keys: KEY, elements };
      }
      case 'string':
        return sizedText(schema);
      case 'boolean':
        return scalar(4);
      case 'number':
      case 'integer':
        return scalar(1);
      default:
        return undefined;
    }
  }

  #object(schema: StructuralSchema, isRoot: boolean): Sized {
    const fields = new Map<string, Sized>();
    const required = member(schema.json, 'required');
    let leastBytes = 2;
    for (const [name, property] of schema.properties) {
      const sized = this.of(property);
      if (sized === undefined) continue;
      const escaped = escapedName(name);
      if (escaped !== undefined) fields.set(escaped, sized);
      const mustStand = isJsonArray(required) && required.includes(name) && property.default === undefined;
      if (mustStand) leastBytes += Buffer.byteLength(name) + sized.leastBytes + 4;
    }
    if (isRoot && !saysMetadata(schema)) {
      fields.set('apiVersion', TEXT);
      fields.set('kind', TEXT);
      fields.set('metadata', EMBEDDED_METADATA);
    }
    return { ...scalar(leastBytes), fields };
  }
}

function sizedText(schema: StructuralSchema): Sized {
  switch (stringMember(schema.json, 'format')) {
    case 'byte':
      return scalar(2, maxLength(schema, 1) ?? MAX_TEXT);
    case 'duration':
      return scalar(3, 32);
    case 'date':
      return scalar(12, 12);
    case 'date-time':
      return scalar(21, 32);
    default:
      return scalar(2, maxLength(schema, 4) ?? longestOf(schema) ?? MAX_TEXT);
  }
}

/** @param bytes that one character may have */
function maxLength(schema: StructuralSchema, bytes: number): number | undefined {
  const length = bound(schema, 'maxLength');
  return length === undefined ? undefined : length * bytes;
}

function bound({ json }: StructuralSchema, name: string): number | undefined {
  const value = member(json, name);
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return Math.max(0, Number(value));
}

function longestOf({ json }: StructuralSchema): number | undefined {
  const values = member(json, 'enum');
  if (!isJsonArray(values) || values.length === 0) return undefined;
  return Math.max(0, ...values.map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : 0)));
}
