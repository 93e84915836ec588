/** What services are given: addresses, families, ports. */
import { type JsonObject, type JsonValue, objectMember } from '../../../../mockserver/ground/json.js';
import { fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { seededRandom } from '../../../../mockserver/ground/random.js';
import {
  type Allocation,
  type AllocationRequest,
  allocateForCreate,
  allocateForUpdate,
  poolsOf,
} from '../../../../mockserver/registry/kinds/service-allocation.js';
import { freeAddress, freePort } from '../../../../mockserver/registry/kinds/service-addresses.js';
import { serviceRules } from '../../../../mockserver/registry/kinds/service.js';
import { context, main, object } from './objects.js';

/** With the defaults that matter here. */
const service = (spec: JsonObject): ApiObject =>
  object('v1', 'Service', { name: 's' }, { spec: { type: 'ClusterIP', ...spec } });

const other = service({
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1'],
  ports: [{ port: 1, nodePort: 30001 }],
});
const request = (dryRun = false, stored: readonly ApiObject[] = [other]): AllocationRequest => ({
  used: poolsOf(stored),
  random: seededRandom(1),
  dryRun,
});
const specOf = ({ object: made }: Allocation): JsonObject => objectMember(made, 'spec') ?? {};
const problems = ({ errors }: Allocation): readonly string[] =>
  errors.map((error) => `${error.field}: ${fieldErrorText(error)}`);
const portsOf = (allocation: Allocation): readonly JsonValue[] =>
  (specOf(allocation)['ports'] as readonly JsonObject[]).map((port) => port['nodePort'] ?? 'none');

describe('a create', () => {
  test('finds an address above those left to who names theirs', () => {
    const spec = specOf(allocateForCreate(service({ ports: [{ port: 80 }] }), request()));
    expect(spec['clusterIP']).toMatch(/^10\.0\.\d+\.\d+$/);
    expect(spec['clusterIPs']).toEqual([spec['clusterIP']]);
    expect(spec['clusterIP']).not.toMatch(/^10\.0\.0\./);
    expect(spec).toMatchObject({ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  });

  test('gives ports of one number under several protocols one node port', () => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 80, protocol: 'UDP' },
      { name: 'c', port: 81, nodePort: 31000 },
    ];
    const made = portsOf(allocateForCreate(service({ type: 'NodePort', ports }), request()));
    expect(made[0]).toBe(made[1]);
    expect(made[2]).toBe(31000);
    expect(made[0]).toBeGreaterThanOrEqual(30086);
  });

  test('takes nothing in a dry run', () => {
    const balanced = service({
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      allocateLoadBalancerNodePorts: true,
      ports: [{ port: 80 }, { port: 81 }],
    });
    const dry = allocateForCreate(balanced, request(true));
    expect(portsOf(dry)).toEqual([32769, 32770]);
    expect(specOf(dry)).toMatchObject({ clusterIP: '10.0.0.0', healthCheckNodePort: 32771 });
  });

  test('finds no node port for a load balancer that wants none', () => {
    const balanced = service({
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      ports: [{ port: 80 }],
    });
    expect(portsOf(allocateForCreate(balanced, request()))).toEqual(['none']);
  });

  test('gives a service that is a name only nothing', () => {
    const named = service({ type: 'ExternalName', externalName: 'a.b' });
    expect(allocateForCreate(named, request()).object).toBe(named);
  });

  // The texts are those of a real server.
  test.each<[name: string, spec: JsonObject, dryRun: boolean, errors: readonly string[]]>([
    [
      'an address in use',
      { clusterIP: '10.0.0.1' },
      false,
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: provided IP is already allocated',
      ],
    ],
    ['an address in use, in a dry run', { clusterIP: '10.0.0.1' }, true, []],
    [
      'an address of another range',
      { clusterIP: '10.1.0.1' },
      false,
      [
        'spec.clusterIPs: Invalid value: ["10.1.0.1"]: failed to allocate IP 10.1.0.1: the provided network does not match the current range',
      ],
    ],
    [
      'an address of another range, in a dry run',
      { clusterIP: '10.1.0.1' },
      true,
      [
        'spec.clusterIPs: Invalid value: ["10.1.0.1"]: failed to allocate IP 10.1.0.1: the provided IP (10.1.0.1) is not in the valid range. The range of valid IPs is 10.0.0.0/16',
      ],
    ],
    [
      'no address',
      { clusterIP: 'x' },
      false,
      [
        'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'an address of a family that the cluster has not',
      { clusterIP: 'fd00::1' },
      false,
      ['spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster'],
    ],
    [
      'a family that the cluster has not',
      { ipFamilies: ['IPv6'] },
      false,
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      'two families with a policy for one',
      { ipFamilies: ['IPv4', 'IPv6'] },
      false,
      [
        "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
      ],
    ],
    [
      'two families required',
      { ipFamilyPolicy: 'RequireDualStack' },
      false,
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      ],
    ],
    [
      'addresses without the first',
      { clusterIPs: ['10.0.0.9'] },
      false,
      ['spec.clusterIPs: Invalid value: ["10.0.0.9"]: must be empty when `clusterIP` is not specified'],
    ],
    [
      'a node port out of range',
      { type: 'NodePort', ports: [{ port: 1, nodePort: 80 }] },
      false,
      [
        'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
      ],
    ],
    [
      'a node port in use',
      { type: 'NodePort', ports: [{ port: 1, nodePort: 30001 }] },
      false,
      ['spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated'],
    ],
  ])('that names %s is answered as a real server answers', (_name, spec, dryRun, errors) => {
    expect(problems(allocateForCreate(service(spec), request(dryRun)))).toEqual(errors);
  });

  test.each<[name: string, spec: JsonObject, families: readonly string[], policy: string]>([
    ['without a selector', { clusterIP: 'None' }, ['IPv4', 'IPv6'], 'RequireDualStack'],
    ['with a selector', { clusterIP: 'None', selector: { a: 'b' } }, ['IPv4'], 'SingleStack'],
  ])('of a headless service %s settles its families', (_name, spec, ipFamilies, ipFamilyPolicy) => {
    expect(specOf(allocateForCreate(service(spec), request()))).toMatchObject({
      clusterIPs: ['None'],
      ipFamilies,
      ipFamilyPolicy,
    });
  });
});

describe('an update', () => {
  const stored = service({
    type: 'NodePort',
    clusterIP: '10.0.9.9',
    clusterIPs: ['10.0.9.9'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    externalTrafficPolicy: 'Cluster',
    ports: [{ name: 'a', port: 1, nodePort: 30500 }],
  });
  const update = (spec: JsonObject): Allocation =>
    allocateForUpdate(service(spec), stored, request(false, [other, stored]));

  test('keeps what the client left out, and finds what is new', () => {
    const made = update({
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    });
    expect(specOf(made)).toMatchObject({
      clusterIP: '10.0.9.9',
      clusterIPs: ['10.0.9.9'],
      ipFamilies: ['IPv4'],
    });
    expect(portsOf(made)[0]).toBe(30500);
    expect(portsOf(made)[1]).not.toBe(30500);
  });

  test('finds a new port for one of another name, when a port asks for the old one', () => {
    const ports = [
      { name: 'b', port: 2, nodePort: 30500 },
      { name: 'a', port: 1 },
    ];
    const made = portsOf(update({ type: 'NodePort', ports }));
    expect(made[0]).toBe(30500);
    expect(made[1]).not.toBe(30500);
  });

  test.each<[name: string, spec: JsonObject, kept: readonly string[]]>([
    ['ClusterIP', {}, ['type', 'clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'ports']],
    ['ExternalName', { type: 'ExternalName', externalName: 'a.b' }, ['type', 'externalName', 'ports']],
  ])('to the type %s leaves what goes with it', (_name, change, kept) => {
    const { object: allocated } = allocateForUpdate(
      service({ ...objectMember(stored, 'spec'), type: 'ClusterIP', ...change }),
      stored,
      request(false, [other, stored]),
    );
    const next = serviceRules.prepareForUpdate?.(allocated, stored, main('v1'), context);
    const spec = objectMember(next, 'spec') ?? {};
    expect(Object.keys(spec).sort()).toEqual([...kept].sort());
    expect(spec['ports']).toEqual([{ name: 'a', port: 1 }]);
  });

  test('leaves conditions, and the ingress of a load balancer alone', () => {
    const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] }, conditions: [{ type: 'Ready' }] };
    const statusAfter = (type: string): JsonObject | undefined => {
      const before = { ...service({ type: 'LoadBalancer' }), status };
      return objectMember(
        serviceRules.prepareForUpdate?.({ ...service({ type }), status }, before, main('v1'), context),
        'status',
      );
    };
    expect(statusAfter('ClusterIP')).toEqual({ ...status, loadBalancer: {} });
    expect(statusAfter('LoadBalancer')).toEqual(status);
  });
});

test('the pools are drawn from until they are empty', () => {
  const ports = new Set<number>();
  for (
    let port = freePort(ports, seededRandom(1));
    port !== undefined;
    port = freePort(ports, seededRandom(1))
  ) {
    ports.add(port);
  }
  expect([ports.size, Math.min(...ports), Math.max(...ports)]).toEqual([2768, 30000, 32767]);
  const addresses = new Set<string>(['10.0.255.254', '10.0.1.1']);
  expect(freeAddress(addresses, { next: () => 0.999999, uuid: () => '' })).toBe('10.0.1.2');
});
