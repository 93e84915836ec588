/** PriorityClasses: those of the system stay. */
import { nameOf } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { type KindRules } from '../kind-rules.js';

const OF = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;
/** Source: kubernetes pkg/apis/scheduling/v1/helpers.go, SystemPriorityClasses. */
const OF_THE_SYSTEM: readonly string[] = ['system-node-critical', 'system-cluster-critical'];

/** Source: kubernetes registry/scheduling/priorityclass/storage. */
export const priorityClassRules: KindRules = {
  ...OF,
  admitDelete(object) {
    if (!OF_THE_SYSTEM.includes(nameOf(object))) return;
    throw forbiddenObject(OF, nameOf(object), 'this is a system priority class and cannot be deleted');
  },
};
