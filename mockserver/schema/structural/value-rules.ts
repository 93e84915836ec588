/** The validations of one schema, read once: what a value must be, whatever else is known of its structure. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  Float,
  arrayMember,
  compareUtf8,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { formatCheck } from './formats.js';
import { type Pattern, compilePattern } from './pattern.js';

export interface Bound {
  readonly limit: number;
  readonly exclusive: boolean;
}

export interface ValueRules {
  /** Empty: any; two for int-or-string. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** `''` when there is none or, unless taken verbatim, one that is not checked for the type. */
  readonly format: string;
  /** Of texts. */
  readonly isFormat: ((text: string) => boolean) | undefined;
  readonly enum: JsonArray;
  readonly maximum: Bound | undefined;
  readonly minimum: Bound | undefined;
  readonly multipleOf: number | undefined;
  /** In characters. */
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: { readonly text: string; readonly compiled: () => Pattern } | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly items: ValueRules | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  /** In byte order, the order in which values are checked. */
  readonly properties: ReadonlyMap<string, ValueRules>;
  /** Of members that are no properties. `forbidden`: there may be none. */
  readonly additional: ValueRules | 'forbidden' | undefined;
  readonly allOf: readonly ValueRules[];
  readonly anyOf: readonly ValueRules[];
  readonly oneOf: readonly ValueRules[];
  readonly not: ValueRules | undefined;
}

export interface CompileOptions {
  /**
   * As a schema is taken to validate its own defaults: int-or-string says nothing of the type, and any format counts,
   * whatever the type. @default false
   */
  readonly verbatim?: boolean;
}

/** Source: apiextensions-apiserver apiserver/validation/validation.go, ConvertJSONSchemaProps. */
export function compileRules(json: JsonObject, options: CompileOptions = {}): ValueRules {
  const type = stringMember(json, 'type') ?? '';
  const verbatim = options.verbatim === true;
  const intOrString = !verbatim && member(json, 'x-kubernetes-int-or-string') === true;
  const types = intOrString ? ['integer', 'string'] : type === '' ? [] : [type];
  const given = stringMember(json, 'format') ?? '';
  const format = verbatim ? given : checkedFormat(given, types);
  const additional = member(json, 'additionalProperties');
  const items = objectMember(json, 'items');
  const not = objectMember(json, 'not');
  return {
    types,
    nullable: member(json, 'nullable') === true,
    format,
    isFormat: format === '' ? undefined : formatCheck(format),
    enum: arrayMember(json, 'enum') ?? [],
    maximum: boundOf(json, 'maximum', 'exclusiveMaximum'),
    minimum: boundOf(json, 'minimum', 'exclusiveMinimum'),
    multipleOf: amount(json, 'multipleOf'),
    maxLength: amount(json, 'maxLength'),
    minLength: amount(json, 'minLength'),
    pattern: patternOf(stringMember(json, 'pattern') ?? ''),
    maxItems: amount(json, 'maxItems'),
    minItems: amount(json, 'minItems'),
    items: items === undefined ? undefined : compileRules(items, options),
    maxProperties: amount(json, 'maxProperties'),
    minProperties: amount(json, 'minProperties'),
    required: (arrayMember(json, 'required') ?? []).filter((one): one is string => typeof one === 'string'),
    properties: propertiesOf(objectMember(json, 'properties'), options),
    additional: isJsonObject(additional)
      ? compileRules(additional, options)
      : additional === false
        ? 'forbidden'
        : undefined,
    allOf: schemas(json, 'allOf', options),
    anyOf: schemas(json, 'anyOf', options),
    oneOf: schemas(json, 'oneOf', options),
    not: not === undefined ? undefined : compileRules(not, options),
  };
}

/**
 * The format where it is one that the server checks for values of the type; `''` where it is not.
 * Source: apiextensions-apiserver apiserver/validation/formats.go.
 */
export function checkedFormat(format: string, types: readonly string[]): string {
  if (format === '') return '';
  const type = types.length === 1 ? types[0] : '';
  const known =
    type === '' || type === 'string'
      ? formatCheck(format) !== undefined
      : type === 'integer'
        ? format === 'int32' || format === 'int64'
        : type === 'number'
          ? format === 'float' || format === 'double'
          : false;
  return known ? format : '';
}

function propertiesOf(
  properties: JsonObject | undefined,
  options: CompileOptions,
): ReadonlyMap<string, ValueRules> {
  const out = new Map<string, ValueRules>();
  for (const name of Object.keys(properties ?? {}).sort(compareUtf8)) {
    const one = member(properties, name);
    if (isJsonObject(one)) out.set(name, compileRules(one, options));
  }
  return out;
}

const schemas = (json: JsonObject, name: string, options: CompileOptions): readonly ValueRules[] =>
  (arrayMember(json, name) ?? []).filter(isJsonObject).map((one) => compileRules(one, options));

function boundOf(json: JsonObject, name: string, exclusive: string): Bound | undefined {
  const limit = amount(json, name);
  return limit === undefined ? undefined : { limit, exclusive: member(json, exclusive) === true };
}

function amount(json: JsonObject, name: string): number | undefined {
  return asFloat(member(json, name));
}

/** A number as a float64; undefined for anything else. */
export function asFloat(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Float) return value.value;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

function patternOf(text: string): ValueRules['pattern'] {
  if (text === '') return undefined;
  let compiled: Pattern | undefined;
  return { text, compiled: () => (compiled ??= compilePattern(text)) };
}
