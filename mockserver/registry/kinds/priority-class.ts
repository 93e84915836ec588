/** PriorityClasses: one default at most, and those of the system stay. */
import { booleanMember } from '../../ground/json.js';
import { nameOf } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { type KindRules } from '../kind-rules.js';

const OF = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;
/** Source: kubernetes pkg/apis/scheduling/v1/helpers.go, SystemPriorityClasses. */
const OF_THE_SYSTEM: readonly string[] = ['system-node-critical', 'system-cluster-critical'];

/** Source: kubernetes plugin/pkg/admission/priority. */
export const priorityClassRules: KindRules = {
  ...OF,
  admit(object, _previous, context) {
    if (booleanMember(object, 'globalDefault') !== true) return object;
    const other = context
      .listAll(OF.group, OF.resource)
      .find((one) => booleanMember(one, 'globalDefault') === true && nameOf(one) !== nameOf(object));
    if (other === undefined) return object;
    throw forbiddenObject(
      OF,
      nameOf(object),
      `PriorityClass ${nameOf(other)} is already marked as default. Only one default can exist`,
    );
  },
  admitDelete(object) {
    if (!OF_THE_SYSTEM.includes(nameOf(object))) return;
    throw forbiddenObject(OF, nameOf(object), 'this is a system priority class and cannot be deleted');
  },
};
