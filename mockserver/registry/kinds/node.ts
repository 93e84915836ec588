/** Nodes: selected by whether they take pods; a proxy to their kubelet, which nobody runs. */
import { booleanMember, objectMember } from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { notFound } from '../../ground/status.js';
import { type KindRules } from '../kind-rules.js';
import { kubeletAddress, refuseLocalAddress, unreachable } from './node-address.js';
import { proxyTarget } from './proxy-target.js';

const OF = { group: '', resource: 'nodes' } as const;

/** What is left of a feature that was removed: accepted, owned, and not kept. */
function withoutConfigSource(node: ApiObject): ApiObject {
  const { configSource, ...spec } = objectMember(node, 'spec') ?? EMPTY;
  return configSource === undefined ? node : { ...node, spec };
}

/** Source: kubernetes registry/core/node/strategy.go. */
export const nodeRules: KindRules = {
  ...OF,
  fields: {
    'spec.unschedulable': (node) =>
      String(booleanMember(objectMember(node, 'spec'), 'unschedulable') ?? false),
  },
  prepareForCreate: withoutConfigSource,
  prepareForUpdate: (node) => withoutConfigSource(node),
  subresources: {
    proxy: {
      connection: {
        mediaTypes: undefined,
        connect(request, context) {
          const { name, port } = proxyTarget(request.name, 'node');
          const node = context.find(OF.group, OF.resource, '', name);
          if (node === undefined) throw notFound(OF, name);
          const kubelet = kubeletAddress(node);
          refuseLocalAddress(kubelet.host);
          throw unreachable(port === '' ? kubelet : { ...kubelet, port: Number(port) });
        },
      },
    },
  },
};
