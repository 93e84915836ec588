/** Rules of a schema, each where it applies. Source: apiextensions-apiserver apiserver/schema/cel/validation.go. */
import { arrayMember, isJsonObject } from '../../ground/json.js';
import { compileSchema } from '../structural/compile-schema.js';
import { type StructuralSchema } from '../structural/structural-schema.js';
import { DeclaredTypes } from './declared-type.js';
import { escapedName } from './property-name.js';
import { type CelType } from './types.js';
import { type ValidationRule, compileRule } from './validation-rule.js';

export interface RuleTree {
  readonly schema: StructuralSchema;
  /** Of a whole object, which has apiVersion, kind and metadata. */
  readonly isRoot: boolean;
  readonly rules: readonly ValidationRule[];
  /** Whether any of the rules asks for the previous value. */
  readonly usesOldSelf: boolean;
  /** Rules in the parts of allOf, for the same value. */
  readonly allOf: readonly RuleTree[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** Undefined when there are no rules. @param schema of a whole object */
export function ruleTree(schema: StructuralSchema): RuleTree | undefined {
  const types = new DeclaredTypes();
  return treeOf(schema, schema, true, types.of(schema, true), types);
}

/**
 * @param rules where rules are read: the schema, or what stands in an allOf of it
 * @param type of the value; undefined where expressions see nothing
 */
function treeOf(
  rules: StructuralSchema,
  schema: StructuralSchema,
  isRoot: boolean,
  type: CelType | undefined,
  types: DeclaredTypes,
): RuleTree | undefined {
  const below = (
    from: StructuralSchema | undefined,
    to: StructuralSchema | undefined,
  ): RuleTree | undefined =>
    from === undefined || to === undefined ? undefined : treeOf(from, to, to.embedded, types.of(to), types);
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of rules.properties) {
    // Where expressions see nothing of a member, its rules do not apply either.
    if (escapedName(name) !== undefined && !sees(type, name)) continue;
    const tree = below(property, schema.properties.get(name));
    if (tree !== undefined) properties.set(name, tree);
  }
  const own =
    type === undefined
      ? []
      : rules.rules.filter(isJsonObject).map((one) => compileRule(one, { type, sized: undefined, schema }));
  const allOf = (arrayMember(rules.json, 'allOf') ?? [])
    .filter(isJsonObject)
    .map((one) => treeOf(compileSchema(one), schema, isRoot, type, types))
    .filter((one) => one !== undefined);
  const items = below(rules.items, schema.items);
  const additional = below(rules.additional?.schema, schema.additional?.schema);
  const isEmpty = own.length + allOf.length + properties.size === 0;
  if (isEmpty && items === undefined && additional === undefined) return undefined;
  const usesOldSelf = own.some((one) => one.usesOldSelf);
  return { schema, isRoot, rules: own, usesOldSelf, allOf, properties, additional, items };
}

function sees(type: CelType | undefined, name: string): boolean {
  return type?.kind === 'object' && type.fields.has(escapedName(name) ?? '');
}
