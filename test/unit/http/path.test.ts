import { nameParameterError, parsePath, splitTarget } from '../../../mockserver/http/path.js';
import { splitCluster } from '../../../mockserver/http/cluster-prefix.js';

// Seen on kube-apiserver 1.36.3.
const core = { kind: 'resource', prefix: 'api', group: '', version: 'v1', rest: [], legacyWatch: false };
const custom = { ...core, prefix: 'apis', group: 'ex.io' };

describe('a resource path', () => {
  test.each([
    [
      'collection in a namespace',
      '/api/v1/namespaces/a/configmaps',
      { ...core, namespace: 'a', resource: 'configmaps' },
    ],
    ['collection in all namespaces', '/api/v1/configmaps', { ...core, resource: 'configmaps' }],
    [
      'object',
      '/api/v1/namespaces/a/configmaps/x',
      { ...core, namespace: 'a', resource: 'configmaps', name: 'x' },
    ],
    ['cluster-wide object', '/api/v1/nodes/x', { ...core, resource: 'nodes', name: 'x' }],
    [
      'subresource with more behind it',
      '/api/v1/namespaces/a/pods/x/proxy/b/c',
      { ...core, namespace: 'a', resource: 'pods', name: 'x', subresource: 'proxy', rest: ['b', 'c'] },
    ],
    ['namespaces themselves', '/api/v1/namespaces', { ...core, resource: 'namespaces' }],
    ['a namespace', '/api/v1/namespaces/a', { ...core, resource: 'namespaces', name: 'a' }],
    [
      'status of a namespace',
      '/api/v1/namespaces/a/status',
      { ...core, resource: 'namespaces', name: 'a', subresource: 'status' },
    ],
    [
      'finalize of a namespace',
      '/api/v1/namespaces/a/finalize',
      { ...core, resource: 'namespaces', name: 'a', subresource: 'finalize' },
    ],
    [
      'more behind the status of a namespace',
      '/api/v1/namespaces/a/status/x',
      { ...core, resource: 'namespaces', name: 'a', subresource: 'status', rest: ['x'] },
    ],
    [
      'a namespace named status',
      '/api/v1/namespaces/status',
      { ...core, resource: 'namespaces', name: 'status' },
    ],
    ['group', '/apis/ex.io/v1/widgets', { ...custom, resource: 'widgets' }],
    [
      'deprecated watch',
      '/api/v1/watch/namespaces/a/pods/x',
      { ...core, namespace: 'a', resource: 'pods', name: 'x', legacyWatch: true },
    ],
    [
      'deprecated watch of everything',
      '/apis/ex.io/v1/watch/widgets',
      { ...custom, resource: 'widgets', legacyWatch: true },
    ],
    [
      'deprecated proxy, which nothing serves',
      '/api/v1/proxy/nodes/x',
      { ...core, resource: 'proxy', name: 'nodes', subresource: 'x' },
    ],
    [
      'slash at the end',
      '/api/v1/namespaces/a/configmaps/',
      { ...core, namespace: 'a', resource: 'configmaps' },
    ],
    [
      'slashes at the end',
      '/api/v1/namespaces/a/configmaps/x//',
      { ...core, namespace: 'a', resource: 'configmaps', name: 'x' },
    ],
    ['slash behind a namespace', '/api/v1/namespaces/a/', { ...core, resource: 'namespaces', name: 'a' }],
    [
      'two slashes before the resource',
      '/api/v1/namespaces/a//configmaps',
      { ...core, namespace: 'a', resource: '', name: 'configmaps' },
    ],
    [
      'two slashes for a namespace',
      '/api/v1/namespaces//configmaps',
      { ...core, namespace: '', resource: 'configmaps' },
    ],
    [
      'two slashes for a name',
      '/api/v1/namespaces/a/pods//log',
      { ...core, namespace: 'a', resource: 'pods', name: '', subresource: 'log' },
    ],
    ['two slashes for a version', '/api//v1', { ...core, version: '', resource: 'v1' }],
    [
      'escaped slash',
      '/api/v1/namespaces/a%2Fconfigmaps/x%2Fb',
      { ...core, namespace: 'a', resource: 'configmaps', name: 'x', subresource: 'b' },
    ],
    [
      'escaped letter',
      '/api/v1/namespaces/%64efault/configmaps',
      { ...core, namespace: 'default', resource: 'configmaps' },
    ],
    [
      'dots are parts',
      '/api/v1/namespaces/../configmaps/%2e%2e',
      { ...core, namespace: '..', resource: 'configmaps', name: '..' },
    ],
    ['NUL', '/api/v1/nodes/%00', { ...core, resource: 'nodes', name: '\0' }],
    ['fragment', '/api/v1/nodes/a#frag', { ...core, resource: 'nodes', name: 'a#frag' }],
    ['plus', '/api/v1/nodes/a+b', { ...core, resource: 'nodes', name: 'a+b' }],
    ['UTF-8', '/api/v1/nodes/caf%C3%A9', { ...core, resource: 'nodes', name: 'café' }],
    ['bytes that are no UTF-8', '/api/v1/nodes/a%FFb', { ...core, resource: 'nodes', name: 'a\ufffdb' }],
    ['query', '/api/v1/nodes/a?x=/y%zz', { ...core, resource: 'nodes', name: 'a' }],
    ['absolute URL', 'http://elsewhere:1/api/v1/nodes', { ...core, resource: 'nodes' }],
  ])('%s', (_name, url, expected) => {
    expect(parsePath(url)).toEqual(expected);
  });
});

describe('any other path is a document', () => {
  test.each([
    '/',
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1//',
    '/apis',
    '/apis/apps/v1/',
    '/version/',
    '/healthz/',
    '/API/v1/pods',
    '*',
  ])('%s', (path) => {
    expect(parsePath(path)).toEqual({ kind: 'document', path });
  });
  test('a second slash in front hides the prefix', () => {
    expect(parsePath('//api/v1/pods')).toEqual({ kind: 'document', path: '//api/v1/pods' });
  });
  test('a group without a version is a document, an empty group too', () => {
    expect(parsePath('/apis//g')).toEqual({ kind: 'document', path: '/apis//g' });
  });
});

describe('a bad path', () => {
  test.each([
    ['wrong escape', '/api/v1/nodes/%zz'],
    ['half an escape', '/a%2'],
    ['no slash', 'api'],
    ['nothing', ''],
  ])('%s is 400 text', (_name, url) => {
    expect(parsePath(url)).toEqual({ kind: 'bad', code: 400, text: '400 Bad Request' });
  });
  test('watch without a resource is 500 text that shows the URL with entities', () => {
    expect(parsePath('/api/v1/watch?a=<b>&c')).toEqual({
      kind: 'bad',
      code: 500,
      text: 'Internal Server Error: "/api/v1/watch?a=&lt;b&gt;&amp;c": failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch?a=&lt;b&gt;&amp;c',
    });
  });
});

test.each([
  ['..', `Name parameter invalid: "..": may not be '..'`],
  ['.', `Name parameter invalid: ".": may not be '.'`],
  ['%a%', `Name parameter invalid: "%a%": may not contain '%'`],
  ['a/%', `Name parameter invalid: "a/%": may not contain '/';may not contain '%'`],
  ['', 'Name parameter required.'],
  ['a..b', undefined],
  ['UPPER', undefined],
])('the name %p is answered with %p', (name, message) => {
  expect(nameParameterError(name)?.message).toBe(message);
});

test('the target is split at the first question mark', () => {
  expect(splitTarget('/a?b?c')).toEqual({ path: '/a', query: 'b?c' });
  expect(splitTarget('/a')).toEqual({ path: '/a', query: '' });
  expect(splitTarget('http://h')).toEqual({ path: '/', query: '' });
});

test.each([
  ['/clusters/a/api?x', { cluster: 'a', url: '/api?x' }],
  ['/clusters/a', { cluster: 'a', url: '/' }],
  ['/clusters/a/', { cluster: 'a', url: '/' }],
  ['/clusters/a?x', { cluster: 'a', url: '/?x' }],
  ['/clusters/a%20b/api', { cluster: 'a b', url: '/api' }],
  ['/clusters//api', { url: '/clusters//api' }],
  ['/clusters', { url: '/clusters' }],
  ['/api/v1', { url: '/api/v1' }],
])('the cluster prefix of %s', (url, expected) => {
  expect(splitCluster(url)).toEqual(expected);
});
