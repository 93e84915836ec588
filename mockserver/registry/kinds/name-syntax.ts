/**
 * The forms of names and what is wrong with a text that has not the form.
 *
 * Each function answers the details of the errors, in order; empty when the text is good.
 * Source: apimachinery util/validation/validation.go, api/validate/content.
 */
import { goQuote } from '../../ground/revision.js';
import { canonicalIp } from './ip-address-text.js';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_PART = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const labelForm = new RegExp(`^${LABEL}$`);
const subdomainForm = new RegExp(`^${SUBDOMAIN}$`);
const label1035Form = new RegExp(`^${LABEL_1035}$`);
const qualifiedPartForm = new RegExp(`^${QUALIFIED_PART}$`);

const tooLong = (text: string, maxBytes: number): string[] =>
  Buffer.byteLength(text) > maxBytes ? [`must be no more than ${maxBytes} bytes`] : [];

const wrongForm = (message: string, form: string, ...examples: string[]): string =>
  `${message} (e.g. ${examples.map((one) => `'${one}'`).join(',  or ')}, regex used for validation is '${form}')`;

export function dns1123SubdomainProblems(text: string): readonly string[] {
  const problems = tooLong(text, 253);
  if (!subdomainForm.test(text)) {
    problems.push(
      wrongForm(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        SUBDOMAIN,
        'example.com',
      ),
    );
  }
  return problems;
}

export function dns1123LabelProblems(text: string): readonly string[] {
  const problems = tooLong(text, 63);
  if (!labelForm.test(text)) {
    problems.push(
      subdomainForm.test(text)
        ? 'must not contain dots'
        : wrongForm(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            LABEL,
            'my-name',
            '123-abc',
          ),
    );
  }
  return problems;
}

export function dns1035LabelProblems(text: string): readonly string[] {
  const problems = tooLong(text, 63);
  if (!label1035Form.test(text)) {
    problems.push(
      wrongForm(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        LABEL_1035,
        'my-name',
        'abc-123',
      ),
    );
  }
  return problems;
}

/** `name` or `prefix/name`, as label keys and finalizers are. */
export function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split('/');
  const problems: string[] = [];
  let name = parts[0] ?? '';
  if (parts.length === 2) {
    const prefix = name;
    name = parts[1] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...dns1123SubdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  } else if (parts.length > 2) {
    return [
      `a valid label key ${wrongForm(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        QUALIFIED_PART,
        'MyName',
        'my.name',
        '123-abc',
      )} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...tooLong(name, 63).map((problem) => `name part ${problem}`));
  if (!qualifiedPartForm.test(name)) {
    problems.push(
      `name part ${wrongForm(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        QUALIFIED_PART,
        'MyName',
        'my.name',
        '123-abc',
      )}`,
    );
  }
  return problems;
}

/** Names that only have to fit into a path. */
export function pathSegmentProblems(text: string, isPrefix = false): readonly string[] {
  if (!isPrefix && (text === '.' || text === '..')) return [`may not be '${text}'`];
  return ['/', '%'].filter((one) => text.includes(one)).map((one) => `may not contain '${one}'`);
}

/** The canonical text of an IP address. Source: apimachinery util/validation/ip.go, IsValidIP. */
export function ipProblems(text: string): readonly string[] {
  const address = canonicalIp(text);
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const problems: string[] = [];
  if (address.leadingZeros) problems.push('must not have leading 0s');
  if (address.mapped) problems.push('must not be an IPv4-mapped IPv6 address');
  if (problems.length === 0 && text !== address.text) {
    problems.push(`must be in canonical form (${goQuote(address.text)})`);
  }
  return problems;
}

/**
 * A prefix to which something is appended: a dash at its end is no fault.
 *
 * Source: apimachinery api/validation/generic.go, maskTrailingDash, which drops one character too many; the result
 * differs from the prefix in its last two characters only.
 */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}
