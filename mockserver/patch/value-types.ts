/** Compiles the types of kinds from what is known of the built-in API; each message once, when it is first used. */
import { type JsonObject, objectMember, stringMember } from '../ground/json.js';
import { type Coder } from '../schema/coder.js';
import { type MessageField, type MessageTable } from '../schema/message-table.js';
import { specialCoder } from '../schema/special-coders.js';
import { type FieldType, type ListType, type StructType, type ValueType } from './value-type.js';

export interface ValueTypeSources {
  readonly table: MessageTable;
  /** Of a message, for those with a JSON form of their own. */
  readonly coderOf: (message: string) => Coder;
  /** The OpenAPI schema of a message, which says how fields merge; undefined when there is none. */
  readonly schemaOf: (message: string) => JsonObject | undefined;
}

export class ValueTypes {
  readonly #sources: ValueTypeSources;
  readonly #kinds = new Map<string, StructType>();
  readonly #types = new Map<string, ValueType>();

  constructor(sources: ValueTypeSources) {
    this.#sources = sources;
  }

  /**
   * The type of a kind.
   *
   * Errors: an Error when the table does not know the message, which is a fault of the table.
   */
  kind(message: string): StructType {
    const known = this.#kinds.get(message);
    if (known !== undefined) return known;
    const kind = new LazyStruct(nameOf(message), () => this.#fieldsOf(message, true));
    this.#kinds.set(message, kind);
    return kind;
  }

  #typeOf(message: string): ValueType {
    const known = this.#types.get(message);
    if (known !== undefined) return known;
    const type = this.#compile(message);
    this.#types.set(message, type);
    return type;
  }

  #compile(message: string): ValueType {
    const name = nameOf(message);
    if (LISTS_OF_TEXT.has(name)) return TEXTS;
    if (specialCoder(message, this.#sources.coderOf) !== undefined) {
      return { kind: 'opaque', name, coder: this.#sources.coderOf(message) };
    }
    return new LazyStruct(name, () => this.#fieldsOf(message, this.#sources.table.hasTypeMeta(message)));
  }

  #fieldsOf(message: string, typeMeta: boolean): ReadonlyMap<string, FieldType> {
    const { table, schemaOf } = this.#sources;
    const fields = table.fields(message);
    if (fields === undefined) throw new Error(`no such message: ${message}`);
    const schema = schemaOf(message);
    const result = new Map<string, FieldType>(typeMeta ? TYPE_META : []);
    for (const field of fields) {
      if (field.emission === 'inline') {
        for (const [name, inner] of this.#fieldsOf(field.type, false)) result.set(name, inner);
      } else {
        const own = objectMember(objectMember(schema, 'properties'), field.name);
        result.set(field.name, {
          type: this.#typeOfField(field),
          pointer: field.label === 'opt' && field.emission === 'ptr',
          strategy: strategyOf(own),
          mergeKey: stringMember(own, 'x-kubernetes-patch-merge-key') ?? '',
        });
      }
    }
    return result;
  }

  #typeOfField(field: MessageField): ValueType {
    if (field.label === 'opt') return this.#typeNamed(field.type, field.goType);
    const element = this.#typeNamed(field.type, field.goElement);
    return { kind: field.label === 'rep' ? 'list' : 'map', element };
  }

  #typeNamed(type: string, goType: string | undefined): ValueType {
    switch (type) {
      case 'string':
      case 'bool':
      case 'int32':
      case 'int64':
        return { kind: 'scalar', base: type, goType: goType ?? type };
      case 'double':
        return { kind: 'scalar', base: 'float64', goType: goType ?? 'float64' };
      case 'bytes':
        return { kind: 'bytes' };
      default:
        return this.#typeOf(type);
    }
  }
}

/** Messages may contain themselves, so fields are looked up when they are asked for. */
class LazyStruct implements StructType {
  readonly kind = 'struct';
  readonly name: string;
  readonly #compile: () => ReadonlyMap<string, FieldType>;
  #fields: ReadonlyMap<string, FieldType> | undefined;

  constructor(name: string, compile: () => ReadonlyMap<string, FieldType>) {
    this.name = name;
    this.#compile = compile;
  }

  get fields(): ReadonlyMap<string, FieldType> {
    return (this.#fields ??= this.#compile());
  }
}

const nameOf = (message: string): string => message.slice(message.lastIndexOf('.') + 1);

const TEXT: ValueType = { kind: 'scalar', base: 'string', goType: 'string' };
const TEXTS: ListType = { kind: 'list', element: TEXT };
const LISTS_OF_TEXT: ReadonlySet<string> = new Set(['ExtraValue', 'Verbs']);

const TYPE_META: readonly (readonly [string, FieldType])[] = ['kind', 'apiVersion'].map((name) => [
  name,
  { type: TEXT, pointer: false, strategy: undefined, mergeKey: '' },
]);

/** `retainKeys` beside it only tells clients what patches to make. */
function strategyOf(schema: JsonObject | undefined): FieldType['strategy'] {
  const given = (stringMember(schema, 'x-kubernetes-patch-strategy') ?? '').split(',');
  return given.includes('merge') ? 'merge' : given.includes('replace') ? 'replace' : undefined;
}
