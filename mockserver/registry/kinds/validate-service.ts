/** Validation of services. Addresses, families and node ports are settled, and refused, when they are given out. Source: kubernetes apis/core/validation/validation.go, validateService. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
} from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { portOrName } from '../../schema/validation/int-or-string.js';
import { isPort, PORT_PROBLEM } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';
import { canonicalIp } from './ip-address-text.js';
import { addressValue, CIDR_PROBLEM, endpointAddress, ipAddress, parseCidr } from './validate-addresses.js';
import { PROTOCOLS } from './validate-pod-containers.js';
import { addressWarnings, cidrTextWarnings } from './warn-addresses.js';

const specOf = (service: ApiObject): JsonObject => partOrEmpty(service, 'spec');
const typeOf = (spec: JsonObject): string => textAt(spec, 'type');
const isHeadless = (spec: JsonObject): boolean =>
  typeOf(spec) !== 'ExternalName' &&
  textsAt(spec, 'clusterIPs').length === 1 &&
  textsAt(spec, 'clusterIPs')[0] === 'None';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";

function service(found: Findings, object: ApiObject, previous: ApiObject | undefined): void {
  const spec = specOf(object);
  const ports = itemsAt(spec, 'ports');
  const type = typeOf(spec);
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') found.required('spec.ports');
  if (isHeadless(spec) && (type === 'LoadBalancer' || type === 'NodePort'))
    found.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`);
  if (type === 'ExternalName') externalName(found, spec);
  servicePorts(found, ports);
  found.labels(partAt(spec, 'selector'), 'spec.selector');
  affinity(found, spec);
  textsAt(spec, 'externalIPs').forEach((ip, i) => {
    const field = `spec.externalIPs[${i}]`;
    if (canonicalIp(ip) === undefined) ipAddress(found, ip, field);
    else endpointAddress(found, ip, field);
  });
  found.among(spec, 'spec', 'type', TYPES, 'missing');
  portUses(found, ports, type);
  sourceRanges(found, object, spec, previous);
  if (isSet(spec, 'allocateLoadBalancerNodePorts') && type !== 'LoadBalancer')
    found.forbidden('spec.allocateLoadBalancerNodePorts', BALANCER_ONLY);
  balancerClass(found, spec);
  externalTraffic(found, spec);
  if (type !== 'ExternalName' && TYPES.includes(type) && !isSet(spec, 'internalTrafficPolicy'))
    found.required('spec.internalTrafficPolicy');
  found.among(spec, 'spec', 'internalTrafficPolicy', ['Cluster', 'Local']);
  found.among(spec, 'spec', 'trafficDistribution', ['PreferClose', 'PreferSameZone', 'PreferSameNode']);
}

function externalName(found: Findings, spec: JsonObject): void {
  const unwanted = 'may not be set for ExternalName services';
  if (listAt(spec, 'clusterIPs').length > 0) found.forbidden('spec.clusterIPs', unwanted);
  if (listAt(spec, 'ipFamilies').length > 0) found.forbidden('spec.ipFamilies', unwanted);
  if (isSet(spec, 'ipFamilyPolicy')) found.forbidden('spec.ipFamilyPolicy', unwanted);
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  if (name === '') found.required('spec.externalName');
  else found.problems('spec.externalName', name, dns1123SubdomainProblems);
}

function servicePorts(found: Findings, ports: readonly JsonObject[]): void {
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const at = `spec.ports[${i}]`;
    const name = textAt(port, 'name');
    if (name === '') {
      if (ports.length > 1) found.required(`${at}.name`);
    } else {
      found.problems(`${at}.name`, name, dns1123LabelProblems);
      if (names.has(name)) found.duplicate(`${at}.name`, name);
      names.add(name);
    }
    const number = integerAt(port, 'port');
    if (!isPort(number)) found.invalid(`${at}.port`, number, PORT_PROBLEM);
    found.among(port, at, 'protocol', PROTOCOLS, 'missing');
    portOrName(found, port, at, 'targetPort');
    if (isSet(port, 'appProtocol'))
      found.problems(`${at}.appProtocol`, textAt(port, 'appProtocol'), labelKeyProblems);
  });
}

function portUses(found: Findings, ports: readonly JsonObject[], type: string): void {
  if (type === 'ClusterIP')
    ports.forEach((port, i) => {
      if (integerAt(port, 'nodePort') !== 0)
        found.forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'");
    });
  const once = (keyOf: (port: JsonObject) => string, clash: (port: JsonObject, i: number) => void): void => {
    const seen = new Set<string>();
    ports.forEach((port, i) => {
      const key = keyOf(port);
      if (seen.has(key)) clash(port, i);
      if (key !== '') seen.add(key);
    });
  };
  once(
    (port) =>
      integerAt(port, 'nodePort') === 0 ? '' : `${textAt(port, 'protocol')}/${integerAt(port, 'nodePort')}`,
    (port, i) => {
      found.duplicate(`spec.ports[${i}].nodePort`, integerAt(port, 'nodePort'));
    },
  );
  once(
    (port) => `${textAt(port, 'protocol')}/${integerAt(port, 'port')}`,
    (port, i) => {
      found.duplicate(`spec.ports[${i}]`, {
        protocol: textAt(port, 'protocol'),
        port: integerAt(port, 'port'),
      });
    },
  );
}

function affinity(found: Findings, spec: JsonObject): void {
  found.among(spec, 'spec', 'sessionAffinity', ['ClientIP', 'None'], 'missing');
  const at = 'spec.sessionAffinityConfig';
  const config = partAt(spec, 'sessionAffinityConfig');
  const kind = textAt(spec, 'sessionAffinity');
  if (kind === 'None' && config !== undefined)
    found.forbidden(at, 'must not be set when session affinity is None');
  if (kind !== 'ClientIP') return;
  const why = 'when session affinity type is ClientIP';
  const client = partAt(config, 'clientIP');
  if (config === undefined) found.required(at, why);
  else if (client === undefined) found.required(`${at}.clientIP`, why);
  else if (!isSet(client, 'timeoutSeconds')) found.required(`${at}.clientIP.timeoutSeconds`, why);
  else {
    const seconds = integerAt(client, 'timeoutSeconds');
    if (seconds <= 0 || seconds > 86400)
      found.invalid(`${at}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400');
  }
}

const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function sourceRanges(
  found: Findings,
  object: ApiObject,
  spec: JsonObject,
  previous: ApiObject | undefined,
): void {
  const ranges = textsAt(spec, 'loadBalancerSourceRanges');
  const balanced = typeOf(spec) === 'LoadBalancer';
  const annotations = partAt(object.metadata, 'annotations');
  const range = (text: string, field: string): void => {
    if (parseCidr(text) === undefined) found.invalid(field, text, CIDR_PROBLEM);
  };
  if (ranges.length > 0) {
    const at = 'spec.LoadBalancerSourceRanges';
    if (!balanced) found.forbidden(at, BALANCER_ONLY);
    const known = textsAt(partAt(previous, 'spec'), 'loadBalancerSourceRanges').map((one) => one.trim());
    ranges.forEach((text, i) => {
      if (!known.includes(text.trim())) range(text.trim(), `${at}[${i}]`);
    });
  } else if (isSet(annotations, RANGES)) {
    const field = `metadata.annotations[${RANGES}]`;
    if (!balanced) found.forbidden(field, BALANCER_ONLY);
    const text = textAt(annotations, RANGES).trim();
    if (text !== '') for (const one of text.split(',')) range(one.trim(), field);
  }
}

function balancerClass(found: Findings, spec: JsonObject): void {
  if (!isSet(spec, 'loadBalancerClass')) return;
  if (typeOf(spec) === 'LoadBalancer')
    found.problems('spec.loadBalancerClass', textAt(spec, 'loadBalancerClass'), labelKeyProblems);
  else found.forbidden('spec.loadBalancerClass', BALANCER_ONLY);
}

const isReachable = (spec: JsonObject): boolean =>
  typeOf(spec) === 'LoadBalancer' ||
  typeOf(spec) === 'NodePort' ||
  (typeOf(spec) === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0);
const checksHealth = (spec: JsonObject): boolean =>
  typeOf(spec) === 'LoadBalancer' && textAt(spec, 'externalTrafficPolicy') === 'Local';

function externalTraffic(found: Findings, spec: JsonObject): void {
  const policy = textAt(spec, 'externalTrafficPolicy');
  if (isReachable(spec)) found.among(spec, 'spec', 'externalTrafficPolicy', ['Cluster', 'Local'], 'missing');
  else if (policy !== '')
    found.invalid('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services');
  const port = integerAt(spec, 'healthCheckNodePort');
  const field = 'spec.healthCheckNodePort';
  if (!checksHealth(spec)) {
    if (port !== 0)
      found.invalid(
        field,
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
  } else if (port !== 0 && !isPort(port)) found.invalid(field, port, PORT_PROBLEM);
}

/** What addresses a service had stay with it while its type needs them. */
function addressChanges(found: Findings, now: JsonObject, before: JsonObject): void {
  if (typeOf(before) === 'ExternalName' || typeOf(now) === 'ExternalName') return;
  for (const name of ['clusterIPs', 'ipFamilies']) {
    const [first, had] = [textsAt(now, name)[0], textsAt(before, name)[0]];
    if (had === undefined || had === '') continue;
    if (first === undefined)
      found.required(
        `spec.${name}[0]`,
        name === 'clusterIPs' ? 'primary clusterIP can not be unset' : 'primary ipFamily can not be unset',
      );
    else if (first !== had)
      found.invalid(
        `spec.${name}[0]`,
        name === 'clusterIPs' ? textsAt(now, name) : first,
        'may not change once set',
      );
  }
}

export const serviceValidation: KindValidation = {
  group: '',
  resource: 'services',
  create(found, object) {
    service(found, object, undefined);
  },
  update(found, next, previous) {
    const [now, before] = [specOf(next), specOf(previous)];
    addressChanges(found, now, before);
    if (typeOf(now) === 'LoadBalancer' && typeOf(before) === 'LoadBalancer') {
      const [kind, had] = [
        member(now, 'loadBalancerClass') ?? null,
        member(before, 'loadBalancerClass') ?? null,
      ];
      if (!jsonEqual(kind, had)) found.invalid('spec.loadBalancerClass', kind, 'may not change once set');
    }
    balancerClass(found, now);
    if (
      checksHealth(before) &&
      checksHealth(now) &&
      integerAt(now, 'healthCheckNodePort') !== integerAt(before, 'healthCheckNodePort')
    )
      found.forbidden('spec.healthCheckNodePort', 'field is immutable');
    service(found, next, previous);
  },
  status(found, next, previous) {
    const at = 'status.loadBalancer.ingress';
    const ingress = itemsAt(partAt(partAt(next, 'status'), 'loadBalancer'), 'ingress');
    if (typeOf(specOf(previous)) !== 'LoadBalancer') {
      if (ingress.length > 0) found.forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    ingress.forEach((one, i) => {
      balancerIngress(found, one, `${at}[${i}]`);
    });
  },
  warnings: serviceWarnings,
};

/** Source: kubernetes api/service/warnings.go. */
function serviceWarnings(next: ApiObject): readonly string[] {
  const spec = specOf(next);
  const [headless, named] = [isHeadless(spec), typeOf(spec) === 'ExternalName'];
  const external = listAt(spec, 'externalIPs').length > 0;
  const balancer = textAt(spec, 'loadBalancerIP') !== '';
  const affinityKind = textAt(spec, 'sessionAffinity');
  const when = (condition: boolean, text: string): readonly string[] => (condition ? [text] : []);
  return [
    ...when(
      isSet(partAt(next.metadata, 'annotations'), TOPOLOGY_HINTS),
      `annotation ${TOPOLOGY_HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ),
    ...(headless ? [] : addressWarnings(spec, 'clusterIPs', 'spec')),
    ...when(headless && balancer, 'spec.loadBalancerIP is ignored for headless services'),
    ...when(headless && external, 'spec.externalIPs is ignored for headless services'),
    ...when(headless && affinityKind !== 'None', 'spec.SessionAffinity is ignored for headless services'),
    ...addressWarnings(spec, 'externalIPs', 'spec'),
    ...when(
      external && !headless && !named,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ),
    ...(balancer ? addressWarnings(spec, 'loadBalancerIP', 'spec') : []),
    ...textsAt(spec, 'loadBalancerSourceRanges').flatMap((range, i) =>
      cidrTextWarnings(range, `spec.loadBalancerSourceRanges[${i}]`),
    ),
    ...when(named && external, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...when(
      !named && textAt(spec, 'externalName') !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ),
    ...when(
      textAt(spec, 'trafficDistribution') === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ];
}

const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints';

function balancerIngress(found: Findings, one: JsonObject, at: string): void {
  const ip = textAt(one, 'ip');
  if (ip !== '') ipAddress(found, ip, `${at}.ip`);
  if (!isSet(one, 'ipMode')) {
    if (ip !== '') found.required(`${at}.ipMode`, 'must be specified when `ip` is set');
  } else if (ip === '') found.forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set');
  else found.among(one, at, 'ipMode', ['Proxy', 'VIP']);
  hostname(found, one, at);
}

export function hostname(found: Findings, one: JsonObject, at: string): void {
  const name = textAt(one, 'hostname');
  if (name === '') return;
  found.problems(`${at}.hostname`, name, dns1123SubdomainProblems);
  if (addressValue(name) !== undefined)
    found.invalid(`${at}.hostname`, name, 'must be a DNS name, not an IP address');
}
