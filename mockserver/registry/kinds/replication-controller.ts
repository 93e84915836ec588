/** ReplicationControllers: selected by their number of replicas, 0 when the status says nothing; scaled. */
import { numberMember, objectMember } from '../../ground/json.js';
import { type KindRules } from '../kind-rules.js';
import { labelSelectorOf } from '../label-selector.js';
import { workloadScale } from './workload-scale.js';

const OF = { group: '', resource: 'replicationcontrollers' } as const;

/** Source: kubernetes registry/core/replicationcontroller/strategy.go. */
export const replicationControllerRules: KindRules = {
  ...OF,
  fields: {
    'status.replicas': (controller) =>
      String(numberMember(objectMember(controller, 'status'), 'replicas') ?? 0),
  },
  subresources: {
    scale: {
      view: workloadScale(
        OF,
        // Its selector is labels alone.
        (object) =>
          labelSelectorOf({
            matchLabels: objectMember(objectMember(object, 'spec'), 'selector') ?? {},
          })?.toString() ?? '',
      ),
    },
  },
};
