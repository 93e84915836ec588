/** Priority: a pod has the priority of its class; one class at most is the default. */
import {
  type JsonObject,
  booleanMember,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { forbiddenObject, type StatusError } from '../../ground/status.js';
import { type AdmissionPlugin } from '../admission-plugin.js';
import { type KindContext } from '../kind-context.js';

const PODS = { group: '', resource: 'pods' } as const;
const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;
const DEFAULT_PREEMPTION = 'PreemptLowerPriority';

/**
 * Errors: 403 for a class that is not there, for values of the client's own that differ from those of the class, and for
 * a second default. Source: kubernetes plugin/pkg/admission/priority.
 */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  resources: [PODS, PRIORITY_CLASSES],
  admit({ of, subresource, object: pod, previous }, context) {
    if (of.resource !== PODS.resource || subresource !== '') return pod;
    const spec = objectMember(pod, 'spec') ?? EMPTY;
    const ranked =
      previous === undefined
        ? withPriority(spec, context, (why) => forbiddenObject(PODS, nameOf(pod), why))
        : withPriorityOf(spec, objectMember(previous, 'spec') ?? EMPTY);
    return ranked === spec ? pod : { ...pod, spec: ranked };
  },
  validate({ operation, of, object }, context) {
    if (of.resource !== PRIORITY_CLASSES.resource || operation === 'delete') return;
    if (booleanMember(object, 'globalDefault') !== true) return;
    const { group, resource } = PRIORITY_CLASSES;
    const other = context
      .listAll(group, resource)
      .find((one) => booleanMember(one, 'globalDefault') === true && nameOf(one) !== nameOf(object));
    if (other === undefined) return;
    throw forbiddenObject(
      PRIORITY_CLASSES,
      nameOf(object),
      `PriorityClass ${nameOf(other)} is already marked as default. Only one default can exist`,
    );
  },
};

function withPriority(
  spec: JsonObject,
  context: Pick<KindContext, 'find' | 'listAll'>,
  refused: (why: string) => StatusError,
): JsonObject {
  const named = stringMember(spec, 'priorityClassName') ?? '';
  const { group, resource } = PRIORITY_CLASSES;
  const found = named === '' ? defaultClass(context) : context.find(group, resource, '', named);
  if (named !== '' && found === undefined) throw refused(`no PriorityClass with name ${named} was found`);
  const priority = found === undefined ? 0 : (numberMember(found, 'value') ?? 0);
  const preemptionPolicy = stringMember(found, 'preemptionPolicy') ?? DEFAULT_PREEMPTION;
  const own = numberMember(spec, 'priority');
  if (own !== undefined && own !== priority) {
    throw refused(
      `the integer value of priority (${own}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  const ownPolicy = stringMember(spec, 'preemptionPolicy');
  if (ownPolicy !== undefined && ownPolicy !== preemptionPolicy) {
    throw refused(
      `the string value of PreemptionPolicy (${ownPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  const priorityClassName = found === undefined ? undefined : nameOf(found);
  return {
    ...spec,
    ...(priorityClassName === undefined ? {} : { priorityClassName }),
    priority,
    preemptionPolicy,
  };
}

/** Of several defaults the one with the lowest value. */
function defaultClass(context: Pick<KindContext, 'listAll'>): ApiObject | undefined {
  const { group, resource } = PRIORITY_CLASSES;
  let lowest: ApiObject | undefined;
  for (const one of context.listAll(group, resource)) {
    if (booleanMember(one, 'globalDefault') !== true) continue;
    if (lowest === undefined || valueOf(one) < valueOf(lowest)) lowest = one;
  }
  return lowest;
}

const valueOf = (priorityClass: ApiObject): number => numberMember(priorityClass, 'value') ?? 0;

/** An update that leaves out what admission gave keeps it. */
function withPriorityOf(spec: JsonObject, before: JsonObject): JsonObject {
  const kept = (['priority', 'preemptionPolicy'] as const).flatMap((name) => {
    const value = member(before, name);
    return member(spec, name) === undefined && value !== undefined ? [[name, value] as const] : [];
  });
  return kept.length === 0 ? spec : { ...spec, ...Object.fromEntries(kept) };
}
