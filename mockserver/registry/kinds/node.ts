/** Nodes: selected by whether they take pods; a proxy to their kubelet, which nobody runs. */
import { arrayMember, booleanMember, isJsonObject, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { notFound } from '../../ground/status.js';
import { type KindRules } from '../kind-rules.js';
import { kubeletAddress, refuseLocalAddress, unreachable } from './node-address.js';
import { proxyTarget } from './proxy-target.js';

const OF = { group: '', resource: 'nodes' } as const;

/** Source: kubernetes registry/core/node/strategy.go. */
export const nodeRules: KindRules = {
  ...OF,
  prepareForCreate: withNotReadyTaint,
  fields: {
    'spec.unschedulable': (node) =>
      String(booleanMember(objectMember(node, 'spec'), 'unschedulable') ?? false),
  },
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

/** Nobody is placed on a new node before it says that it is ready. Source: plugin/pkg/admission/nodetaint/admission.go. */
function withNotReadyTaint(node: ApiObject): ApiObject {
  const spec = objectMember(node, 'spec') ?? EMPTY;
  const taints = arrayMember(spec, 'taints') ?? [];
  const [key, effect] = ['node.kubernetes.io/not-ready', 'NoSchedule'];
  const known = taints.some(
    (one) => isJsonObject(one) && stringMember(one, 'key') === key && stringMember(one, 'effect') === effect,
  );
  return known ? node : { ...node, spec: { ...spec, taints: [...taints, { key, effect }] } };
}
