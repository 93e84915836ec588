/** Sentences about operations, as a real server's documents have them. */
import { descriptionOf } from '../../../mockserver/registry/openapi-operation-description.js';

const PODS = '/api/v1/namespaces/{namespace}/pods';
const on = (
  action: string | undefined,
  path: string,
  kind?: string,
  method: 'get' | 'post' = 'get',
): string | undefined => descriptionOf({ method, path, action, kind, watchable: true });

test.each([
  ['list', PODS, 'Pod', 'list or watch objects of kind Pod'],
  ['post', PODS, 'Pod', 'create a Pod'],
  ['post', `${PODS}/{name}/eviction`, 'Pod', 'create eviction of a Pod'],
  ['post', '/api/v1/namespaces/{namespace}/events', 'Event', 'create an Event'],
  ['delete', '/api/v1/namespaces/{namespace}/endpoints/{name}', 'Endpoints', 'delete Endpoints'],
  ['delete', '/apis/node.k8s.io/v1/runtimeclasses/{name}', 'RuntimeClass', 'delete a RuntimeClass'],
  ['get', `${PODS}/{name}/log`, 'Pod', 'read log of the specified Pod'],
  ['patch', `${PODS}/{name}`, 'Pod', 'partially update the specified Pod'],
  ['put', '/api/v1/namespaces/{name}/finalize', 'Namespace', 'replace finalize of the specified Namespace'],
  ['connect', `${PODS}/{name}/proxy/{path}`, 'Pod', 'connect GET requests to proxy of Pod'],
  ['deletecollection', PODS, 'Pod', 'delete collection of Pod'],
])('%s of %s (%s): %s', (action, path, kind, description) => {
  expect(on(action, path, kind)).toBe(description);
});

test.each([
  ['/api/v1/', 'get available resources'],
  ['/apis/apps/', 'get information of a group'],
  ['/apis/', 'get available API versions'],
  ['/logs/', undefined],
])('%s, which is about no resource: %s', (path, description) => {
  expect(on(undefined, path)).toBe(description);
});
