/** What a service is given on a write: addresses, families, ports of nodes. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import {
  type JsonObject,
  type MutableJsonObject,
  jsonEqual,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { type Random } from '../../ground/random.js';
import { goQuote } from '../../ground/revision.js';
import { internalError } from '../../ground/status.js';
import { without } from './members.js';
import { ADDRESS_RANGE, freeAddress, isInRange, isServiceAddress } from './service-addresses.js';
import { settleFamilies, textsOf, typeOf } from './service-families.js';
import {
  PortDraft,
  changedNodePorts,
  checksHealth,
  newNodePorts,
  nodePortOf,
  onNodes,
  portsOf,
  withHealthCheckPort,
} from './service-ports.js';

/** What the services of a cluster have. */
export interface ServicePools {
  readonly addresses: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

export interface AllocationRequest {
  /** What the stored services have; of an update: those of the service itself included. */
  readonly used: ServicePools;
  readonly random: Random;
  /** A dry run takes nothing: it shows the first address of the range, and ports above theirs. */
  readonly dryRun: boolean;
}

export interface Allocation {
  /** Members that were added stand where they may: the codec arranges them. */
  readonly object: ApiObject;
  /** When there are any, the service is refused with them, before any other validation. */
  readonly errors: readonly FieldError[];
}

const specOf = (service: ApiObject): JsonObject => objectMember(service, 'spec') ?? EMPTY;

/** What these services have together. */
export function poolsOf(services: Iterable<ApiObject>): ServicePools {
  const addresses = new Set<string>();
  const ports = new Set<number>();
  for (const service of services) {
    const spec = specOf(service);
    for (const address of textsOf(spec, 'clusterIPs')) if (address !== 'None') addresses.add(address);
    for (const port of portsOf(spec)) if (nodePortOf(port) !== 0) ports.add(nodePortOf(port));
    const health = numberMember(spec, 'healthCheckNodePort') ?? 0;
    if (health !== 0) ports.add(health);
  }
  return { addresses, ports };
}

/**
 * A new service with all that it is given. Its defaults are filled in already.
 *
 * Errors: field errors in the result; 500 (StatusError) when a pool is empty.
 * Source: kubernetes registry/core/service/storage/storage.go beginCreate, alloc.go allocateCreate.
 */
export function allocateForCreate(service: ApiObject, request: AllocationRequest): Allocation {
  const given = specOf(service);
  const address = stringMember(given, 'clusterIP') ?? '';
  const named = address !== '' && textsOf(given, 'clusterIPs').length === 0;
  const settled = settleFamilies(named ? { ...given, clusterIPs: [address] } : given, undefined);
  if (!settled.ok) return { object: service, errors: settled.errors };
  const addressed = withAddresses(service, settled.spec, request);
  if (addressed.errors.length > 0) return { object: service, errors: addressed.errors };
  const draft = new PortDraft(request.used.ports, request.random, request.dryRun);
  const ported = onNodes(addressed.spec) ? newNodePorts(addressed.spec, draft) : addressed;
  if (ported.errors.length > 0) return { object: service, errors: ported.errors };
  const spec = checksHealth(ported.spec) ? withHealthCheckPort(ported.spec, draft) : ported.spec;
  return { object: spec === given ? service : { ...service, spec }, errors: [] };
}

/**
 * A changed service with what it had and left out, and with what it now needs besides.
 *
 * Errors: as allocateForCreate.
 * Source: storage.go beginUpdate, patchAllocatedValues, normalizeClusterIPs; alloc.go allocateUpdate.
 */
export function allocateForUpdate(
  service: ApiObject,
  previous: ApiObject,
  request: AllocationRequest,
): Allocation {
  const before = specOf(previous);
  const settled = settleFamilies(
    withSyncedAddresses(withFormerValues(specOf(service), before), before),
    before,
  );
  if (!settled.ok) return { object: service, errors: settled.errors };
  const needsAddress = typeOf(before) === 'ExternalName' && typeOf(settled.spec) !== 'ExternalName';
  const addressed = needsAddress
    ? withAddresses(service, settled.spec, request)
    : { spec: settled.spec, errors: [] };
  if (addressed.errors.length > 0) return { object: service, errors: addressed.errors };
  const draft = new PortDraft(request.used.ports, request.random, request.dryRun);
  const ported = onNodes(addressed.spec) ? changedNodePorts(addressed.spec, before, draft) : addressed;
  if (ported.errors.length > 0) return { object: service, errors: ported.errors };
  const checks = checksHealth(ported.spec) && !checksHealth(before);
  const spec = checks ? withHealthCheckPort(ported.spec, draft) : ported.spec;
  return { object: { ...service, spec }, errors: [] };
}

interface AddressedSpec {
  readonly spec: JsonObject;
  readonly errors: readonly FieldError[];
}

/** One address for each family. Source: alloc.go, allocClusterIPs and allocIPs. */
function withAddresses(service: ApiObject, spec: JsonObject, request: AllocationRequest): AddressedSpec {
  const given = textsOf(spec, 'clusterIPs');
  if (typeOf(spec) === 'ExternalName' || given[0] === 'None') return { spec, errors: [] };
  const asked = given[0] ?? '';
  if (asked !== '') {
    const why = refusalOf(asked, request);
    return why === undefined
      ? { spec, errors: [] }
      : { spec, errors: [invalid('spec.clusterIPs', given, `failed to allocate IP ${asked}: ${why}`)] };
  }
  const found = request.dryRun
    ? (ADDRESS_RANGE.split('/')[0] ?? '')
    : freeAddress(request.used.addresses, request.random);
  if (found === undefined) {
    throw internalError(
      `failed to allocate a serviceIP for Service ${goQuote(nameOf(service))}: range is full`,
    );
  }
  return { spec: { ...spec, clusterIP: found, clusterIPs: [found] }, errors: [] };
}

function refusalOf(address: string, { used, dryRun }: AllocationRequest): string | undefined {
  if (dryRun) {
    return isInRange(address)
      ? undefined
      : `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${ADDRESS_RANGE}`;
  }
  if (!isServiceAddress(address)) return 'the provided network does not match the current range';
  return used.addresses.has(address) ? 'provided IP is already allocated' : undefined;
}

/** Clients that do not name what the service was given before keep it. */
function withFormerValues(spec: JsonObject, before: JsonObject): JsonObject {
  const next: MutableJsonObject = { ...spec };
  if (typeOf(spec) !== 'ExternalName' && typeOf(before) !== 'ExternalName') {
    const had = textsOf(before, 'clusterIPs');
    const address = stringMember(before, 'clusterIP');
    if ((stringMember(spec, 'clusterIP') ?? '') === '' && address !== undefined) next['clusterIP'] = address;
    if (textsOf(spec, 'clusterIPs').length === 0 && had.length > 0) next['clusterIPs'] = had;
  }
  if (onNodes(spec) && onNodes(before)) {
    const ports = portsOf(spec);
    const asked = new Set(ports.map(nodePortOf));
    const formerly = new Map(
      portsOf(before).map((port) => [stringMember(port, 'name') ?? '', nodePortOf(port)]),
    );
    next['ports'] = ports.map((port) => {
      const former = formerly.get(stringMember(port, 'name') ?? '') ?? 0;
      return nodePortOf(port) !== 0 || former === 0 || asked.has(former)
        ? port
        : { ...port, nodePort: former };
    });
    if (ports.length === 0) delete next['ports'];
  }
  const health = numberMember(before, 'healthCheckNodePort') ?? 0;
  if (checksHealth(spec) && checksHealth(before) && (numberMember(spec, 'healthCheckNodePort') ?? 0) === 0) {
    if (health !== 0) next['healthCheckNodePort'] = health;
  }
  return next;
}

/** clusterIP and clusterIPs say the same, when a client changed one of them. */
function withSyncedAddresses(spec: JsonObject, before: JsonObject): JsonObject {
  const [address, had] = [stringMember(spec, 'clusterIP') ?? '', stringMember(before, 'clusterIP') ?? ''];
  const [addresses, hadAll] = [textsOf(spec, 'clusterIPs'), textsOf(before, 'clusterIPs')];
  if (hadAll.length > 0 && addresses.length === 0 && address === had) return { ...spec, clusterIPs: hadAll };
  if (address === had || !jsonEqual(addresses, hadAll)) return spec;
  if (had !== '' && address === '') {
    return without(spec, 'clusterIPs');
  }
  return { ...spec, clusterIPs: [address] };
}
