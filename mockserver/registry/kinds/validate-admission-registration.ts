/** Validation of webhook configurations and of admission policies and their bindings. Source: kubernetes apis/admissionregistration/validation/validation.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
} from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { isPort, PORT_PROBLEM, threePartDomainProblems } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';

const GROUP = 'admissionregistration.k8s.io';
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEWS = ['v1', 'v1beta1'];

function webhooks(found: Findings, object: ApiObject, mutating: boolean): void {
  const names = new Set<string>();
  itemsAt(object, 'webhooks').forEach((hook, i) => {
    const at = `webhooks[${i}]`;
    webhook(found, hook, at, mutating);
    reviewVersions(found, hook, `${at}.admissionReviewVersions`);
    const name = textAt(hook, 'name');
    if (name === '') return;
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
  });
}

function webhook(found: Findings, hook: JsonObject, at: string, mutating: boolean): void {
  found.needsForm(hook, at, 'name', threePartDomainProblems);
  itemsAt(hook, 'rules').forEach((rule, i) => {
    ruleWithOperations(found, rule, `${at}.rules[${i}]`);
  });
  found.among(hook, at, 'failurePolicy', ['Fail', 'Ignore']);
  found.among(hook, at, 'matchPolicy', ['Equivalent', 'Exact']);
  if (!isSet(hook, 'sideEffects'))
    found.required(`${at}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`);
  else found.among(hook, at, 'sideEffects', SIDE_EFFECTS, 'bad');
  if (isSet(hook, 'timeoutSeconds')) {
    const seconds = integerAt(hook, 'timeoutSeconds');
    if (seconds > 30 || seconds < 1)
      found.invalid(`${at}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds');
  }
  labelSelector(found, partAt(hook, 'namespaceSelector'), `${at}.namespaceSelector`);
  labelSelector(found, partAt(hook, 'objectSelector'), `${at}.objectSelector`);
  if (mutating) found.among(hook, at, 'reinvocationPolicy', ['IfNeeded', 'Never']);
  clientConfig(found, partOrEmpty(hook, 'clientConfig'), `${at}.clientConfig`);
  matchConditions(found, hook, `${at}.matchConditions`);
}

const FORM = '; desired format: https://host[/path]';

function clientConfig(found: Findings, config: JsonObject, at: string): void {
  const [byUrl, service] = [isSet(config, 'url'), partAt(config, 'service')];
  if (byUrl === (service !== undefined)) found.required(at, 'exactly one of url or service is required');
  else if (service !== undefined) webhookService(found, service, `${at}.service`);
  else webhookUrl(found, textAt(config, 'url'), `${at}.url`);
}

/** Source: apiserver util/webhook/validation.go. */
function webhookUrl(found: Findings, text: string, field: string): void {
  const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(
    text,
  );
  const [, scheme = '', authority = '', query = '', fragment = ''] = parts ?? [];
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (scheme.toLowerCase() !== 'https')
    found.invalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`);
  if (host === '') found.invalid(field, host, `host must be specified${FORM}`);
  if (user !== '') found.invalid(field, user, 'user information is not permitted in the URL');
  if (fragment !== '') found.invalid(field, fragment, 'fragments are not permitted in the URL');
  if (query !== '') found.invalid(field, query, 'query parameters are not permitted in the URL');
}

export function webhookService(found: Findings, service: JsonObject, at: string): void {
  // Name and namespace are looked at in each other's place.
  if (textAt(service, 'namespace') === '') found.required(`${at}.name`);
  if (textAt(service, 'name') === '') found.required(`${at}.namespace`);
  const port = integerAt(service, 'port');
  if (!isPort(port)) found.invalid(`${at}.port`, port, `port is not valid: ${PORT_PROBLEM}`);
  if (!isSet(service, 'path')) return;
  const path = textAt(service, 'path');
  const field = `${at}.path`;
  if (path === '/' || path === '') return;
  if (path === '//') {
    found.invalid(field, path, 'segment[0] may not be empty');
    return;
  }
  if (!path.startsWith('/')) found.invalid(field, path, "must start with a '/'");
  path
    .slice(1)
    .replace(/\/$/, '')
    .split('/')
    .forEach((segment, i) => {
      if (segment === '') found.invalid(field, path, `segment[${i}] may not be empty`);
      else
        for (const problem of dns1123SubdomainProblems(segment))
          found.invalid(field, path, `segment[${i}]: ${problem}`);
    });
}

function reviewVersions(found: Findings, hook: JsonObject, field: string): void {
  const versions = textsAt(hook, 'admissionReviewVersions');
  if (versions.length === 0) {
    found.required(field, `must specify one of ${REVIEWS.join(', ')}`);
    return;
  }
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) found.invalid(`${field}[${i}]`, version, 'duplicate version');
    else found.problems(`${field}[${i}]`, version, dns1035LabelProblems);
  });
  if (!versions.some((version) => REVIEWS.includes(version)))
    found.invalid(field, versions, `must include at least one of ${REVIEWS.join(', ')}`);
}

function ruleWithOperations(found: Findings, rule: JsonObject, at: string): void {
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

function matchConditions(found: Findings, hook: JsonObject, at: string): void {
  const conditions = itemsAt(hook, 'matchConditions');
  if (conditions.length > 64) found.tooMany(at, conditions.length, 64);
  const names = new Set<string>();
  conditions.forEach((condition, i) => {
    const place = `${at}[${i}]`;
    if (textAt(condition, 'expression').trim() === '') found.required(`${place}.expression`);
    const name = found.needs(condition, place, 'name');
    if (name === '') return;
    found.problems(`${place}.name`, name, labelKeyProblems);
    if (names.has(name)) found.duplicate(`${place}.name`, name);
    names.add(name);
  });
}

const webhookValidation = (resource: string, mutating: boolean): KindValidation => ({
  group: GROUP,
  resource,
  create(found, object) {
    webhooks(found, object, mutating);
  },
  update(found, next) {
    webhooks(found, next, mutating);
  },
});

export const mutatingWebhookValidation = webhookValidation('mutatingwebhookconfigurations', true);
export const validatingWebhookValidation = webhookValidation('validatingwebhookconfigurations', false);

const NONE_OF_BOTH = 'validations or auditAnnotations must contain at least one item';

function policy(found: Findings, object: ApiObject): void {
  const spec = partOrEmpty(object, 'spec');
  found.among(spec, 'spec', 'failurePolicy', ['Fail', 'Ignore']);
  const kind = partAt(spec, 'paramKind');
  if (kind !== undefined) {
    found.needs(kind, 'spec.paramKind', 'apiVersion');
    found.needs(kind, 'spec.paramKind', 'kind');
  }
  const constraints = partAt(spec, 'matchConstraints');
  if (constraints === undefined) found.required('spec.matchConstraints');
  else matchResources(found, constraints, 'spec.matchConstraints', true);
  matchConditions(found, spec, 'spec.matchConditions');
  const [validations, annotations] = [itemsAt(spec, 'validations'), itemsAt(spec, 'auditAnnotations')];
  if (validations.length === 0 && annotations.length === 0) {
    found.required('spec.validations', NONE_OF_BOTH);
    found.required('spec.auditAnnotations', NONE_OF_BOTH);
  }
  validations.forEach((validation, i) => {
    const at = `spec.validations[${i}]`;
    if (textAt(validation, 'expression').trim() === '')
      found.required(`${at}.expression`, 'expression is not specified');
    const message = textAt(validation, 'message');
    if (isSet(validation, 'message') && message !== '' && message.trim() === '')
      found.invalid(`${at}.message`, message, 'message must be non-empty if specified');
    else if (message.trim().includes('\n'))
      found.invalid(`${at}.message`, message, 'message must not contain line breaks');
    found.among(validation, at, 'reason', ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']);
  });
  const keys = new Set<string>();
  annotations.forEach((annotation, i) => {
    const at = `spec.auditAnnotations[${i}]`;
    const key = found.needs(annotation, at, 'key');
    if (key !== '') found.problems(`${at}.key`, key, labelKeyProblems);
    if (keys.has(key)) found.duplicate(`${at}.key`, key);
    keys.add(key);
    if (textAt(annotation, 'valueExpression').trim() === '') found.required(`${at}.valueExpression`);
  });
}

/** @param needed whether there must be a rule */
function matchResources(found: Findings, resources: JsonObject, at: string, needed: boolean): void {
  found.among(resources, at, 'matchPolicy', ['Equivalent', 'Exact']);
  labelSelector(found, partAt(resources, 'namespaceSelector'), `${at}.namespaceSelector`);
  labelSelector(found, partAt(resources, 'objectSelector'), `${at}.objectSelector`);
  for (const list of ['resourceRules', 'excludeResourceRules'])
    itemsAt(resources, list).forEach((rule, i) => {
      ruleWithOperations(found, rule, `${at}.${list}[${i}]`);
    });
  if (needed && listAt(resources, 'resourceRules').length === 0) found.required(`${at}.resourceRules`);
}

export const validatingAdmissionPolicyValidation: KindValidation = {
  group: GROUP,
  resource: 'validatingadmissionpolicies',
  create: policy,
  update(found, next) {
    policy(found, next);
  },
};

const VALIDATION_ACTIONS = ['Audit', 'Deny', 'Warn'];

function policyBinding(found: Findings, object: ApiObject): void {
  const spec = partOrEmpty(object, 'spec');
  found.needsForm(spec, 'spec', 'policyName', dns1123SubdomainProblems);
  const parameter = partAt(spec, 'paramRef');
  if (parameter !== undefined) {
    const at = 'spec.paramRef';
    const named = textAt(parameter, 'name') !== '';
    const selected = isSet(parameter, 'selector');
    if (named && selected) {
      found.forbidden(`${at}.name`, 'name and selector are mutually exclusive');
      found.forbidden(`${at}.selector`, 'name and selector are mutually exclusive');
    } else if (!named && !selected) found.required(at, 'one of name or selector must be specified');
    if (!isSet(parameter, 'parameterNotFoundAction')) found.required(`${at}.parameterNotFoundAction`);
    else found.among(parameter, at, 'parameterNotFoundAction', ['Deny', 'Allow'], 'bad');
  }
  const resources = partAt(spec, 'matchResources');
  if (resources !== undefined) matchResources(found, resources, 'spec.matchResources', false);
  const actions = textsAt(spec, 'validationActions');
  const field = 'spec.validationActions';
  if (actions.length === 0) found.required(field, 'at least one validation action is required');
  actions.forEach((action, i) => {
    if (!VALIDATION_ACTIONS.includes(action))
      found.notSupported(`${field}[${i}]`, action, VALIDATION_ACTIONS);
    if (actions.indexOf(action) < i) found.duplicate(`${field}[${i}]`, action);
  });
  if (actions.includes('Deny') && actions.includes('Warn'))
    found.invalid(
      field,
      member(spec, 'validationActions') ?? null,
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
}

export const validatingAdmissionPolicyBindingValidation: KindValidation = {
  group: GROUP,
  resource: 'validatingadmissionpolicybindings',
  create: policyBinding,
  update(found, next) {
    policyBinding(found, next);
  },
};
