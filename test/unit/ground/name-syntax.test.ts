import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
  pathSegmentProblems,
} from '../../../mockserver/ground/name-syntax.js';

const KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// Texts seen on kube-apiserver 1.36.3.
describe('a label key', () => {
  test.each([
    ['plain', 'a', []],
    ['with a domain', 'ex.io/A_b.c-d', []],
    ['of 63 bytes', 'x'.repeat(63), []],
    ['empty', '', ['name part must be non-empty', `name part ${KEY_RULE}`]],
    ['of 64 bytes', 'x'.repeat(64), ['name part must be no more than 63 bytes']],
    ['beginning with a dash', '-x', [`name part ${KEY_RULE}`]],
    ['without a name', 'a/', ['name part must be non-empty', `name part ${KEY_RULE}`]],
    ['without a domain', '/x', ['prefix part must be non-empty']],
    ['with a domain in capitals', 'A/b', [`prefix part ${SUBDOMAIN_RULE}`]],
    ['with a long domain', `${'x'.repeat(254)}/a`, ['prefix part must be no more than 253 bytes']],
    [
      'with two slashes',
      'a/b/c',
      [
        `a valid label key ${KEY_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
  ])('%s is judged in the words of a server', (_name, key, problems) => {
    expect(labelKeyProblems(key)).toEqual(problems);
  });
});

describe('a label value', () => {
  const RULE =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  test.each([
    ['empty', '', []],
    ['of 63 bytes', 'v'.repeat(63), []],
    ['of 64 bytes', 'v'.repeat(64), ['must be no more than 63 bytes']],
    ['ending in a dot', 'b.', [RULE]],
    ['with two dots inside', 'b..c', []],
    ['not in ASCII', 'é', [RULE]],
    ['ending in a line end', 'a\n', [RULE]],
  ])('%s is judged in the words of a server', (_name, value, problems) => {
    expect(labelValueProblems(value)).toEqual(problems);
  });
});

describe('a name', () => {
  test('may be a subdomain of 253 bytes', () => {
    expect(dns1123SubdomainProblems('a.b-c')).toEqual([]);
    expect(dns1123SubdomainProblems('x'.repeat(253))).toEqual([]);
    expect(dns1123SubdomainProblems('x'.repeat(254))).toEqual(['must be no more than 253 characters']);
    expect(dns1123SubdomainProblems('Bad_Name')).toEqual([SUBDOMAIN_RULE]);
  });

  test('that is a label has no dots', () => {
    expect(dns1123LabelProblems('a-1')).toEqual([]);
    expect(dns1123LabelProblems('a.b')).toEqual(['must not contain dots']);
    expect(dns1123LabelProblems('A')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });

  test('that is an RFC 1035 label begins with a letter', () => {
    expect(dns1035LabelProblems('a1')).toEqual([]);
    expect(dns1035LabelProblems('1a')).toEqual([
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });

  test('in a path leads nowhere else', () => {
    expect(pathSegmentProblems('a:b')).toEqual([]);
    expect(pathSegmentProblems('..')).toEqual(["may not be '..'"]);
    expect(pathSegmentProblems('a/%')).toEqual(["may not contain '/'", "may not contain '%'"]);
  });
});
