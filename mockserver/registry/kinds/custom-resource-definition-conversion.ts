/** What is checked of spec.conversion of a CustomResourceDefinition. Fields are named the way of v1beta1. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../../ground/field-error.js';
import { type JsonObject, arrayMember, numberMember, objectMember, stringMember } from '../../ground/json.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';

const PATH = 'spec.conversion';
const STRATEGIES = ['None', 'Webhook'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Source: apiextensions validation.go, validateCustomResourceConversion. */
export function conversionErrors(conversion: JsonObject | undefined): readonly FieldError[] {
  if (conversion === undefined) return [];
  const errors: FieldError[] = [];
  const strategy = stringMember(conversion, 'strategy') ?? '';
  if (strategy === '') errors.push(required(`${PATH}.strategy`));
  else if (!STRATEGIES.includes(strategy)) {
    errors.push(notSupported(`${PATH}.strategy`, strategy, STRATEGIES));
  }
  const webhook = objectMember(conversion, 'webhook');
  const client = objectMember(webhook, 'clientConfig');
  const reviews = (arrayMember(webhook, 'conversionReviewVersions') ?? []).filter(
    (one): one is string => typeof one === 'string',
  );
  if (strategy === 'Webhook') {
    return [...errors, ...clientErrors(client, `${PATH}.webhookClientConfig`), ...reviewErrors(reviews)];
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) errors.push(forbidden(`${PATH}.webhookClientConfig`, why));
  if (reviews.length > 0) errors.push(forbidden(`${PATH}.conversionReviewVersions`, why));
  return errors;
}

function clientErrors(client: JsonObject | undefined, path: string): readonly FieldError[] {
  if (client === undefined) return [required(path, 'required when strategy is set to Webhook')];
  const url = stringMember(client, 'url');
  const service = objectMember(client, 'service');
  if ((url === undefined) === (service === undefined)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return url === undefined ? serviceErrors(service, `${path}.service`) : urlErrors(url, `${path}.url`);
}

function serviceErrors(service: JsonObject | undefined, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  // The source hands name and namespace over in each other's place: the one that is missing is called the other.
  if (!stringMember(service, 'namespace')) errors.push(required(`${path}.name`));
  if (!stringMember(service, 'name')) errors.push(required(`${path}.namespace`));
  const port = numberMember(service, 'port') ?? 443;
  if (port < 1 || port > 65535) {
    const why = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalid(`${path}.port`, port, why));
  }
  const urlPath = stringMember(service, 'path') ?? '';
  return [...errors, ...servicePathErrors(urlPath, `${path}.path`)];
}

/** Source: apiserver util/webhook/validation.go, ValidateWebhookService. */
function servicePathErrors(text: string, path: string): readonly FieldError[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [invalid(path, text, 'segment[0] may not be empty')];
  const errors = text.startsWith('/') ? [] : [invalid(path, text, "must start with a '/'")];
  text
    .slice(1)
    .replace(/\/$/, '')
    .split('/')
    .forEach((step, i) => {
      if (step === '') errors.push(invalid(path, text, `segment[${i}] may not be empty`));
      else {
        for (const problem of dns1123SubdomainProblems(step)) {
          errors.push(invalid(path, text, `segment[${i}]: ${problem}`));
        }
      }
    });
  return errors;
}

/** Source: apiserver util/webhook/validation.go, ValidateWebhookURL. */
function urlErrors(text: string, path: string): readonly FieldError[] {
  const form = '; desired format: https://host[/path]';
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(
    text,
  );
  const [, scheme = '', authority = '', , query, fragment] = match ?? [];
  const errors: FieldError[] = [];
  const at = authority.lastIndexOf('@');
  if (scheme.toLowerCase() !== 'https') {
    errors.push(invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (authority.slice(at + 1) === '') errors.push(invalid(path, '', `host must be specified${form}`));
  if (at >= 0) {
    errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'));
  }
  if (fragment) errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query) errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function reviewErrors(versions: readonly string[]): readonly FieldError[] {
  const path = `${PATH}.conversionReviewVersions`;
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) {
      errors.push(invalid(`${path}[${i}]`, version, 'duplicate version'));
      return;
    }
    for (const problem of dns1035LabelProblems(version)) {
      errors.push(invalid(`${path}[${i}]`, version, problem));
    }
  });
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
