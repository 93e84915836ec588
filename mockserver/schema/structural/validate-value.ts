/** Validation of a value against the rules of its schema. */
import { type FieldError } from '../../ground/field-error.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
} from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';
import { type Correlation } from './correlation.js';
import { enumFinding } from './enum-rule.js';
import { Findings, asFieldError, general } from './findings.js';
import { checkNumber } from './number-rules.js';
import { textFinding } from './text-rules.js';
import { typeFinding, typeMismatch } from './type-rule.js';
import { type ValueRules } from './value-rules.js';

/**
 * Errors of `value`.
 *
 * Shape: in the order of a server: of the value's type, its alternatives, its text or number, its elements and their
 * number, its enum, the number of its members, its members, those that are missing. Where a server's order is chance
 * (members), in byte order.
 * @param root where the value stands, `''` for a whole object
 * @param correlation with the previous value, on an update: errors of what has not changed are left out
 * Source: kube-openapi pkg/validation/validate; apiextensions-apiserver apiserver/validation/ratcheting.go.
 */
export function valueErrors(
  value: JsonValue,
  rules: ValueRules,
  root: string,
  correlation?: Correlation,
): readonly FieldError[] {
  const into = new Findings();
  if (correlation === undefined) check(value, rules, '', undefined, into);
  else checkUnlessUnchanged(correlation, rules, '', into);
  return into.all.map((one) => asFieldError(one, root));
}

/**
 * @param outer the correlation of this value or, when it has none, of the nearest one around it: that one is asked
 * below, as a server does, so that members of a new value may correspond to those of another one by chance
 */
function check(
  value: JsonValue,
  rules: ValueRules,
  path: string,
  outer: Correlation | undefined,
  into: Findings,
): void {
  const typed = value === null || rules.types.length > 0 || rules.format !== '';
  const wrongType = typed ? typeFinding(value, rules, path) : undefined;
  if (wrongType !== undefined) into.add(wrongType);
  else if (typed) into.matches += 1;
  if (value === null) {
    checkEnum(value, rules, path, into);
    return;
  }
  if (typed) into.matches += 1;
  checkAlternatives(value, rules, path, outer, into);
  into.matches += 2;
  if (typeof value === 'string') checkText(value, rules, path, into);
  else if (isJsonArray(value)) {
    checkElements(value, rules, path, outer, into);
    into.matches += 2;
  } else if (typeof value !== 'boolean' && !isJsonObject(value)) {
    checkNumber(value, rules, path, into);
    into.matches += 2;
  }
  checkEnum(value, rules, path, into);
  into.matches += 1;
  if (isJsonObject(value)) {
    checkMembers(value, rules, path, outer, into);
    into.matches += 1;
  }
  into.matches += 1;
}

/** What stays as it was needs not be valid. */
function checkUnlessUnchanged(
  correlation: Correlation,
  rules: ValueRules,
  path: string,
  into: Findings,
): void {
  const own = new Findings();
  check(correlation.next, rules, path, correlation, own);
  if (own.isEmpty || !correlation.unchanged) into.merge(own);
  else into.matches += own.matches;
}

function checkText(text: string, rules: ValueRules, path: string, into: Findings): void {
  const wrong = textFinding(text, rules, path);
  if (wrong !== undefined) into.add(wrong);
  into.matches += 1;
  if (rules.isFormat === undefined) return;
  if (!rules.isFormat(text)) into.add(typeMismatch(path, rules.format, text));
  into.matches += 1;
}

function checkEnum(value: JsonValue, rules: ValueRules, path: string, into: Findings): void {
  if (rules.enum.length === 0) return;
  const wrong = enumFinding(value, rules.enum, path);
  if (wrong !== undefined) into.add(wrong);
}

function checkElements(
  list: JsonArray,
  rules: ValueRules,
  path: string,
  outer: Correlation | undefined,
  into: Findings,
): void {
  const { items, minItems, maxItems } = rules;
  if (items !== undefined) {
    for (let i = 0; i < list.length; i++) {
      const place = `${path}[${i}]`;
      const own = outer?.element(i);
      if (own === undefined) check(list[i] ?? null, items, place, outer, into);
      else checkUnlessUnchanged(own, items, place, into);
    }
  }
  const count = list.length;
  if (minItems !== undefined && count < minItems) {
    const text = `${path} in body should have at least ${minItems} items`;
    into.add({ path, text, reason: 'FieldValueInvalid', value: count });
  }
  if (maxItems !== undefined && count > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`;
    into.add({ path, text, reason: 'FieldValueTooMany', value: count, detail: atMost(maxItems) });
  }
}

function checkMembers(
  object: JsonObject,
  rules: ValueRules,
  path: string,
  outer: Correlation | undefined,
  into: Findings,
): void {
  const { minProperties, maxProperties, additional, properties } = rules;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const count = Object.keys(object).length;
    if (minProperties !== undefined && count < minProperties) {
      const text = `${path} in body should have at least ${minProperties} properties`;
      into.add({ path, text, reason: 'FieldValueInvalid', value: count });
    }
    if (maxProperties !== undefined && count > maxProperties) {
      const text = `${path} in body should have at most ${maxProperties} properties`;
      into.add({ path, text, reason: 'FieldValueTooMany', value: count, detail: atMost(maxProperties) });
    }
  }
  if (additional !== undefined) {
    for (const name of Object.keys(object).sort(compareUtf8)) {
      if (properties.has(name)) continue;
      if (additional === 'forbidden') {
        const text = `${path}.${name} in body is a forbidden property`;
        into.add({ path, text, reason: 'FieldValueInvalid', value: name });
      } else checkMember(object[name] ?? null, name, additional, `${path}.${name}`, outer, into);
    }
  }
  for (const [name, property] of properties) {
    const value = member(object, name);
    if (value !== undefined)
      checkMember(value, name, property, path === '' ? name : `${path}.${name}`, outer, into);
  }
  for (const name of rules.required) {
    if (Object.hasOwn(object, name)) continue;
    const place = `${path}.${name}`;
    into.add({ path: place, text: `${place} in body is required`, reason: 'FieldValueRequired', detail: '' });
  }
}

function checkMember(
  value: JsonValue,
  name: string,
  rules: ValueRules,
  path: string,
  outer: Correlation | undefined,
  into: Findings,
): void {
  // Both objects are shown in one version, so a change of these two would not be seen.
  const versioned = outer?.isRoot === true && (name === 'kind' || name === 'apiVersion');
  const own = versioned ? undefined : outer?.member(name);
  if (own === undefined) check(value, rules, path, outer, into);
  else checkUnlessUnchanged(own, rules, path, into);
}

const atMost = (count: number): string => `must have at most ${count} ${count === 1 ? 'item' : 'items'}`;

/** anyOf, oneOf, allOf and not. Source: kube-openapi validation/validate/schema_props.go. */
function checkAlternatives(
  value: JsonValue,
  rules: ValueRules,
  path: string,
  outer: Correlation | undefined,
  into: Findings,
): void {
  const found = (branch: ValueRules): Findings => {
    const own = new Findings();
    check(value, branch, path, outer, own);
    return own;
  };
  if (rules.anyOf.length > 0) checkAnyOf(rules.anyOf, path, found, into);
  if (rules.oneOf.length > 0) checkOneOf(rules.oneOf, path, found, into);
  if (rules.allOf.length > 0) checkAllOf(rules.allOf, path, found, into);
  if (rules.not !== undefined && found(rules.not).isEmpty) {
    into.add(general(`${goQuote(path)} must not validate the schema (not)`));
  }
}

type Found = (branch: ValueRules) => Findings;

function checkAnyOf(branches: readonly ValueRules[], path: string, found: Found, into: Findings): void {
  let best: Findings | undefined;
  for (const branch of branches) {
    const own = found(branch);
    if (own.isEmpty) {
      into.merge(own);
      return;
    }
    if (best === undefined || own.matches > best.matches) best = own;
  }
  into.add(general(`${goQuote(path)} must validate at least one schema (anyOf)`));
  if (best !== undefined) into.merge(best);
}

function checkOneOf(branches: readonly ValueRules[], path: string, found: Found, into: Findings): void {
  let best: Findings | undefined;
  const valid: Findings[] = [];
  for (const branch of branches) {
    const own = found(branch);
    if (own.isEmpty) valid.push(own);
    else if (best === undefined || own.matches > best.matches) best = own;
  }
  const [only] = valid;
  if (only !== undefined && valid.length === 1) {
    into.merge(only);
    return;
  }
  const count = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  into.add(general(`${goQuote(path)} must validate one and only one schema (oneOf). ${count}`));
  if (best !== undefined && valid.length === 0) into.merge(best);
}

function checkAllOf(branches: readonly ValueRules[], path: string, found: Found, into: Findings): void {
  let valid = 0;
  for (const branch of branches) {
    const own = found(branch);
    if (own.isEmpty) valid++;
    into.merge(own);
  }
  if (valid === branches.length) return;
  const none = valid === 0 ? '. None validated' : '';
  into.add(general(`${goQuote(path)} must validate all the schemas (allOf)${none}`));
}
