/** Node ports of one write: what is asked for is taken, what is missing is found. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  isJsonObject,
  member,
  numberMember,
  stringMember,
} from '../../ground/json.js';
import { type Random } from '../../ground/random.js';
import { internalError } from '../../ground/status.js';
import { PORT_RANGE, freePort, isNodePort } from './service-addresses.js';
import { typeOf } from './service-families.js';

/** The first port that a dry run shows is one above this, which is no port of nodes. */
const DRY_RUN_PORT = 32_768;

/** What one write does to the pool of ports. It lives as long as the write. */
export class PortDraft {
  readonly #used: ReadonlySet<number>;
  readonly #taken = new Set<number>();
  readonly #random: Random;
  readonly #dryRun: boolean;

  constructor(used: ReadonlySet<number>, random: Random, dryRun: boolean) {
    this.#used = used;
    this.#random = random;
    this.#dryRun = dryRun;
  }

  /** Takes a port. Errors: why it cannot be had. A dry run looks at no range. */
  take(port: number): string | undefined {
    if (!this.#dryRun && !isNodePort(port)) {
      return `provided port is not in the valid range. The range of valid ports is ${PORT_RANGE}`;
    }
    if (this.#used.has(port) || this.#taken.has(port)) return 'provided port is already allocated';
    this.#taken.add(port);
    return undefined;
  }

  /** Any port. Errors: 500 when there is none. */
  takeAny(): number {
    const port = this.#dryRun
      ? Math.max(...(this.#taken.size === 0 ? [DRY_RUN_PORT] : this.#taken)) + 1
      : freePort(new Set([...this.#used, ...this.#taken]), this.#random);
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
    this.#taken.add(port);
    return port;
  }
}

export const portsOf = (spec: JsonObject | undefined): readonly JsonObject[] =>
  (arrayMember(spec, 'ports') ?? []).filter(isJsonObject);
export const nodePortOf = (port: JsonObject): number => numberMember(port, 'nodePort') ?? 0;
export const onNodes = (spec: JsonObject | undefined): boolean =>
  typeOf(spec) === 'NodePort' || typeOf(spec) === 'LoadBalancer';
/** Whether a load balancer has to be told which nodes are healthy. */
export const checksHealth = (spec: JsonObject | undefined): boolean =>
  typeOf(spec) === 'LoadBalancer' && stringMember(spec, 'externalTrafficPolicy') === 'Local';

const mayFind = (spec: JsonObject): boolean =>
  typeOf(spec) === 'NodePort' || member(spec, 'allocateLoadBalancerNodePorts') === true;

export interface PortedSpec {
  readonly spec: JsonObject;
  readonly errors: readonly FieldError[];
}

/** nodePort is the last but for what a later version may add: where it is set anew it goes to the end. */
const withNodePort = (port: JsonObject, nodePort: number): JsonObject => ({ ...port, nodePort });

/**
 * Ports of a new service: those of the same number under several protocols share one node port.
 *
 * Source: kubernetes registry/core/service/storage/alloc.go, initNodePorts.
 */
export function newNodePorts(spec: JsonObject, draft: PortDraft): PortedSpec {
  const byPort = new Map<JsonValue, number>();
  const ports = portsOf(spec);
  const next: JsonObject[] = [];
  for (const [i, port] of ports.entries()) {
    const number = member(port, 'port') ?? 0;
    const wanted = nodePortOf(port);
    if (wanted === 0 && !mayFind(spec)) {
      next.push(port);
      continue;
    }
    let nodePort = byPort.get(number);
    if (nodePort === undefined) {
      const asked = ports.find((one) => member(one, 'port') === number && nodePortOf(one) !== 0);
      nodePort = asked === undefined ? draft.takeAny() : nodePortOf(asked);
      const why = asked === undefined ? undefined : draft.take(nodePort);
      if (why !== undefined) {
        return { spec, errors: [invalid(`spec.ports[${i}].nodePort`, nodePort, why)] };
      }
      byPort.set(number, nodePort);
    } else if (wanted !== 0 && wanted !== nodePort) {
      const why = draft.take(wanted);
      if (why !== undefined) {
        return { spec, errors: [invalid(`spec.ports[${i}].nodePort`, wanted, why)] };
      }
      nodePort = wanted;
    }
    next.push(withNodePort(port, nodePort));
  }
  return { spec: next.length === 0 ? spec : { ...spec, ports: next }, errors: [] };
}

/**
 * Ports of a changed service: what it had it keeps.
 *
 * Source: alloc.go, updateNodePorts.
 */
export function changedNodePorts(spec: JsonObject, before: JsonObject, draft: PortDraft): PortedSpec {
  const had = new Set(portsOf(before).map(nodePortOf));
  const seen = new Set<number>();
  const next: JsonObject[] = [];
  for (const [i, port] of portsOf(spec).entries()) {
    const wanted = nodePortOf(port);
    if (wanted === 0) {
      next.push(mayFind(spec) ? withNodePort(port, draft.takeAny()) : port);
      continue;
    }
    const why = had.has(wanted) || seen.has(wanted) ? undefined : draft.take(wanted);
    if (why !== undefined) return { spec, errors: [invalid(`spec.ports[${i}].nodePort`, wanted, why)] };
    seen.add(wanted);
    next.push(port);
  }
  return { spec: next.length === 0 ? spec : { ...spec, ports: next }, errors: [] };
}

/** Errors: 500 when the port that is asked for cannot be had. Source: alloc.go, allocHealthCheckNodePort. */
export function withHealthCheckPort(spec: JsonObject, draft: PortDraft): JsonObject {
  const wanted = numberMember(spec, 'healthCheckNodePort') ?? 0;
  if (wanted === 0) return { ...spec, healthCheckNodePort: draft.takeAny() };
  const why = draft.take(wanted);
  if (why !== undefined) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${why}`);
  }
  return spec;
}
