/** Validation of webhook configurations. Source: kubernetes apis/admissionregistration/validation/validation.go. */
import { type JsonArray, type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { isPort, PORT_PROBLEM, threePartDomainProblems } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';
import { matchConditions, ruleWithOperations } from './validate-match-rules.js';

const GROUP = 'admissionregistration.k8s.io';
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEWS = ['v1', 'v1beta1'];

interface WebhookPlace {
  readonly mutating: boolean;
  /** Conditions of the configuration as it was, which are not looked at again. */
  readonly sameConditions: boolean;
}

function webhooks(found: Findings, object: ApiObject, place: WebhookPlace): void {
  const names = new Set<string>();
  itemsAt(object, 'webhooks').forEach((hook, i) => {
    const at = `webhooks[${i}]`;
    webhook(found, hook, at, place);
    reviewVersions(found, hook, `${at}.admissionReviewVersions`);
    const name = textAt(hook, 'name');
    if (name === '') return;
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
  });
}

function webhook(
  found: Findings,
  hook: JsonObject,
  at: string,
  { mutating, sameConditions }: WebhookPlace,
): void {
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
  if (!sameConditions) matchConditions(found, hook, `${at}.matchConditions`, false);
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

const webhookValidation = (resource: string, mutating: boolean): KindValidation => ({
  group: GROUP,
  resource,
  create(found, object) {
    webhooks(found, object, { mutating, sameConditions: false });
  },
  update(found, next, previous) {
    webhooks(found, next, { mutating, sameConditions: sameConditions(next, previous) });
  },
});

function sameConditions(next: ApiObject, previous: ApiObject): boolean {
  const conditionsOf = (one: ApiObject): JsonArray =>
    itemsAt(one, 'webhooks').map((hook) => member(hook, 'matchConditions') ?? null);
  return jsonEqual(conditionsOf(next), conditionsOf(previous));
}

export const mutatingWebhookValidation = webhookValidation('mutatingwebhookconfigurations', true);
export const validatingWebhookValidation = webhookValidation('validatingwebhookconfigurations', false);
