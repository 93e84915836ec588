/** Types of the values that a structural schema describes. Source: apiserver pkg/cel/common/schemas.go. */
import { stringMember } from '../../ground/json.js';
import { type StructuralSchema } from '../structural/structural-schema.js';
import { escapedName } from './property-name.js';
import { type CelType, DYN, type ObjectType, type SimpleName, listOf, mapOf, simple } from './types.js';

const STRING_FORMATS: Readonly<Record<string, SimpleName>> = {
  byte: 'bytes',
  duration: 'duration',
  date: 'timestamp',
  'date-time': 'timestamp',
};

const STRING = simple('string');
/** Of every object, whatever its schema says. */
const METADATA: ObjectType = {
  kind: 'object',
  fields: new Map([
    ['name', STRING],
    ['generateName', STRING],
  ]),
};

/** Each schema has one type, so that types of objects are compared by identity. */
export class DeclaredTypes {
  readonly #known = new Map<StructuralSchema, CelType | undefined>();

  /**
   * Undefined where expressions see nothing: preserved values that are no objects, and lists and maps of them.
   * @param isRoot of a whole object, of which apiVersion, kind and metadata are known
   */
  of(schema: StructuralSchema, isRoot = schema.embedded): CelType | undefined {
    if (this.#known.has(schema)) return this.#known.get(schema);
    const type = this.#declare(schema, isRoot);
    this.#known.set(schema, type);
    return type;
  }

  #declare(schema: StructuralSchema, isRoot: boolean): CelType | undefined {
    if (schema.intOrString) return DYN;
    switch (schema.type) {
      case 'array': {
        const element = schema.items && this.of(schema.items);
        return element && listOf(element);
      }
      case 'object': {
        if (schema.additional?.schema === undefined) return this.#object(schema, isRoot);
        const value = this.of(schema.additional.schema);
        return value && mapOf(STRING, value);
      }
      case 'string':
        return simple(STRING_FORMATS[stringMember(schema.json, 'format') ?? ''] ?? 'string');
      case 'boolean':
        return simple('bool');
      case 'number':
        return simple('double');
      case 'integer':
        return simple('int');
      default:
        return undefined;
    }
  }

  #object(schema: StructuralSchema, isRoot: boolean): ObjectType {
    const fields = new Map<string, CelType>();
    for (const [name, property] of schema.properties) {
      const type = this.of(property);
      const escaped = escapedName(name);
      if (type !== undefined && escaped !== undefined) fields.set(escaped, type);
    }
    if (isRoot && !saysMetadata(schema)) {
      fields.set('apiVersion', STRING);
      fields.set('kind', STRING);
      fields.set('metadata', METADATA);
    }
    return { kind: 'object', fields };
  }
}

/** Whether the schema itself declares what every object has. */
export function saysMetadata({ properties }: StructuralSchema): boolean {
  const metadata = properties.get('metadata');
  return (
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties.get('name')?.type === 'string' &&
    metadata.properties.get('generateName')?.type === 'string'
  );
}
