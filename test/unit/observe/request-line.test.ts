import { requestWords, shownDuration } from '../../../mockserver/observe/request-line.js';

describe('the words of a request', () => {
  const pods = '/api/v1/namespaces/shop/pods';
  test.each([
    ['a list', 'GET', pods, 'list', 'pods -n shop'],
    ['a list of all namespaces', 'GET', '/api/v1/pods?limit=500', 'list', 'pods'],
    ['a watch', 'GET', `${pods}?watch=true`, 'watch', 'pods -n shop'],
    ['a watch with a bare word', 'GET', `${pods}?watch`, 'watch', 'pods -n shop'],
    ['no watch', 'GET', `${pods}?watch=false`, 'list', 'pods -n shop'],
    ['a watch by its old path', 'GET', '/api/v1/watch/pods', 'watch', 'pods'],
    ['one object', 'GET', `${pods}/alpha`, 'get', 'pods/alpha -n shop'],
    ['a subresource', 'PATCH', `${pods}/alpha/status`, 'patch', 'pods/alpha/status -n shop'],
    ['a group', 'POST', '/apis/apps/v1/namespaces/shop/deployments', 'create', 'deployments.apps -n shop'],
    ['an update', 'PUT', '/api/v1/nodes/one', 'update', 'nodes/one'],
    ['a delete', 'DELETE', '/api/v1/nodes/one', 'delete', 'nodes/one'],
    ['a delete of many', 'DELETE', pods, 'deletecollection', 'pods -n shop'],
    ['a document', 'GET', '/openapi/v3?hash=A', 'get', '/openapi/v3'],
    ['a cluster beside the default one', 'GET', '/clusters/two/api/v1/pods', 'list', 'pods of clusters/two'],
  ])('%s', (_name, method, url, verb, target) => {
    expect(requestWords({ method, url, userAgent: undefined })).toEqual({ verb, target, client: '-' });
  });

  test('the client is the first product of its name', () => {
    const userAgent = 'kubectl/v1.36.3 (linux/amd64) kubernetes/abcdef';
    expect(requestWords({ method: 'GET', url: '/version', userAgent }).client).toBe('kubectl');
  });

  test('what a client writes moves no cursor', () => {
    const words = requestWords({ method: 'GET', url: '/api/v1/nodes/a%1B[2J', userAgent: '\u009b31mred' });
    expect(words).toEqual({ verb: 'get', target: 'nodes/a?[2J', client: '?31mred' });
  });
});

test.each([
  [0.04, '0.0 ms'],
  [1.26, '1.3 ms'],
  [250.4, '250 ms'],
  [12_340, '12.3 s'],
])('%d ms is shown as %s', (ms, text) => {
  expect(shownDuration(ms)).toBe(text);
});
