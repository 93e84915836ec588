/** The objects of a fresh server. */
import { readFreshServer } from '../../../openapi/fresh-server.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { arrayMember, objectMember } from '../../../mockserver/ground/json.js';
import { type ApiObject, nameOf, uidOf } from '../../../mockserver/ground/object.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { type SeedContext, freshServerObjects } from '../../../mockserver/registry/seed.js';

const fresh = readFreshServer('1.36');
const objects = (context: Partial<SeedContext> = {}): readonly ApiObject[] =>
  freshServerObjects(fresh, {
    clock: new VirtualClock(Date.UTC(2026, 0, 1, 0, 0, 0, 250)),
    random: seededRandom(1),
    securePort: 6443,
    ...context,
  });
const named = (list: readonly ApiObject[], kind: string, name: string): ApiObject | undefined =>
  list.find((one) => one.kind === kind && nameOf(one) === name);
const counted = (list: readonly ApiObject[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of list) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

test('a server on a loopback address has 50 objects', () => {
  expect(counted(objects())).toEqual({
    Namespace: 4,
    ConfigMap: 1,
    Service: 1,
    IPAddress: 1,
    ServiceCIDR: 1,
    PriorityClass: 2,
    APIService: 21,
    FlowSchema: 11,
    PriorityLevelConfiguration: 8,
  });
});

test('a client CA, a reachable address and an identity bring one each or two', () => {
  const more = objects({
    clientCa: 'PEM',
    advertiseAddress: '192.0.2.10',
    identity: { name: 'apiserver-x', hostname: 'h' },
  });
  expect(more).toHaveLength(objects().length + 4);
  expect(named(more, 'ConfigMap', 'extension-apiserver-authentication')?.['data']).toEqual({
    'client-ca-file': 'PEM',
  });
  expect(named(more, 'Endpoints', 'kubernetes')?.['subsets']).toEqual([
    { addresses: [{ ip: '192.0.2.10' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ]);
  const lease = named(more, 'Lease', 'apiserver-x');
  expect(lease?.metadata['annotations']).toEqual({
    'kubernetes.io/peer-advertise-address': '192.0.2.10:6443',
  });
  expect(objectMember(lease, 'spec')).toMatchObject({
    holderIdentity: expect.stringMatching(/^apiserver-x_[0-9a-f-]{36}$/) as string,
    renewTime: '2026-01-01T00:00:00.250000Z',
  });
});

test.each(['127.0.0.1', '127.1.2.3', '::1'])('the address %s is not told to anybody', (advertiseAddress) => {
  expect(objects({ advertiseAddress })).toHaveLength(objects().length);
});

test('each object has a uid of its own and the time of the start', () => {
  const list = objects();
  expect(new Set(list.map(uidOf)).size).toBe(list.length);
  expect(new Set(list.map((one) => one.metadata['creationTimestamp']))).toEqual(
    new Set(['2026-01-01T00:00:00Z']),
  );
});

test('no placeholder is left', () => {
  expect(JSON.stringify(objects())).not.toMatch(/<[A-Za-z]+>/);
});

test('a namespace comes before what lies in it', () => {
  const seen = new Set<unknown>();
  for (const one of objects({ clientCa: 'PEM', advertiseAddress: '192.0.2.10' })) {
    const namespace = one.metadata['namespace'];
    expect(namespace === undefined || seen.has(namespace)).toBe(true);
    if (one.kind === 'Namespace') seen.add(nameOf(one));
  }
});

test('the service points to the port, as a number', () => {
  const service = named(objects(), 'Service', 'kubernetes');
  expect(arrayMember(objectMember(service, 'spec'), 'ports')).toMatchObject([{ targetPort: 6443 }]);
});
