/** What the schema of one version does to the objects of a custom resource. */
import { type JsonObject, type JsonValue, isJsonObject } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { sortedMembers } from '../member-order.js';
import { OBJECT_META, objectMetaPlans } from '../object-meta.js';
import { compileSchema } from './compile-schema.js';
import { applyDefaults } from './defaults.js';
import { coerceEmbedded } from './embedded.js';
import { dropNulls } from './nulls.js';
import { prune } from './prune.js';
import { type StructuralSchema, asRoot } from './structural-schema.js';
import { type ValueRules, compileRules } from './value-rules.js';

export type Reception =
  | { readonly ok: true; readonly value: JsonObject; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** The schema of one version, compiled when it is first needed. apiVersion, kind and metadata are left to the codec. */
export class CustomSchema {
  readonly #json: JsonObject;
  readonly #objectMeta = objectMetaPlans().coder(OBJECT_META);
  #rules: ValueRules | undefined;
  #compiled: { readonly structural: StructuralSchema; readonly root: StructuralSchema } | undefined;

  /** @param json the openAPIV3Schema */
  constructor(json: JsonObject) {
    this.#json = json;
  }

  /** The tree, made once. */
  get structural(): StructuralSchema {
    return this.#schemas().structural;
  }

  /** What values must be, made once. */
  get rules(): ValueRules {
    return (this.#rules ??= compileRules(this.#json));
  }

  /**
   * What a client sent: pruned, without nulls that stand for nothing, with defaults.
   *
   * Shape: shares what is left unchanged; members stand in any order. `unknown` are the paths of what was dropped.
   * Errors: text of a member of an embedded object that has the wrong type.
   */
  receive(value: JsonObject): Reception {
    const { structural, root } = this.#schemas();
    const pruning = prune(value, root);
    const present = dropNulls(pruning.value, structural);
    const coercion = coerceEmbedded(present, structural, this.#objectMeta, 'refuse');
    if (!coercion.ok) return coercion;
    const complete = applyDefaults(coercion.value, structural);
    return {
      ok: true,
      value: isJsonObject(complete) ? complete : value,
      unknown: coercion.unknown.length === 0 ? pruning.unknown : [...pruning.unknown, ...coercion.unknown],
    };
  }

  /**
   * What is read from storage, where it may have been put under another schema: as `receive`, but without what cannot
   * be read.
   * Shape: members in byte order; the object itself when nothing changes.
   */
  restore(object: ApiObject): ApiObject {
    const { structural } = this.#schemas();
    return arranged(applyDefaults(this.#known(object), structural));
  }

  /** What comes from another version, which is renamed already: as `restore`, without defaults. */
  convert(object: ApiObject): ApiObject {
    return arranged(this.#known(object));
  }

  #known(object: ApiObject): JsonValue {
    const { structural, root } = this.#schemas();
    const present = dropNulls(prune(object, root).value, structural);
    const coercion = coerceEmbedded(present, structural, this.#objectMeta, 'drop');
    return coercion.ok ? coercion.value : present;
  }

  #schemas(): { readonly structural: StructuralSchema; readonly root: StructuralSchema } {
    if (this.#compiled === undefined) {
      const structural = compileSchema(this.#json);
      this.#compiled = { structural, root: asRoot(structural) };
    }
    return this.#compiled;
  }
}

/** Nothing here drops apiVersion, kind or metadata: what was an object still is, which is what the cast says. */
const arranged = (object: JsonValue): ApiObject => sortedMembers(object) as ApiObject;
