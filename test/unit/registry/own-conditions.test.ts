import { availableCondition } from '../../../mockserver/registry/kinds/api-service-condition.js';
import { danglingCondition } from '../../../mockserver/registry/kinds/flow-schema-condition.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { type JsonObject } from '../../../mockserver/ground/json.js';

const objectWith = (spec: JsonObject): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name: 'a' },
  spec,
});

const named = (schemaLevel: string, existing: readonly string[]) =>
  danglingCondition.conditionOf(
    objectWith({ priorityLevelConfiguration: { name: schemaLevel } }),
    (_group, _resource, _namespace, name) => (existing.includes(name) ? objectWith({}) : undefined),
  );

test('a flow schema whose priority level is there does not dangle', () => {
  expect(named('low', ['low'])).toEqual({
    type: 'Dangling',
    status: 'False',
    reason: 'Found',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "low" and it exists',
  });
});

test('a flow schema whose priority level is not there dangles', () => {
  expect(named('low', ['high'])).toEqual({
    type: 'Dangling',
    status: 'True',
    reason: 'NotFound',
    message:
      'This FlowSchema references the PriorityLevelConfiguration object named "low" but there is no such object',
  });
});

describe('an API service', () => {
  const of = (spec: JsonObject, service?: JsonObject) =>
    availableCondition.conditionOf(objectWith(spec), () => service && objectWith(service));
  const reference = { name: 'agg', namespace: 'ns', port: 443 };

  test.each([
    ['without the service', undefined, 'ServiceNotFound', 'service/agg in "ns" is not present'],
    [
      'whose service has another port',
      { ports: [{ port: 80 }] },
      'ServicePortError',
      'service/agg in "ns" is not listening on port 443',
    ],
    [
      'whose service listens',
      { ports: [{ port: 80 }, { port: 443 }] },
      'EndpointsNotFound',
      'cannot find endpointslices for service/agg in "ns"',
    ],
  ])('%s is not available', (_name, service, reason, message) => {
    expect(of({ service: reference }, service)).toEqual({
      type: 'Available',
      status: 'False',
      reason,
      message,
    });
  });

  test('of this server itself has nothing added', () => {
    expect(of({ group: 'apps', version: 'v1' })).toBeUndefined();
  });
});
