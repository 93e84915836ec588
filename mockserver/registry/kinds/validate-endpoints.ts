/** Validation of Endpoints and EndpointSlices. Source: kubernetes apis/core/validation/validation.go, apis/discovery/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  keysAt,
  partAt,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { isPort, PORT_PROBLEM } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';
import { ipProblems } from './name-syntax.js';
import { addressValue, endpointAddress, ipAddress } from './validate-addresses.js';
import { PROTOCOLS } from './validate-pod-containers.js';

function subsets(found: Findings, object: ApiObject): void {
  itemsAt(object, 'subsets').forEach((subset, i) => {
    const at = `subsets[${i}]`;
    const [ready, waiting] = [itemsAt(subset, 'addresses'), itemsAt(subset, 'notReadyAddresses')];
    if (ready.length === 0 && waiting.length === 0)
      found.required(at, 'must specify `addresses` or `notReadyAddresses`');
    ready.forEach((one, j) => {
      address(found, one, `${at}.addresses[${j}]`);
    });
    waiting.forEach((one, j) => {
      address(found, one, `${at}.notReadyAddresses[${j}]`);
    });
    const ports = itemsAt(subset, 'ports');
    ports.forEach((port, j) => {
      const place = `${at}.ports[${j}]`;
      if (textAt(port, 'name') === '') {
        if (ports.length > 1) found.required(`${place}.name`);
      } else found.form(port, place, 'name', dns1123LabelProblems);
      const number = integerAt(port, 'port');
      if (!isPort(number)) found.invalid(`${place}.port`, number, PORT_PROBLEM);
      found.among(port, place, 'protocol', PROTOCOLS, 'missing');
      if (isSet(port, 'appProtocol'))
        found.problems(`${place}.appProtocol`, textAt(port, 'appProtocol'), labelKeyProblems);
    });
  });
}

function address(found: Findings, one: JsonObject, at: string): void {
  const ip = textAt(one, 'ip');
  ipAddress(found, ip, `${at}.ip`);
  found.form(one, at, 'hostname', dns1123LabelProblems);
  if (isSet(one, 'nodeName'))
    found.problems(`${at}.nodeName`, textAt(one, 'nodeName'), dns1123SubdomainProblems);
  endpointAddress(found, ip, `${at}.ip`);
}

export const endpointsValidation: KindValidation = {
  group: '',
  resource: 'endpoints',
  create: subsets,
  update(found, next, previous) {
    // What was bad before may stay.
    if (!jsonEqual(member(next, 'subsets') ?? null, member(previous, 'subsets') ?? null))
      subsets(found, next);
  },
};

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MOST_ENDPOINTS = 1000;
const MOST_ADDRESSES = 100;
const MOST_PORTS = 20_000;

function slice(found: Findings, object: ApiObject, previous: ApiObject | undefined): void {
  found.among(object, '', 'addressType', ADDRESS_TYPES, 'missing');
  ports(found, object);
  const endpoints = new Findings();
  everyEndpoint(endpoints, object);
  if (!jsonEqual(member(object, 'endpoints') ?? null, member(previous ?? {}, 'endpoints') ?? null))
    found.add(...endpoints.errors);
}

function everyEndpoint(found: Findings, object: ApiObject): void {
  const all = itemsAt(object, 'endpoints');
  const type = textAt(object, 'addressType');
  if (all.length > MOST_ENDPOINTS) {
    found.tooMany('endpoints', all.length, MOST_ENDPOINTS);
    return;
  }
  all.forEach((one, i) => {
    const at = `endpoints[${i}]`;
    addresses(found, textsAt(one, 'addresses'), type, `${at}.addresses`);
    if (isSet(one, 'nodeName'))
      found.problems(`${at}.nodeName`, textAt(one, 'nodeName'), dns1123SubdomainProblems);
    const labels = keysAt(one, 'deprecatedTopology').length;
    if (labels > 16) found.tooMany(`${at}.deprecatedTopology`, labels, 16);
    found.labels(partAt(one, 'deprecatedTopology'), `${at}.deprecatedTopology`);
    if (isSet(one, 'hostname'))
      found.problems(`${at}.hostname`, textAt(one, 'hostname'), dns1123LabelProblems);
    hints(found, partAt(one, 'hints'), `${at}.hints`);
  });
}

function addresses(found: Findings, list: readonly string[], type: string, at: string): void {
  if (list.length === 0) found.required(at, 'must contain at least 1 address');
  else if (list.length > MOST_ADDRESSES) found.tooMany(at, list.length, MOST_ADDRESSES);
  list.forEach((text, i) => {
    const field = `${at}[${i}]`;
    if (type === 'FQDN') {
      fullName(found, text, field);
      return;
    }
    if (type !== 'IPv4' && type !== 'IPv6') return;
    const value = addressValue(text);
    if (type === 'IPv6') {
      const problems = ipProblems(text);
      if (problems.length > 0) {
        for (const problem of problems) found.invalid(field, text, problem);
        return;
      }
    } else if (value === undefined) {
      ipAddress(found, text, field);
      return;
    }
    if (value?.size !== (type === 'IPv4' ? 32 : 128)) found.invalid(at, text, `must be an ${type} address`);
    endpointAddress(found, text, field);
  });
}

/** Source: apimachinery util/validation, IsFullyQualifiedDomainName. */
function fullName(found: Findings, text: string, field: string): void {
  if (text === '') {
    found.required(field);
    return;
  }
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) found.invalid(field, text, problems.join(','));
  else if (name.split('.').length < 2)
    found.invalid(field, text, 'should be a domain with at least two segments separated by dots');
  else
    for (const label of name.split('.'))
      for (const problem of dns1123LabelProblems(label)) found.invalid(field, label, problem);
}

function hints(found: Findings, all: JsonObject | undefined, at: string): void {
  for (const [list, problemsOf] of [
    ['forZones', labelValueProblems],
    ['forNodes', dns1123SubdomainProblems],
  ] as const) {
    const items = itemsAt(all, list);
    if (items.length > 8) {
      found.tooMany(`${at}.${list}`, items.length, 8);
      return;
    }
    const seen = new Set<string>();
    items.forEach((item, i) => {
      const field = `${at}.${list}[${i}].name`;
      const name = textAt(item, 'name');
      if (seen.has(name)) found.duplicate(field, name);
      seen.add(name);
      found.problems(field, name, problemsOf);
    });
  }
}

function ports(found: Findings, object: ApiObject): void {
  const all = itemsAt(object, 'ports');
  if (all.length > MOST_PORTS) {
    found.tooMany('ports', all.length, MOST_PORTS);
    return;
  }
  const names = new Set<string>();
  all.forEach((port, i) => {
    const at = `ports[${i}]`;
    const name = textAt(port, 'name');
    found.form(port, at, 'name', dns1123LabelProblems);
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
    found.among(port, at, 'protocol', PROTOCOLS);
    if (isSet(port, 'appProtocol'))
      found.problems(`${at}.appProtocol`, textAt(port, 'appProtocol'), labelKeyProblems);
  });
}

export const endpointSliceValidation: KindValidation = {
  group: 'discovery.k8s.io',
  resource: 'endpointslices',
  create(found, object) {
    slice(found, object, undefined);
  },
  update(found, next, previous) {
    slice(found, next, previous);
    const type = textAt(next, 'addressType');
    if (type !== textAt(previous, 'addressType')) found.invalid('addressType', type, IMMUTABLE);
  },
};
