/** Names: expectations recorded from kube-apiserver 1.36.3. */
import { nameProblems } from '../../../../mockserver/registry/kinds/names.js';
import { apiServiceRules } from '../../../../mockserver/registry/kinds/api-service.js';
import { dns1035LabelProblems, labelKeyProblems } from '../../../../mockserver/ground/name-syntax.js';
import { object } from './objects.js';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const rbac = 'rbac.authorization.k8s.io';

test.each<[string, string, string, readonly string[]]>([
  ['', 'configmaps', 'a/b', [SUBDOMAIN]],
  ['', 'configmaps', 'a.b', []],
  ['', 'configmaps', `${'a'.repeat(254)}_`, ['must be no more than 253 characters', SUBDOMAIN]],
  ['', 'namespaces', 'a.b', ['must not contain dots']],
  ['', 'services', '1a', []],
  ['', 'services', 'A.b', [LABEL]],
  ['apps', 'statefulsets', 'a.b', ['must not contain dots']],
  ['policy', 'poddisruptionbudgets', 'A_B', []],
  ['policy', 'poddisruptionbudgets', 'A%B', ["may not contain '%'"]],
  [rbac, 'roles', 'A:B', []],
  [rbac, 'clusterrolebindings', 'a/b%', ["may not contain '/'", "may not contain '%'"]],
  [rbac, 'roles', '..', ["may not be '..'"]],
  ['', 'events', 'A B', []],
  ['events.k8s.io', 'events', 'A B', [SUBDOMAIN]],
  ['networking.k8s.io', 'servicecidrs', 'A', [SUBDOMAIN]],
  ['networking.k8s.io', 'ipaddresses', '10.0.0.1', []],
  ['networking.k8s.io', 'ipaddresses', '2001:db8::ffff', []],
  [
    'networking.k8s.io',
    'ipaddresses',
    'x',
    ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  ['networking.k8s.io', 'ipaddresses', '010.1.1.1', ['must not have leading 0s']],
  ['networking.k8s.io', 'ipaddresses', 'fe80::0:1', ['must be in canonical form ("fe80::1")']],
  ['networking.k8s.io', 'ipaddresses', 'FE80:0:0:1:0:0:0:1', ['must be in canonical form ("fe80:0:0:1::1")']],
  ['networking.k8s.io', 'ipaddresses', '::ffff:1.2.3.4', ['must not be an IPv4-mapped IPv6 address']],
])('%s %s named %s', (group, resource, name, problems) => {
  expect(nameProblems({ group, resource }, name, false)).toEqual(problems);
});

test('a prefix may end in a dash, a name may not', () => {
  const of = { group: '', resource: 'pods' };
  expect(nameProblems(of, 'web-', true)).toEqual([]);
  expect(nameProblems(of, 'web-', false)).toEqual([SUBDOMAIN]);
});

test.each([
  ['x', ['must be `spec.version+"."+spec.group`: "v1.a.b"']],
  ['a/b', ["may not contain '/'"]],
  ['v1.a.b', []],
])('an APIService named %s', (name, problems) => {
  const service = object(
    'apiregistration.k8s.io/v1',
    'APIService',
    {},
    { spec: { group: 'a.b', version: 'v1' } },
  );
  expect(apiServiceRules.nameProblems?.(name, false, service)).toEqual(problems);
});

test.each([
  ['a/b', 0],
  ['plain', 0],
  ['', 2],
  ['/x', 1],
  ['a/', 2],
  ['x y/z', 1],
  ['a/b/c', 1],
])('the qualified name %s has %d problems', (name, count) => {
  expect(labelKeyProblems(name)).toHaveLength(count);
});

test('a DNS-1035 label starts with a letter', () => {
  expect(dns1035LabelProblems('a1')).toEqual([]);
  expect(dns1035LabelProblems('1a')).toEqual([
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ]);
});
