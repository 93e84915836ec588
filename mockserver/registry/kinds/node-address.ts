/** Where the kubelet of a node is reached. There is none: every way to it ends here. */
import { arrayMember, isJsonObject, numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  badRequest,
  bareError,
  notFound,
  serviceUnavailable,
  type StatusError,
} from '../../ground/status.js';
import { type KindContext } from '../kind-context.js';

export interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

const KUBELET_PORT = 10250;
/** The types of addresses, best first. Source: kubernetes controlplane/instance.go, DefaultPreferredAddressTypes. */
const PREFERRED = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/**
 * Errors: 500 without a reason when the node has no address.
 * Source: kubernetes kubelet/client/kubelet_client.go, GetConnectionInfo; util/node/node.go.
 */
export function kubeletAddress(node: ApiObject): KubeletAddress {
  const status = objectMember(node, 'status');
  const addresses = (arrayMember(status, 'addresses') ?? []).filter(isJsonObject);
  const endpoint = objectMember(objectMember(status, 'daemonEndpoints'), 'kubeletEndpoint');
  const port = numberMember(endpoint, 'Port') ?? 0;
  for (const type of PREFERRED) {
    const found = addresses.find((one) => stringMember(one, 'type') === type);
    const host = stringMember(found, 'address') ?? '';
    if (host !== '') return { host, port: port === 0 ? KUBELET_PORT : port };
  }
  const known = addresses.map(
    (one) => `{${stringMember(one, 'type') ?? ''} ${stringMember(one, 'address') ?? ''}}`,
  );
  throw bareError(500, `no preferred addresses found; known addresses: [${known.join(' ')}]`);
}

/** The address for a pod on a node. Errors: 404, which names the node as a pod; those of kubeletAddress. */
export function kubeletOfNode(context: KindContext, nodeName: string): KubeletAddress {
  const node = context.find('', 'nodes', '', nodeName);
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, nodeName);
  return kubeletAddress(node);
}

/** What a client is told of a connection that nobody takes. */
export const refusedConnection = ({ host, port }: KubeletAddress): string =>
  `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}: connect: connection refused`;

/** Errors: 400 for an address that is none, or that is the server's own machine. Source: Go's IsGlobalUnicast. */
export function refuseLocalAddress(host: string): void {
  const local =
    !/^[0-9a-fA-F.:]+$/.test(host) ||
    /^(127\.|0\.0\.0\.0$|169\.254\.|22[4-9]\.|23\d\.|255\.255\.255\.255$|::1?$|fe80:|ff)/i.test(host);
  if (local) throw badRequest('address not allowed');
}

/** 503 of a proxy. Source: apimachinery util/proxy/upgradeaware.go. */
export const unreachable = (address: KubeletAddress): StatusError =>
  serviceUnavailable(`error trying to reach service: ${refusedConnection(address)}`);
