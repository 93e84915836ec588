/** Forms of the names that resource.k8s.io uses. Source: kubernetes apis/resource/validation/validation.go. */
import { dns1123SubdomainProblems, syntaxRule } from '../../ground/name-syntax.js';
import { type Findings } from '../../schema/validation/findings.js';
import { csiDriverName } from './validate-pod-volumes.js';

/** Drivers are named as those of volumes are. */
export const driverName = csiDriverName;

const LONGEST_POOL_NAME = 253;

export function poolName(found: Findings, name: string, field: string): void {
  if (name === '') {
    found.required(field);
    return;
  }
  if (Buffer.byteLength(name) > LONGEST_POOL_NAME) found.tooLong(field, LONGEST_POOL_NAME);
  for (const part of name.split('/')) found.problems(field, part, dns1123SubdomainProblems);
}

const LONGEST_IDENTIFIER = 32;
const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const identifierPattern = new RegExp(`^${IDENTIFIER}$`);

const identifierProblems = (text: string): readonly string[] =>
  identifierPattern.test(text)
    ? []
    : [
        syntaxRule(
          "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
          IDENTIFIER,
          'my_name',
          'MY_NAME',
          'MyName',
        ),
      ];

function identifier(found: Findings, text: string, field: string): void {
  if (Buffer.byteLength(text) > LONGEST_IDENTIFIER) found.tooLong(field, LONGEST_IDENTIFIER);
  found.problems(field, text, identifierProblems);
}

/** `<name>` or `<domain>/<name>`; what has more parts passes, as it does on a server. */
export function qualifiedName(found: Findings, name: string, field: string): void {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) identifier(found, first, field);
  if (parts.length !== 2) return;
  if (first === '') found.invalid(field, '', 'the domain must not be empty');
  else driverName(found, first, field);
  if (second === '') found.invalid(field, '', 'the name must not be empty');
  else identifier(found, second, field);
}

export function fullyQualifiedName(found: Findings, name: string, field: string): void {
  qualifiedName(found, name, field);
  if (!name.includes('/'))
    found.invalid(field, name, 'a fully qualified name must be a domain and a name separated by a slash');
}

const PLAIN_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOT_NORMAL =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';

/** Source besides: github.com/google/uuid, Validate. */
export function uniqueId(found: Findings, text: string, field: string): void {
  const problem = uuidProblem(text);
  if (problem !== undefined) found.invalid(field, text, `error validating uid: ${problem}`);
  else if (text.length !== 36 || text !== text.toLowerCase()) found.invalid(field, text, NOT_NORMAL);
}

function uuidProblem(text: string): string | undefined {
  const format = 'invalid UUID format';
  switch (Buffer.byteLength(text)) {
    case 36:
      return PLAIN_UUID.test(text) ? undefined : format;
    case 45:
      if (!/^urn:uuid:/i.test(text)) return `invalid urn prefix: ${JSON.stringify(text.slice(0, 9))}`;
      return PLAIN_UUID.test(text.slice(9)) ? undefined : format;
    case 38:
      if (!/^\{.*\}$/.test(text)) return 'invalid bracketed UUID format';
      return PLAIN_UUID.test(text.slice(1, -1)) ? undefined : format;
    case 32:
      return /^[0-9a-f]{32}$/i.test(text) ? undefined : format;
    default:
      return `invalid UUID length: ${Buffer.byteLength(text)}`;
  }
}
