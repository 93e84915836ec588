/** Validation of ConfigMaps and Secrets. Source: kubernetes apis/core/validation/validation.go. */
import { jsonSyntaxError } from '../../ground/json-syntax.js';
import { jsonEqual, member, type JsonObject } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { flagAt, isSet, partAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { fileKeyProblems } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';

const MAX_BYTES = 1024 * 1024;
const FROZEN = 'field is immutable when `immutable` is set';

/** Bytes of a text that is base64. */
const bytesOf = (text: string): number =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

function configMap(found: Findings, object: ApiObject): void {
  const [texts, binary] = [partOrEmpty(object, 'data'), partOrEmpty(object, 'binaryData')];
  let size = 0;
  for (const [key, value] of Object.entries(texts)) {
    found.problems(`data[${key}]`, key, fileKeyProblems);
    if (member(binary, key) !== undefined)
      found.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
    size += typeof value === 'string' ? Buffer.byteLength(value) : 0;
  }
  for (const [key, value] of Object.entries(binary)) {
    found.problems(`binaryData[${key}]`, key, fileKeyProblems);
    size += typeof value === 'string' ? bytesOf(value) : 0;
  }
  if (size > MAX_BYTES) found.tooLong('[]', MAX_BYTES);
}

/** What is marked immutable stays so, and as it is. */
function frozen(found: Findings, next: ApiObject, previous: ApiObject, parts: readonly string[]): void {
  if (!flagAt(previous, 'immutable')) return;
  if (!flagAt(next, 'immutable')) found.forbidden('immutable', FROZEN);
  for (const part of parts)
    if (!jsonEqual(partOrEmpty(next, part), partOrEmpty(previous, part))) found.forbidden(part, FROZEN);
}

export const configMapValidation: KindValidation = {
  group: '',
  resource: 'configmaps',
  create: configMap,
  update(found, next, previous) {
    frozen(found, next, previous, ['data', 'binaryData']);
    configMap(found, next);
  },
};

const ACCOUNT = 'kubernetes.io/service-account.name';

function secret(found: Findings, object: ApiObject): void {
  const content = partOrEmpty(object, 'data');
  let size = 0;
  for (const [key, value] of Object.entries(content)) {
    found.problems(`data[${key}]`, key, fileKeyProblems);
    size += typeof value === 'string' ? bytesOf(value) : 0;
  }
  if (size > MAX_BYTES) found.tooLong('data', MAX_BYTES);
  const needs = (...keys: readonly string[]): void => {
    for (const key of keys) if (!isSet(content, key)) found.required(`data[${key}]`);
  };
  switch (textAt(object, 'type')) {
    case 'kubernetes.io/service-account-token':
      if (textAt(partAt(object.metadata, 'annotations'), ACCOUNT) === '')
        found.required(`metadata.annotations[${ACCOUNT}]`);
      break;
    case 'kubernetes.io/dockercfg':
      jsonObjectAt(found, content, '.dockercfg');
      break;
    case 'kubernetes.io/dockerconfigjson':
      jsonObjectAt(found, content, '.dockerconfigjson');
      break;
    case 'kubernetes.io/basic-auth':
      if (!isSet(content, 'username') && !isSet(content, 'password')) needs('username', 'password');
      break;
    case 'kubernetes.io/ssh-auth':
      if (textAt(content, 'ssh-privatekey') === '') found.required('data[ssh-privatekey]');
      break;
    case 'kubernetes.io/tls':
      needs('tls.crt', 'tls.key');
      break;
    default:
  }
}

const GO_KINDS: Readonly<Record<string, string>> = { '[': 'array', '"': 'string', t: 'bool', f: 'bool' };

function jsonObjectAt(found: Findings, content: JsonObject, key: string): void {
  const field = `data[${key}]`;
  if (!isSet(content, key)) {
    found.required(field);
    return;
  }
  const bytes = Buffer.from(textAt(content, key), 'base64');
  const first = bytes.toString('latin1').trimStart().slice(0, 1);
  const why =
    jsonSyntaxError(bytes) ??
    (first === '{' || first === 'n'
      ? undefined
      : `json: cannot unmarshal ${GO_KINDS[first] ?? 'number'} into Go value of type map[string]interface {}`);
  if (why !== undefined) found.invalid(field, '<secret contents redacted>', why);
}

export const secretValidation: KindValidation = {
  group: '',
  resource: 'secrets',
  create: secret,
  update(found, next, previous) {
    const type = textAt(next, 'type');
    if (type !== textAt(previous, 'type')) found.invalid('type', type, IMMUTABLE);
    frozen(found, next, previous, ['data']);
    secret(found, next);
  },
};
