/**
 * The syntax of names: label keys and values, DNS labels and subdomains, path segments.
 *
 * Each function answers the list of what is wrong, in the words of a server; empty when the text is fine.
 * Source: apimachinery pkg/api/validate/content (counts bytes) and pkg/util/validation (says "characters").
 */

const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${LABEL_KEY})?`;
const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`;
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const labelKeyPattern = whole(LABEL_KEY);
const labelValuePattern = whole(LABEL_VALUE);
const dns1123LabelPattern = whole(DNS1123_LABEL);
const dns1123SubdomainPattern = whole(DNS1123_SUBDOMAIN);
const dns1035LabelPattern = whole(DNS1035_LABEL);

const MAX_LABEL_BYTES = 63;
const MAX_SUBDOMAIN_BYTES = 253;

const LABEL_KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE_RULE = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`;
const DNS1123_LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const DNS1123_SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const DNS1035_LABEL_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

/**
 * A rule with its examples and its regular expression, as every server message about syntax ends.
 *
 * The doubled blank after each comma but the last is part of the wire form.
 */
export function syntaxRule(rule: string, pattern: string, ...examples: readonly string[]): string {
  const expression = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${rule} (${expression}`;
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${expression}`;
}

/** A character has at most three bytes, so that most texts need not be counted. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && Buffer.byteLength(text) > bytes;

/** Of a label key, an annotation key in lower case, a finalizer: `[<subdomain>/]<name>`. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${labelKeyRule()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) {
    problems.push(...subdomainProblems(prefix, 'bytes').map((problem) => `prefix part ${problem}`));
  }
  const name = parts.at(-1) ?? '';
  if (name === '') problems.push('name part must be non-empty');
  else if (isLonger(name, MAX_LABEL_BYTES)) {
    problems.push(`name part must be no more than ${MAX_LABEL_BYTES} bytes`);
  }
  if (!labelKeyPattern.test(name)) problems.push(`name part ${labelKeyRule()}`);
  return problems;
}

const labelKeyRule = (): string => syntaxRule(LABEL_KEY_RULE, LABEL_KEY, 'MyName', 'my.name', '123-abc');

/** Of a label value; the empty text is one. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (isLonger(value, MAX_LABEL_BYTES)) problems.push(`must be no more than ${MAX_LABEL_BYTES} bytes`);
  if (!labelValuePattern.test(value)) {
    problems.push(syntaxRule(LABEL_VALUE_RULE, LABEL_VALUE, 'MyValue', 'my_value', '12345'));
  }
  return problems;
}

function subdomainProblems(value: string, unit: 'bytes' | 'characters'): string[] {
  const problems: string[] = [];
  if (isLonger(value, MAX_SUBDOMAIN_BYTES)) {
    problems.push(`must be no more than ${MAX_SUBDOMAIN_BYTES} ${unit}`);
  }
  if (!dns1123SubdomainPattern.test(value)) {
    problems.push(syntaxRule(DNS1123_SUBDOMAIN_RULE, DNS1123_SUBDOMAIN, 'example.com'));
  }
  return problems;
}

/** Of most object names: dots allowed, up to 253 bytes. */
export const dns1123SubdomainProblems = (name: string): string[] => subdomainProblems(name, 'characters');

/** Of a namespace's name and of the names of ports, containers and volumes: no dots, up to 63 bytes. */
export function dns1123LabelProblems(name: string): string[] {
  const problems: string[] = [];
  if (isLonger(name, MAX_LABEL_BYTES)) problems.push(`must be no more than ${MAX_LABEL_BYTES} characters`);
  if (!dns1123LabelPattern.test(name)) {
    problems.push(
      dns1123SubdomainPattern.test(name)
        ? 'must not contain dots'
        : syntaxRule(DNS1123_LABEL_RULE, DNS1123_LABEL, 'my-name', '123-abc'),
    );
  }
  return problems;
}

/** As a DNS-1123 label, but beginning with a letter. */
export function dns1035LabelProblems(name: string): string[] {
  const problems: string[] = [];
  if (isLonger(name, MAX_LABEL_BYTES)) problems.push(`must be no more than ${MAX_LABEL_BYTES} characters`);
  if (!dns1035LabelPattern.test(name)) {
    problems.push(syntaxRule(DNS1035_LABEL_RULE, DNS1035_LABEL, 'my-name', 'abc-123'));
  }
  return problems;
}

/** Of a text that is to stand between two slashes of a path; emptiness and length are not looked at. */
export function pathSegmentProblems(name: string, isPrefix = false): string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
