/** Validation of what webhooks and admission policies are asked about: rules, conditions, selections. Source: kubernetes apis/admissionregistration/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { labelKeyProblems, pathSegmentProblems } from '../../ground/name-syntax.js';
import {
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { policyExpression } from './policy-expression.js';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function ruleWithOperations(found: Findings, rule: JsonObject, at: string): void {
  const operations = textsAt(rule, 'operations');
  if (operations.length === 0) found.required(`${at}.operations`);
  if (operations.length > 1 && operations.includes('*'))
    found.invalid(`${at}.operations`, operations, "if '*' is present, must not specify other operations");
  operations.forEach((operation, i) => {
    if (!OPERATIONS.includes(operation)) found.notSupported(`${at}.operations[${i}]`, operation, OPERATIONS);
  });
  const alone = (name: string, what: string): void => {
    const list = textsAt(rule, name);
    if (list.length === 0) found.required(`${at}.${name}`);
    if (list.length > 1 && list.includes('*'))
      found.invalid(`${at}.${name}`, list, `if '*' is present, must not specify other API ${what}`);
  };
  alone('apiGroups', 'groups');
  alone('apiVersions', 'versions');
  textsAt(rule, 'apiVersions').forEach((version, i) => {
    if (version === '') found.required(`${at}.apiVersions[${i}]`);
  });
  ruleResources(found, textsAt(rule, 'resources'), `${at}.resources`);
  found.among(rule, at, 'scope', ['*', 'Cluster', 'Namespaced']);
}

function ruleResources(found: Findings, resources: readonly string[], field: string): void {
  if (resources.length === 0) found.required(field);
  const seen = new Set<string>();
  const [everySub, everyRes] = [new Set<string>(), new Set<string>()];
  resources.forEach((text, i) => {
    const place = `${field}[${i}]`;
    if (text === '') {
      found.required(place);
      return;
    }
    if (seen.has(text)) found.duplicate(place, text);
    seen.add(text);
    if (text === '*/*' && resources.length > 1)
      found.invalid(field, resources, "if '*/*' is present, must not specify other resources");
    const [name = '', sub = ''] = text.split('/');
    if (text.includes('/') && sub === '*') everySub.add(name);
    if (text.includes('/') && name === '*') everyRes.add(sub);
  });
  resources.forEach((text, i) => {
    const [name = '', sub = ''] = text.split('/');
    const place = `${field}[${i}]`;
    if (everySub.has(name) && sub !== '*' && text.includes('/'))
      found.invalid(place, text, `if '${name}/*' is present, must not specify ${text}`);
    if (everyRes.has(sub) && name !== '*' && text.includes('/'))
      found.invalid(place, text, `if '*/${sub}' is present, must not specify ${text}`);
  });
  if (resources.includes('*') && resources.some((text) => text !== '*' && !text.includes('/')))
    found.invalid(
      field,
      resources,
      "if '*' is present, must not specify other resources without subresources",
    );
}

const MOST_CONDITIONS = 64;

/** @param params whether conditions may name params */
export function matchConditions(found: Findings, owner: JsonObject, at: string, params: boolean): void {
  const conditions = itemsAt(owner, 'matchConditions');
  if (conditions.length > MOST_CONDITIONS) found.tooMany(at, conditions.length, MOST_CONDITIONS);
  const names = new Set<string>();
  conditions.forEach((condition, i) => {
    const place = `${at}[${i}]`;
    const expression = textAt(condition, 'expression').trim();
    if (expression === '') found.required(`${place}.expression`);
    else {
      const variables = { params, authorizer: true, variables: undefined };
      const { problem } = policyExpression(expression, variables, ['bool']);
      if (problem !== undefined) found.invalid(`${place}.expression`, expression, problem);
    }
    const name = found.needs(condition, place, 'name');
    if (name === '') return;
    found.problems(`${place}.name`, name, labelKeyProblems);
    if (names.has(name)) found.duplicate(`${place}.name`, name);
    names.add(name);
  });
}

/** The matchConstraints of a policy. */
export function matchConstraints(found: Findings, spec: JsonObject): void {
  const at = 'spec.matchConstraints';
  const constraints = partAt(spec, 'matchConstraints');
  if (constraints === undefined) {
    found.required(at);
    return;
  }
  matchResources(found, constraints, at);
  if (listAt(constraints, 'resourceRules').length === 0) found.required(`${at}.resourceRules`);
}

export function matchResources(found: Findings, resources: JsonObject, at: string): void {
  found.among(resources, at, 'matchPolicy', ['Equivalent', 'Exact']);
  labelSelector(found, partAt(resources, 'namespaceSelector'), `${at}.namespaceSelector`);
  labelSelector(found, partAt(resources, 'objectSelector'), `${at}.objectSelector`);
  for (const list of ['resourceRules', 'excludeResourceRules'])
    itemsAt(resources, list).forEach((rule, i) => {
      resourceNames(found, textsAt(rule, 'resourceNames'), `${at}.${list}[${i}].resourceNames`);
      ruleWithOperations(found, rule, `${at}.${list}[${i}]`);
    });
}

function resourceNames(found: Findings, names: readonly string[], at: string): void {
  names.forEach((name, i) => {
    found.problems(`${at}[${i}]`, name, pathSegmentProblems);
    if (names.indexOf(name) < i) found.duplicate(`${at}[${i}]`, name);
  });
}

/** Policies that mutate are not asked about deletes. */
export function mutatedOperations(found: Findings, spec: JsonObject, name: string): void {
  const supported = OPERATIONS.filter((one) => one !== 'DELETE');
  for (const rule of itemsAt(partOrEmpty(spec, name), 'resourceRules'))
    for (const operation of textsAt(rule, 'operations'))
      if (!supported.includes(operation))
        found.notSupported(`spec.${name}.resourceRules.operations`, operation, supported);
}
