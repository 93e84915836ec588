/** A structural schema: the openAPIV3Schema of one version of a custom resource, compiled. */
import { type JsonArray, type JsonObject, type JsonValue } from '../../ground/json.js';

/** What additionalProperties allows: values of a schema, or (`true`, `false`) values of which nothing is known. */
export interface AdditionalProperties {
  readonly schema: StructuralSchema | undefined;
}

export interface StructuralSchema {
  /** As it was written; value validations are read from it. */
  readonly json: JsonObject;
  /** `''` when there is none: int-or-string and preserved values need none. */
  readonly type: string;
  readonly nullable: boolean;
  /** What the schema knows of it, members in byte order; undefined also for `default: null`. */
  readonly default: JsonValue | undefined;
  /** In byte order. */
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  readonly additional: AdditionalProperties | undefined;
  readonly items: StructuralSchema | undefined;
  readonly preservesUnknown: boolean;
  /** Whether apiVersion, kind and metadata are those of an object of its own. */
  readonly embedded: boolean;
  readonly intOrString: boolean;
  /** `atomic`, `set`, `map`; undefined: not said, which means atomic. */
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  /** `granular`, `atomic`; undefined: not said, which means granular. */
  readonly mapType: string | undefined;
  /** x-kubernetes-validations, as written. */
  readonly rules: JsonArray;
  /** Whether there are such rules, here or at whatever depth. */
  readonly hasRules: boolean;
  /** Whether there are sets or maps among its lists, at whatever depth, or the value is one. */
  readonly hasListTypes: boolean;
  /** Whether a value may get something by default, at whatever depth. */
  readonly hasDefaults: boolean;
  /** Whether an object of its own may stand in a value, at whatever depth, or the value is one. */
  readonly hasEmbedded: boolean;
}

/** The schema as that of a whole object, of which apiVersion, kind and metadata are always known. */
export const asRoot = (schema: StructuralSchema): StructuralSchema =>
  schema.embedded ? schema : { ...schema, embedded: true, hasEmbedded: true };

/** The schema of the member `name`; undefined where nothing is known of it. */
export function memberSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return schema.properties.get(name) ?? schema.additional?.schema;
}
