/** The types of built-in kinds as strategic merge patches see them: Go types, and how their fields merge. */
import { type Coder } from '../schema/coder.js';

export interface ScalarType {
  readonly kind: 'scalar';
  /** Go's kind, which errors name where nothing converts. */
  readonly base: 'string' | 'bool' | 'int32' | 'int64' | 'float64';
  /** Go's name of the type: `v1.Protocol`, `int32`. */
  readonly goType: string;
}

/** Base64 in JSON. */
export interface BytesType {
  readonly kind: 'bytes';
}

export interface ListType {
  readonly kind: 'list';
  readonly element: ValueType;
}

export interface MapType {
  readonly kind: 'map';
  readonly element: ValueType;
}

/** A type with a JSON form of its own, such as a time or raw JSON; as a Go type it has no fields to be seen. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
  readonly coder: Coder;
}

export interface StructType {
  readonly kind: 'struct';
  /** `PodSpec` */
  readonly name: string;
  /** By name, in the order of the Go struct. */
  readonly fields: ReadonlyMap<string, FieldType>;
}

export type ValueType = ScalarType | BytesType | ListType | MapType | OpaqueType | StructType;

export interface FieldType {
  readonly type: ValueType;
  /** Whether it is a pointer in Go. */
  readonly pointer: boolean;
  /** How a patch of a map or list is put upon the old one. Undefined: maps merge, lists are replaced. */
  readonly strategy: 'merge' | 'replace' | undefined;
  /** The member by which elements of a merging list are told apart; `''` when they are scalars. */
  readonly mergeKey: string;
}

/** `reflect.Kind` of a type, which errors name. */
export function goKindOfType(type: ValueType, pointer = false): string {
  if (pointer) return 'ptr';
  switch (type.kind) {
    case 'scalar':
      return type.base;
    case 'bytes':
    case 'list':
      return 'slice';
    case 'map':
      return 'map';
    case 'opaque':
    case 'struct':
      return 'struct';
  }
}
