/** Types of expressions, known before anything is evaluated. */
import { ListValue, OptionalValue, TypeValue, type Value, isMapValue, typeName } from './values.js';

/** Names of types without parts; those of libraries as `type()` shows them. */
const SIMPLE = {
  dyn: 'dyn',
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  null: 'null_type',
  url: 'kubernetes.URL',
  ip: 'net.IP',
  cidr: 'net.CIDR',
  quantity: 'kubernetes.Quantity',
  semver: 'kubernetes.Semver',
  format: 'kubernetes.NamedFormat',
} as const;
export type SimpleName = keyof typeof SIMPLE;

export interface ObjectType {
  readonly kind: 'object';
  /** By names as expressions write them. */
  readonly fields: ReadonlyMap<string, CelType>;
}

export type CelType =
  | { readonly kind: 'simple'; readonly name: SimpleName }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'optional'; readonly value: CelType }
  | { readonly kind: 'type' }
  /** Of a function's parameters: any one type, the same wherever the name stands. */
  | { readonly kind: 'param'; readonly name: string }
  | ObjectType;

export const simple = (name: SimpleName): CelType => ({ kind: 'simple', name });
export const DYN = simple('dyn');
export const BOOL = simple('bool');
export const listOf = (element: CelType): CelType => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const optionalOf = (value: CelType): CelType => ({ kind: 'optional', value });

export const isSimple = (type: CelType, name: SimpleName): boolean =>
  type.kind === 'simple' && type.name === name;
export const isDyn = (type: CelType): boolean => isSimple(type, 'dyn');

const isSimpleName = (name: string): name is SimpleName => Object.hasOwn(SIMPLE, name);

/** Reads `list(string)`, `map(K, V)`, `optional(T)`, `type`, `int`; capitals are parameters. */
export function parseType(text: string): CelType {
  const inner = /^(list|map|optional)\((.*)\)$/.exec(text);
  if (inner !== null) {
    const parts = splitTypes(inner[2] ?? '').map(parseType);
    const [first = DYN, second = DYN] = parts;
    if (inner[1] === 'list') return listOf(first);
    return inner[1] === 'map' ? mapOf(first, second) : optionalOf(first);
  }
  if (text === 'type') return { kind: 'type' };
  if (/^[A-Z]$/.test(text)) return { kind: 'param', name: text };
  if (!isSimpleName(text)) throw new TypeError(`no type is called ${text}`);
  return simple(text);
}

/** At commas outside parentheses. */
export function splitTypes(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const one of text) {
    if (one === '(') depth++;
    if (one === ')') depth--;
    if (one === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += one;
  }
  return part.trim() === '' ? parts : [...parts, part.trim()];
}

/** What the parameters of one call stand for. */
export type Bindings = Map<string, CelType>;

/** Whether a value of type `from` may stand where `to` is expected; binds the parameters in `to`. */
export function isAssignable(to: CelType, from: CelType, bindings: Bindings): boolean {
  if (to.kind === 'param') {
    const bound = bindings.get(to.name);
    if (bound === undefined || (isDyn(bound) && !isDyn(from))) {
      bindings.set(to.name, from);
      return true;
    }
    if (isAssignable(bound, from, bindings)) return true;
    // Null first, then what may be null.
    if (!isAssignable(from, bound, bindings)) return false;
    bindings.set(to.name, from);
    return true;
  }
  if (isDyn(to) || isDyn(from)) return true;
  if (isSimple(from, 'null')) return mayBeNull(to);
  switch (to.kind) {
    case 'simple':
      return from.kind === 'simple' && from.name === to.name;
    case 'type':
      return from.kind === 'type';
    case 'object':
      return from === to;
    case 'list':
      return from.kind === 'list' && isAssignable(to.element, from.element, bindings);
    case 'optional':
      return from.kind === 'optional' && isAssignable(to.value, from.value, bindings);
    case 'map':
      return (
        from.kind === 'map' &&
        isAssignable(to.key, from.key, bindings) &&
        isAssignable(to.value, from.value, bindings)
      );
  }
}

const NEVER_NULL: ReadonlySet<SimpleName> = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes']);

function mayBeNull(type: CelType): boolean {
  if (type.kind === 'simple') return !NEVER_NULL.has(type.name);
  return type.kind === 'object' || type.kind === 'optional';
}

/** With parameters replaced; one that nothing was said of may be anything. */
export function substituted(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'param':
      return bindings.get(type.name) ?? DYN;
    case 'list':
      return listOf(substituted(type.element, bindings));
    case 'optional':
      return optionalOf(substituted(type.value, bindings));
    case 'map':
      return mapOf(substituted(type.key, bindings), substituted(type.value, bindings));
    case 'simple':
    case 'type':
    case 'object':
      return type;
  }
}

/** As errors name it: `list(int)`, `map(string, dyn)`. */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'simple':
      return type.name === 'null' || /^(timestamp|duration)$/.test(type.name) ? type.name : SIMPLE[type.name];
    case 'list':
      return `list(${typeText(type.element)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional_type(${typeText(type.value)})`;
    case 'type':
      return 'type';
    case 'param':
      return type.name;
    case 'object':
      return 'object';
  }
}

/** Whether a value is of the type; parts of lists, maps and optionals are not looked at. */
export function isOfType(value: Value, type: CelType): boolean {
  switch (type.kind) {
    case 'simple':
      return type.name === 'dyn' || typeName(value) === SIMPLE[type.name];
    case 'list':
      return value instanceof ListValue;
    case 'map':
    case 'object':
      return isMapValue(value);
    case 'optional':
      return value instanceof OptionalValue;
    case 'type':
      return value instanceof TypeValue;
    case 'param':
      return true;
  }
}
