/** The ways into a pod: logs, exec, attach, port-forward and proxy, up to where a kubelet would take over. */
import { arrayMember, isJsonObject, numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, labelsOf, nameOf } from '../../ground/object.js';
import { badRequest, bareError, notFound } from '../../ground/status.js';
import { type Connection, type ConnectionRequest } from '../connection.js';
import { type KindContext } from '../kind-context.js';
import { textValue } from '../query.js';
import { kubeletOfNode, refuseLocalAddress, refusedConnection, unreachable } from './node-address.js';
import { chosenContainer } from './pod-containers.js';
import { containerLog, runsOnFakeNode } from './pod-log.js';
import { kubeletQuery, logOptions } from './pod-log-options.js';
import { proxyTarget } from './proxy-target.js';

/**
 * What the user says that a container has written. Without a word of theirs nothing comes from a pod without a node, an
 * empty log from a container that the fake node runs, and from any other the error of a kubelet that is not there.
 */
export const podLog: Connection = {
  mediaTypes: ['text/plain'],
  connect(request, context) {
    const options = logOptions(request.query, request.name);
    const pod = podNamed(request, context, request.name);
    const container = chosenContainer(pod, textValue(request.query, 'container'));
    const { namespace, name } = request;
    const owner = { namespace, pod: name, labels: labelsOf(pod), container, previous: options.previous };
    const known = [true, false].some((previous) => context.logs.read({ ...owner, previous }) !== undefined);
    if (known || runsOnFakeNode(pod, container)) return containerLog({ pod, owner, options }, context);
    const node = nodeNameOf(pod);
    if (node === '') return undefined;
    const kubelet = kubeletOfNode(context, node);
    const query = kubeletQuery(options);
    const path = `/containerLogs/${namespace}/${name}/${container}`;
    const url = `https://${kubelet.host}:${kubelet.port}${path}${query === '' ? '' : `?${query}`}`;
    throw bareError(500, `Get "${url}": ${refusedConnection(kubelet)}`);
  },
};

/** exec and attach. Source: kubernetes registry/core/pod/strategy.go, streamLocation. */
export const podStream: Connection = {
  mediaTypes: undefined,
  connect(request, context) {
    const pod = podNamed(request, context, request.name);
    chosenContainer(pod, textValue(request.query, 'container'));
    return throughKubelet(request, context, pod);
  },
};

export const podPortForward: Connection = {
  mediaTypes: undefined,
  connect: (request, context) => throughKubelet(request, context, podNamed(request, context, request.name)),
};

export const podProxy: Connection = {
  mediaTypes: undefined,
  connect(request, context) {
    const target = proxyTarget(request.name, 'pod');
    const pod = podNamed(request, context, target.name);
    const host = ipOf(pod);
    refuseLocalAddress(host);
    throw unreachable({ host, port: Number(target.port === '' ? firstPort(pod) : target.port) });
  },
};

function throughKubelet(request: ConnectionRequest, context: KindContext, pod: ApiObject): never {
  const node = nodeNameOf(pod);
  if (node === '') throw badRequest(`pod ${nameOf(pod)} does not have a host assigned`);
  const kubelet = kubeletOfNode(context, node);
  if (!request.upgrade) throw badRequest('Upgrade request required');
  throw bareError(500, `error dialing backend: ${refusedConnection(kubelet)}`);
}

function podNamed(request: ConnectionRequest, context: KindContext, name: string): ApiObject {
  const pod = context.find('', 'pods', request.namespace, name);
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return pod;
}

const nodeNameOf = (pod: ApiObject): string => stringMember(objectMember(pod, 'spec'), 'nodeName') ?? '';

function ipOf(pod: ApiObject): string {
  const status = objectMember(pod, 'status');
  const [first] = arrayMember(status, 'podIPs') ?? [];
  return (isJsonObject(first) ? stringMember(first, 'ip') : undefined) ?? stringMember(status, 'podIP') ?? '';
}

/** The first port that a container names, else that of the scheme. */
function firstPort(pod: ApiObject): number {
  for (const container of arrayMember(objectMember(pod, 'spec'), 'containers') ?? []) {
    const [port] = (isJsonObject(container) ? arrayMember(container, 'ports') : undefined) ?? [];
    if (isJsonObject(port)) return numberMember(port, 'containerPort') ?? 80;
  }
  return 80;
}
