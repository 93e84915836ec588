/** The list of kinds, and the small ones. */
import { qualifiedName } from '../../../../mockserver/ground/kind.js';
import { ALL_KIND_RULES } from '../../../../mockserver/registry/kinds/all.js';
import { componentStatusRules } from '../../../../mockserver/registry/kinds/component-status.js';
import { endpointsRules } from '../../../../mockserver/registry/kinds/endpoints.js';

test('each resource has one set of rules at most', () => {
  const names = ALL_KIND_RULES.map(({ group, resource }) => qualifiedName({ group, resource }));
  expect(new Set(names).size).toBe(names.length);
});

test('component statuses are computed: etcd is well, the others are not there', () => {
  expect(
    componentStatusRules.computed?.objects().map((one) => [one.metadata['name'], one['conditions']]),
  ).toEqual([
    ['scheduler', [expect.objectContaining({ type: 'Healthy', status: 'False' })]],
    ['controller-manager', [expect.objectContaining({ type: 'Healthy', status: 'False' })]],
    ['etcd-0', [{ type: 'Healthy', status: 'True', message: 'ok' }]],
  ]);
});

test('deprecated kinds say so on every request', () => {
  expect(componentStatusRules.requestWarning).toBe('v1 ComponentStatus is deprecated in v1.19+');
  expect(endpointsRules.requestWarning).toBe(
    'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  );
});
