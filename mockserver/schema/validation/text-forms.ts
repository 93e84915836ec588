/** Forms of texts that fields of many kinds have. Source: apimachinery util/validation/validation.go. */
import { dns1123SubdomainProblems, syntaxRule } from '../../ground/name-syntax.js';

const within = (text: string, most: number): boolean =>
  text.length * 3 <= most || Buffer.byteLength(text) <= most;

const tooLongProblem = (most: number): string => `must be no more than ${most} characters`;

/** Of a name for a port: an IANA service name. */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (!within(name, 15)) problems.push(tooLongProblem(15));
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export const PORT_PROBLEM = 'must be between 1 and 65535, inclusive';

export const isPort = (value: number): boolean => value >= 1 && value <= 65535;

export function environmentNameProblems(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export const headerNameProblems = (name: string): string[] =>
  /^[-A-Za-z0-9]+$/.test(name)
    ? []
    : [
        syntaxRule(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          '[-A-Za-z0-9]+',
          'X-Header-Name',
        ),
      ];

/** Of a key of a map that becomes a directory of files. */
export function fileKeyProblems(key: string): string[] {
  const problems: string[] = [];
  if (!within(key, 253)) problems.push(tooLongProblem(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    problems.push(
      syntaxRule(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        '[-._a-zA-Z0-9]+',
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  if (key === '.') problems.push("must not be '.'");
  if (key === '..') problems.push("must not be '..'");
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

const UNDERSCORED = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*';
const underscoredPattern = new RegExp(`^${UNDERSCORED}$`);

/** As a DNS-1123 subdomain, with underscores. */
export function underscoredSubdomainProblems(text: string): string[] {
  const problems: string[] = [];
  if (!within(text, 253)) problems.push(tooLongProblem(253));
  if (!underscoredPattern.test(text)) {
    problems.push(
      syntaxRule(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
        UNDERSCORED,
        'example.com',
      ),
    );
  }
  return problems;
}

const WILDCARD = '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const wildcardPattern = new RegExp(`^${WILDCARD}$`);

export function wildcardSubdomainProblems(text: string): string[] {
  const problems: string[] = [];
  if (!within(text, 253)) problems.push(tooLongProblem(253));
  if (!wildcardPattern.test(text)) {
    problems.push(
      syntaxRule(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
        WILDCARD,
        '*.example.com',
      ),
    );
  }
  return problems;
}

const NOT_DOMAIN_PREFIXED = 'must be a domain-prefixed path (such as "acme.io/foo")';

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${PATH}$`);

/** `<domain>/<path>`. */
export function domainPathProblems(text: string): string[] {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return [NOT_DOMAIN_PREFIXED];
  const problems = dns1123SubdomainProblems(text.slice(0, slash));
  if (!pathPattern.test(text.slice(slash + 1))) problems.push(syntaxRule('Invalid path', PATH));
  return problems;
}

/** A domain of three or more parts; the problems of its form are one. */
export function threePartDomainProblems(text: string): string[] {
  const problems = dns1123SubdomainProblems(text);
  if (problems.length > 0) return [problems.join(',')];
  return text.split('.').length < 3
    ? ['should be a domain with at least three segments separated by dots']
    : [];
}

export const PERCENT_PROBLEM = syntaxRule(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);
export const isPercent = (text: string): boolean => /^[0-9]+%$/.test(text);
