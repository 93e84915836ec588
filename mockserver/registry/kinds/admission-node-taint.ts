/** TaintNodesByCondition: a new node takes no pods before it is ready. */
import { arrayMember, isJsonObject, objectMember, stringMember } from '../../ground/json.js';
import { EMPTY } from '../../ground/object.js';
import { type AdmissionPlugin } from '../admission-plugin.js';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Source: kubernetes plugin/pkg/admission/nodetaint. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  resources: [{ group: '', resource: 'nodes' }],
  admit({ operation, subresource, object }) {
    if (operation !== 'create' || subresource !== '') return object;
    const spec = objectMember(object, 'spec') ?? EMPTY;
    const taints = arrayMember(spec, 'taints') ?? [];
    const has = taints.some(
      (one) =>
        isJsonObject(one) &&
        stringMember(one, 'key') === NOT_READY.key &&
        stringMember(one, 'effect') === NOT_READY.effect,
    );
    return has ? object : { ...object, spec: { ...spec, taints: [...taints, NOT_READY] } };
  },
};
