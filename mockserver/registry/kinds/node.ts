/** Nodes: selected by whether they take pods. */
import { booleanMember, objectMember } from '../../ground/json.js';
import { type KindRules } from '../kind-rules.js';

/** Source: kubernetes registry/core/node/strategy.go. */
export const nodeRules: KindRules = {
  group: '',
  resource: 'nodes',
  fields: {
    'spec.unschedulable': (node) =>
      String(booleanMember(objectMember(node, 'spec'), 'unschedulable') ?? false),
  },
};
