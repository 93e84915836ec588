/** Validation of admission policies and their bindings. Source: kubernetes apis/admissionregistration/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  pathSegmentProblems,
} from '../../ground/name-syntax.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { type CelType } from '../../schema/cel/types.js';
import {
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { type KindValidation } from '../kind-validation.js';
import { conditions } from './validate-conditions.js';
import { isIdentifier, policyExpression } from './policy-expression.js';
import {
  matchConditions,
  matchConstraints,
  matchResources,
  mutatedOperations,
} from './validate-match-rules.js';

const GROUP = 'admissionregistration.k8s.io';
const NONE_OF_BOTH = 'validations or auditAnnotations must contain at least one item';
const MOST_ANNOTATIONS = 20;
const LONGEST_VALUE_EXPRESSION = 5 * 1024;

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

/**
 * What all policies have.
 *
 * Shape: the types of the policy's variables; undefined when it has none.
 */
function policySpec(
  found: Findings,
  object: ApiObject,
  previous: ApiObject | undefined,
  more: (spec: JsonObject) => void,
): ReadonlyMap<string, CelType> | undefined {
  const spec = specOf(object);
  found.among(spec, 'spec', 'failurePolicy', ['Fail', 'Ignore']);
  const kind = partAt(spec, 'paramKind');
  if (kind !== undefined) paramKind(found, kind, 'spec.paramKind');
  matchConstraints(found, spec);
  more(spec);
  const before = previous === undefined ? undefined : specOf(previous);
  const unchanged = ['paramKind', 'matchConditions'].every(
    (name) => before !== undefined && jsonEqual(member(spec, name) ?? null, member(before, name) ?? null),
  );
  if (!unchanged) matchConditions(found, spec, 'spec.matchConditions', kind !== undefined);
  return variables(found, spec);
}

function paramKind(found: Findings, kind: JsonObject, at: string): void {
  const apiVersion = found.needs(kind, at, 'apiVersion');
  if (apiVersion !== '') groupVersion(found, apiVersion, `${at}.apiVersion`);
  const name = found.needs(kind, at, 'kind');
  const problems = name === '' ? [] : dns1035LabelProblems(name.toLowerCase());
  if (problems.length > 0)
    found.invalid(
      `${at}.kind`,
      name,
      `may have mixed case, but should otherwise match: ${problems.join(',')}`,
    );
}

function groupVersion(found: Findings, text: string, field: string): void {
  const parts = text === '/' ? [''] : text.split('/');
  if (parts.length > 2) {
    found.invalid(field, text, `unexpected GroupVersion string: ${text}`);
    return;
  }
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const groupProblems = group === '' ? [] : dns1123SubdomainProblems(group);
  if (groupProblems.length > 0) found.invalid(field, group, groupProblems.join(','));
  const versionProblems = version === '' ? [] : dns1035LabelProblems(version);
  if (version === '') found.invalid(field, text, 'version must be specified');
  else if (versionProblems.length > 0) found.invalid(field, version, versionProblems.join(','));
}

function variables(found: Findings, spec: JsonObject): ReadonlyMap<string, CelType> | undefined {
  const all = itemsAt(spec, 'variables');
  if (all.length === 0) return undefined;
  const known = new Map<string, CelType>();
  all.forEach((variable, i) => {
    const at = `spec.variables[${i}]`;
    const name = textAt(variable, 'name');
    if (name.trim() === '') found.required(`${at}.name`, 'name is not specified');
    else if (!isIdentifier(name)) found.invalid(`${at}.name`, name, 'must be a valid CEL identifier');
    const expression = textAt(variable, 'expression');
    if (expression.trim() === '') found.required(`${at}.expression`, 'expression is not specified');
    else {
      const named = { params: isSet(spec, 'paramKind'), authorizer: true, variables: known };
      const { problem, type } = policyExpression(expression, named, []);
      if (problem !== undefined) found.invalid(`${at}.expression`, expression, problem);
      else known.set(name, type);
    }
  });
  return known;
}

function validatingPolicy(found: Findings, object: ApiObject, previous?: ApiObject): void {
  const known = policySpec(found, object, previous, () => undefined);
  const spec = specOf(object);
  const [validations, annotations] = [itemsAt(spec, 'validations'), itemsAt(spec, 'auditAnnotations')];
  if (validations.length === 0 && annotations.length === 0) {
    found.required('spec.validations', NONE_OF_BOTH);
    found.required('spec.auditAnnotations', NONE_OF_BOTH);
    return;
  }
  const params = isSet(spec, 'paramKind');
  validations.forEach((one, i) => {
    validation(found, one, `spec.validations[${i}]`, { params, variables: known });
  });
  if (annotations.length > MOST_ANNOTATIONS)
    found.invalid(
      'spec.auditAnnotations',
      member(spec, 'auditAnnotations') ?? null,
      `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`,
    );
  const keys = new Set<string>();
  annotations.forEach((annotation, i) => {
    const at = `spec.auditAnnotations[${i}]`;
    auditAnnotation(found, annotation, at, { name: nameOf(object), params, variables: known });
    const key = textAt(annotation, 'key');
    if (keys.has(key)) found.duplicate(`${at}.key`, key);
    keys.add(key);
  });
}

interface Surroundings {
  readonly params: boolean;
  readonly variables: ReadonlyMap<string, CelType> | undefined;
}

function validation(found: Findings, one: JsonObject, at: string, around: Surroundings): void {
  const expression = textAt(one, 'expression');
  if (expression.trim() === '') found.required(`${at}.expression`, 'expression is not specified');
  else {
    const { problem } = policyExpression(expression, { ...around, authorizer: true }, ['bool']);
    if (problem !== undefined) found.invalid(`${at}.expression`, expression, problem);
  }
  const messageExpression = textAt(one, 'messageExpression');
  if (messageExpression.trim() !== '') {
    const { problem } = policyExpression(messageExpression, { ...around, authorizer: false }, ['string']);
    if (problem !== undefined) found.invalid(`${at}.messageExpression`, messageExpression, problem);
  } else if (messageExpression !== '') {
    found.invalid(`${at}.messageExpression`, messageExpression, 'must be non-empty if specified');
  }
  const message = textAt(one, 'message');
  if (message !== '' && message.trim() === '')
    found.invalid(`${at}.message`, message, 'must be non-empty if specified');
  else if (/[\n\r]/.test(message.trim()))
    found.invalid(`${at}.message`, message, 'must not contain line breaks');
  found.among(one, at, 'reason', ['Forbidden', 'Invalid', 'RequestEntityTooLarge'], 'fine');
}

function auditAnnotation(
  found: Findings,
  annotation: JsonObject,
  at: string,
  { name, ...around }: Surroundings & { readonly name: string },
): void {
  const key = textAt(annotation, 'key');
  if (name === '') found.invalid(`${at}.key`, key, 'requires metadata.name be non-empty');
  else found.problems(`${at}.key`, `${name}/${key}`, labelKeyProblems);
  const expression = textAt(annotation, 'valueExpression');
  const field = `${at}.valueExpression`;
  if (expression.trim() === '') found.required(field, 'valueExpression is not specified');
  else if (Buffer.byteLength(expression.trim()) > LONGEST_VALUE_EXPRESSION)
    found.required(field, `must not exceed ${LONGEST_VALUE_EXPRESSION} bytes in length`);
  else {
    const { problem } = policyExpression(expression.trim(), { ...around, authorizer: true }, [
      'string',
      'null',
    ]);
    if (problem !== undefined) found.invalid(field, expression, problem);
  }
}

const JSON_PATCH = { type: 'JSONPatch', member: 'jsonPatch', other: 'applyConfiguration' } as const;
const APPLY = { type: 'ApplyConfiguration', member: 'applyConfiguration', other: 'jsonPatch' } as const;

function mutatingPolicy(found: Findings, object: ApiObject, previous?: ApiObject): void {
  policySpec(found, object, previous, (spec) => {
    mutatedOperations(found, spec, 'matchConstraints');
  });
  const spec = specOf(object);
  const mutations = itemsAt(spec, 'mutations');
  if (mutations.length === 0) found.required('spec.mutations', 'mutations must contain at least one item');
  mutations.forEach((one, i) => {
    mutation(found, one, `spec.mutations[${i}]`);
  });
  found.among(spec, 'spec', 'reinvocationPolicy', ['IfNeeded', 'Never'], 'missing');
}

/** What the expressions are is not looked at: they build objects, which the compiler does not know. */
function mutation(found: Findings, one: JsonObject, at: string): void {
  const type = found.needs(one, at, 'patchType');
  if (type === '') return;
  const form = [JSON_PATCH, APPLY].find((each) => each.type === type);
  if (form === undefined) {
    found.notSupported(`${at}.patchType`, type, ['ApplyConfiguration', 'JSONPatch']);
    return;
  }
  const patch = partAt(one, form.member);
  if (patch === undefined)
    found.required(`${at}.${form.member}`, `must be specified when patchType is ${type}`);
  else if (textAt(patch, 'expression').trim() === '') found.required(`${at}.${form.member}.expression`);
  if (isSet(one, form.other))
    found.invalid(
      `${at}.${form.other}`,
      `{${form.other}}`,
      `must not be specified when patchType is ${type}`,
    );
}

/** What all bindings have. */
function binding(found: Findings, spec: JsonObject): void {
  found.needsForm(spec, 'spec', 'policyName', dns1123SubdomainProblems);
  const parameter = partAt(spec, 'paramRef');
  if (parameter !== undefined) paramRef(found, parameter, 'spec.paramRef');
  const resources = partAt(spec, 'matchResources');
  if (resources !== undefined) matchResources(found, resources, 'spec.matchResources');
}

function paramRef(found: Findings, parameter: JsonObject, at: string): void {
  const name = textAt(parameter, 'name');
  const selector = partAt(parameter, 'selector');
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    found.problems(`${at}.name`, name, pathSegmentProblems);
    if (selector !== undefined) found.forbidden(`${at}.name`, exclusive);
  }
  if (selector !== undefined) {
    labelSelector(found, selector, `${at}.selector`);
    if (name !== '') found.forbidden(`${at}.selector`, exclusive);
  } else if (name === '') found.required(at, 'one of name or selector must be specified');
  found.among(parameter, at, 'parameterNotFoundAction', ['Deny', 'Allow'], 'missing');
}

const VALIDATION_ACTIONS = ['Audit', 'Deny', 'Warn'];

function validationActions(found: Findings, spec: JsonObject): void {
  const actions = textsAt(spec, 'validationActions');
  const field = 'spec.validationActions';
  actions.forEach((action, i) => {
    if (!VALIDATION_ACTIONS.includes(action))
      found.notSupported(`${field}[${i}]`, action, VALIDATION_ACTIONS);
    if (actions.indexOf(action) < i) found.duplicate(`${field}[${i}]`, action);
  });
  if (actions.includes('Deny') && actions.includes('Warn'))
    found.invalid(
      field,
      actions,
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
  if (actions.length === 0) found.required(field, 'at least one validation action is required');
}

/** A kind whose updates are validated as its creates are, with the object before. */
const validated = (
  resource: string,
  validate: (found: Findings, object: ApiObject, previous?: ApiObject) => void,
): KindValidation => ({
  group: GROUP,
  resource,
  create: (found, object) => {
    validate(found, object);
  },
  update: validate,
});

export const validatingAdmissionPolicyValidation: KindValidation = {
  ...validated('validatingadmissionpolicies', validatingPolicy),
  status(found, next) {
    const status = partOrEmpty(next, 'status');
    itemsAt(partOrEmpty(status, 'typeChecking'), 'expressionWarnings').forEach((warning, i) => {
      const at = `status.typeChecking.expressionWarnings[${i}]`;
      found.needs(warning, at, 'warning');
      if (textAt(warning, 'fieldRef').trim() === '') found.required(`${at}.fieldRef`);
    });
    conditions(found, status, 'status.conditions');
  },
};

export const mutatingAdmissionPolicyValidation = validated('mutatingadmissionpolicies', mutatingPolicy);

export const validatingAdmissionPolicyBindingValidation = validated(
  'validatingadmissionpolicybindings',
  (found, object) => {
    binding(found, specOf(object));
    validationActions(found, specOf(object));
  },
);

export const mutatingAdmissionPolicyBindingValidation = validated(
  'mutatingadmissionpolicybindings',
  (found, object) => {
    binding(found, specOf(object));
    mutatedOperations(found, specOf(object), 'matchResources');
  },
);
