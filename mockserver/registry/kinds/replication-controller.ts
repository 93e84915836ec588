/** ReplicationControllers: selected by their number of replicas, 0 when the status says nothing. */
import { numberMember, objectMember } from '../../ground/json.js';
import { type KindRules } from '../kind-rules.js';

/** Source: kubernetes registry/core/replicationcontroller/strategy.go. */
export const replicationControllerRules: KindRules = {
  group: '',
  resource: 'replicationcontrollers',
  fields: {
    'status.replicas': (controller) =>
      String(numberMember(objectMember(controller, 'status'), 'replicas') ?? 0),
  },
};
