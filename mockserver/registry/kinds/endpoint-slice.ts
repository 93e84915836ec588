/** EndpointSlices: the topology of old is not written any more. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  isJsonObject,
  jsonEqual,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { mapShared } from '../../schema/member-order.js';
import { type KindRules } from '../kind-rules.js';
import { without } from './members.js';

const HOSTNAME = 'kubernetes.io/hostname';

/** Source: kubernetes registry/discovery/endpointslice/strategy.go, dropTopologyOnV1. */
export const endpointSliceRules: KindRules = {
  group: 'discovery.k8s.io',
  resource: 'endpointslices',
  prepareForCreate: (slice) => withoutTopology(slice, undefined),
  prepareForUpdate: withoutTopology,
};

function withoutTopology(slice: ApiObject, previous: ApiObject | undefined): ApiObject {
  const endpoints = arrayMember(slice, 'endpoints');
  const before = arrayMember(previous, 'endpoints');
  if (endpoints === undefined || (previous !== undefined && jsonEqual(endpoints, before))) return slice;
  const known = new Set((before ?? []).map(hostOf));
  const next = mapShared(endpoints, (one) => {
    if (!isJsonObject(one) || member(one, 'deprecatedTopology') === undefined) return one;
    const rest = without(one, 'deprecatedTopology');
    const host = hostOf(one);
    const keepsHost = host !== '' && known.has(host) && member(one, 'nodeName') === undefined;
    return keepsHost ? { ...rest, nodeName: host } : rest;
  });
  return next === endpoints ? slice : { ...slice, endpoints: next };
}

const hostOf = (endpoint: JsonValue): string =>
  isJsonObject(endpoint) ? (stringMember(topologyOf(endpoint), HOSTNAME) ?? '') : '';
const topologyOf = (endpoint: JsonObject): JsonObject | undefined =>
  objectMember(endpoint, 'deprecatedTopology');
