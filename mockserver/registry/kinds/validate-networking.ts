/** Validation of the kinds of networking.k8s.io. Source: kubernetes apis/networking/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentProblems,
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
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import {
  domainPathProblems,
  isPort,
  PORT_PROBLEM,
  portNameProblems,
  wildcardSubdomainProblems,
} from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';
import {
  addressValue,
  canonicalCidr,
  CIDR_PROBLEM,
  ipAddress,
  isStrictlyInside,
  parseCidr,
} from './validate-addresses.js';
import { hostname } from './validate-service.js';

const GROUP = 'networking.k8s.io';
const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

function ingress(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  const rules = itemsAt(spec, 'rules');
  const backend = partAt(spec, 'defaultBackend');
  if (rules.length === 0 && backend === undefined)
    found.invalid(
      'spec',
      member(spec, 'rules') ?? null,
      'either `defaultBackend` or `rules` must be specified',
    );
  if (backend !== undefined) ingressBackend(found, backend, 'spec.defaultBackend');
  rules.forEach((rule, i) => {
    ingressRule(found, rule, `spec.rules[${i}]`);
  });
  itemsAt(spec, 'tls').forEach((tls, i) => {
    const at = `spec.tls[${i}]`;
    textsAt(tls, 'hosts').forEach((host, j) => {
      found.problems(
        `${at}.hosts[${j}]`,
        host,
        host.includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems,
      );
    });
    found.form(tls, at, 'secretName', dns1123SubdomainProblems);
  });
  if (isSet(spec, 'ingressClassName'))
    found.problems('spec.ingressClassName', textAt(spec, 'ingressClassName'), dns1123SubdomainProblems);
}

function ingressRule(found: Findings, rule: JsonObject, at: string): void {
  const host = textAt(rule, 'host');
  if (host !== '') {
    if (addressValue(host) !== undefined)
      found.invalid(`${at}.host`, host, 'must be a DNS name, not an IP address');
    found.problems(
      `${at}.host`,
      host,
      host.includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems,
    );
  }
  const http = partAt(rule, 'http');
  if (http === undefined) return;
  const paths = itemsAt(http, 'paths');
  if (paths.length === 0) found.required(`${at}.http.paths`);
  paths.forEach((path, i) => {
    ingressPath(found, path, `${at}.http.paths[${i}]`);
  });
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const ODD_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const ODD_ENDS = ['/..', '/.'];

function ingressPath(found: Findings, path: JsonObject, at: string): void {
  if (!isSet(path, 'pathType')) {
    found.required(`${at}.pathType`, 'pathType must be specified');
    return;
  }
  const type = textAt(path, 'pathType');
  const text = textAt(path, 'path');
  const absolute = (): void => {
    if (!text.startsWith('/')) found.invalid(`${at}.path`, text, 'must be an absolute path');
  };
  if (type === 'Exact' || type === 'Prefix') {
    absolute();
    for (const part of ODD_PARTS)
      if (text.includes(part)) found.invalid(`${at}.path`, text, `must not contain '${part}'`);
    for (const end of ODD_ENDS)
      if (text.endsWith(end)) found.invalid(`${at}.path`, text, `cannot end with '${end}'`);
  } else if (type === 'ImplementationSpecific') {
    if (text !== '') absolute();
  } else found.notSupported(`${at}.pathType`, type, PATH_TYPES);
  ingressBackend(found, partOrEmpty(path, 'backend'), `${at}.backend`);
}

function ingressBackend(found: Findings, backend: JsonObject, at: string): void {
  const [resource, service] = [partAt(backend, 'resource'), partAt(backend, 'service')];
  if (resource !== undefined && service !== undefined) {
    found.invalid(at, '', 'cannot set both resource and service backends');
  } else if (resource !== undefined) {
    if (isSet(resource, 'apiGroup'))
      found.problems(`${at}.resource.apiGroup`, textAt(resource, 'apiGroup'), dns1123SubdomainProblems);
    found.needsForm(resource, `${at}.resource`, 'kind', pathSegmentProblems);
    found.needsForm(resource, `${at}.resource`, 'name', pathSegmentProblems);
  } else if (service !== undefined) {
    found.needsForm(service, `${at}.service`, 'name', dns1123LabelProblems);
    const port = partOrEmpty(service, 'port');
    const [name, number] = [textAt(port, 'name'), integerAt(port, 'number')];
    if (name !== '' && number !== 0) found.invalid(at, '', 'cannot set both port name & port number');
    else if (name !== '') found.problems(`${at}.service.port.name`, name, portNameProblems);
    else if (number === 0) found.required(at, 'port name or number is required');
    else if (!isPort(number)) found.invalid(`${at}.service.port.number`, number, PORT_PROBLEM);
  } else found.invalid(at, '', 'resource or service backend is required');
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export const ingressValidation: KindValidation = {
  group: GROUP,
  resource: 'ingresses',
  create(found, object) {
    ingress(found, object);
    const annotations = partAt(object.metadata, 'annotations');
    const given = textAt(annotations, CLASS_ANNOTATION);
    const spec = specOf(object);
    if (
      isSet(annotations, CLASS_ANNOTATION) &&
      isSet(spec, 'ingressClassName') &&
      given !== textAt(spec, 'ingressClassName')
    )
      found.invalid(
        `annotations.${CLASS_ANNOTATION}`,
        given,
        'must match `ingressClassName` when both are specified',
      );
  },
  update(found, next) {
    ingress(found, next);
  },
  status(found, next) {
    itemsAt(partAt(partAt(next, 'status'), 'loadBalancer'), 'ingress').forEach((one, i) => {
      const at = `status.loadBalancer.ingress[${i}]`;
      const ip = textAt(one, 'ip');
      if (ip !== '') ipAddress(found, ip, `${at}.ip`);
      hostname(found, one, at);
    });
  },
  warnings: (next, previous) =>
    previous === undefined && isSet(partAt(next.metadata, 'annotations'), CLASS_ANNOTATION)
      ? [
          `annotation ${JSON.stringify(CLASS_ANNOTATION)} is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [],
};

const SCOPES = ['Cluster', 'Namespace'];

function ingressClass(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  if (textAt(spec, 'controller').length > 250) found.tooLong('spec.controller', 250);
  found.needsForm(spec, 'spec', 'controller', domainPathProblems);
  const parameters = partAt(spec, 'parameters');
  if (parameters === undefined) return;
  const at = 'spec.parameters';
  if (isSet(parameters, 'apiGroup'))
    found.problems(`${at}.apiGroup`, textAt(parameters, 'apiGroup'), dns1123SubdomainProblems);
  found.needsForm(parameters, at, 'kind', pathSegmentProblems);
  found.needsForm(parameters, at, 'name', pathSegmentProblems);
  if (!isSet(parameters, 'scope')) {
    found.required(`${at}.scope`);
    return;
  }
  const scope = textAt(parameters, 'scope');
  found.among(parameters, at, 'scope', SCOPES, 'bad');
  const named = isSet(parameters, 'namespace');
  if (scope === 'Namespace') {
    if (!named) found.required(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'");
    else found.problems(`${at}.namespace`, textAt(parameters, 'namespace'), dns1123LabelProblems);
  } else if (scope === 'Cluster' && named)
    found.forbidden(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'");
}

export const ingressClassValidation: KindValidation = {
  group: GROUP,
  resource: 'ingressclasses',
  create: ingressClass,
  update(found, next, previous) {
    const controller = textAt(specOf(next), 'controller');
    if (controller !== textAt(specOf(previous), 'controller'))
      found.invalid('spec.controller', controller, IMMUTABLE);
    ingressClass(found, next);
  },
};

function networkPolicy(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  labelSelector(found, partAt(spec, 'podSelector'), 'spec.podSelector');
  for (const [way, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    itemsAt(spec, way).forEach((rule, i) => {
      const at = `spec.${way}[${i}]`;
      itemsAt(rule, 'ports').forEach((port, j) => {
        policyPort(found, port, `${at}.ports[${j}]`);
      });
      itemsAt(rule, peers).forEach((peer, j) => {
        policyPeer(found, peer, `${at}.${peers}[${j}]`);
      });
    });
  const types = textsAt(spec, 'policyTypes');
  const known = ['Ingress', 'Egress'];
  if (types.length > 2) found.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes');
  else
    types.forEach((type, i) => {
      if (!known.includes(type)) found.notSupported(`spec.policyTypes[${i}]`, type, known);
    });
}

function policyPort(found: Findings, port: JsonObject, at: string): void {
  found.among(port, at, 'protocol', ['TCP', 'UDP', 'SCTP']);
  const number = member(port, 'port') ?? undefined;
  const end = isSet(port, 'endPort') ? integerAt(port, 'endPort') : undefined;
  if (number === undefined) {
    if (end !== undefined)
      found.invalid(`${at}.endPort`, end, 'may not be specified when `port` is not specified');
  } else if (typeof number === 'string') {
    if (end !== undefined)
      found.invalid(`${at}.endPort`, end, 'may not be specified when `port` is non-numeric');
    found.problems(`${at}.port`, number, portNameProblems);
  } else {
    const first = Number(number);
    if (!isPort(first)) found.invalid(`${at}.port`, number, PORT_PROBLEM);
    if (end === undefined) return;
    if (end < first) found.invalid(`${at}.endPort`, number, 'must be greater than or equal to `port`');
    if (!isPort(end)) found.invalid(`${at}.endPort`, end, PORT_PROBLEM);
  }
}

function policyPeer(found: Findings, peer: JsonObject, at: string): void {
  const [pods, namespaces, block] = ['podSelector', 'namespaceSelector', 'ipBlock'].map((name) =>
    partAt(peer, name),
  );
  labelSelector(found, pods, `${at}.podSelector`);
  labelSelector(found, namespaces, `${at}.namespaceSelector`);
  if (block !== undefined) ipBlock(found, block, `${at}.ipBlock`);
  const others = pods !== undefined || namespaces !== undefined;
  if (block === undefined && !others) found.required(at, 'must specify a peer');
  else if (block !== undefined && others)
    found.forbidden(at, 'may not specify both ipBlock and another peer');
}

function ipBlock(found: Findings, block: JsonObject, at: string): void {
  const text = found.needs(block, at, 'cidr');
  if (text === '') return;
  const cidr = parseCidr(text);
  if (cidr === undefined) {
    found.invalid(`${at}.cidr`, text, CIDR_PROBLEM);
    return;
  }
  textsAt(block, 'except').forEach((one, i) => {
    const field = `${at}.except[${i}]`;
    const inner = parseCidr(one);
    if (inner === undefined) found.invalid(field, one, CIDR_PROBLEM);
    else if (!isStrictlyInside(inner, cidr)) found.invalid(field, one, 'must be a strict subset of `cidr`');
  });
}

export const networkPolicyValidation: KindValidation = {
  group: GROUP,
  resource: 'networkpolicies',
  create: networkPolicy,
  update(found, next) {
    networkPolicy(found, next);
  },
};

export const ipAddressValidation: KindValidation = {
  group: GROUP,
  resource: 'ipaddresses',
  create(found, object) {
    const parent = partAt(specOf(object), 'parentRef');
    const at = 'spec.parentRef';
    if (parent === undefined) {
      found.required(at);
      return;
    }
    found.form(parent, at, 'group', dns1123SubdomainProblems);
    found.needsForm(parent, at, 'resource', pathSegmentProblems);
    found.needsForm(parent, at, 'name', pathSegmentProblems);
    found.form(parent, at, 'namespace', pathSegmentProblems);
  },
  update(found, next, previous) {
    const [now, before] = [
      member(specOf(next), 'parentRef') ?? null,
      member(specOf(previous), 'parentRef') ?? null,
    ];
    if (jsonEqual(now, before)) return;
    found.invalid('spec.parentRef', now, IMMUTABLE);
  },
};

function serviceCidr(found: Findings, object: ApiObject): void {
  const ranges = textsAt(specOf(object), 'cidrs');
  const field = 'spec.cidrs';
  if (ranges.length === 0) {
    found.required(field, 'at least one CIDR required');
    return;
  }
  if (ranges.length > 2) {
    found.invalid(field, { CIDRs: ranges }, 'may only hold up to 2 values');
    return;
  }
  const cidrs = ranges.map(parseCidr);
  ranges.forEach((range, i) => {
    canonicalCidr(found, range, `${field}[${i}]`);
  });
  if (cidrs.length === 2 && cidrs[0] !== undefined && cidrs[0].family === cidrs[1]?.family)
    found.invalid(
      field,
      ranges,
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    );
}

export const serviceCidrValidation: KindValidation = {
  group: GROUP,
  resource: 'servicecidrs',
  create: serviceCidr,
  update(found, next, previous) {
    const [now, before] = [textsAt(specOf(next), 'cidrs'), textsAt(specOf(previous), 'cidrs')];
    if (now.length === before.length)
      now.forEach((range, i) => {
        if (range !== before[i]) found.invalid(`spec.cidrs[${i}]`, range, IMMUTABLE);
      });
    else if (before.length === 1 && now.length === 2) {
      if (now[0] !== before[0]) found.invalid('spec.cidrs[0]', now[0] ?? '', IMMUTABLE);
      serviceCidr(found, next);
    } else found.invalid('spec.cidrs', listAt(specOf(next), 'cidrs'), IMMUTABLE);
  },
};
