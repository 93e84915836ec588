/** What the plugins that every server runs do to pods: their priority, and how long they bear a node that fails. */
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  booleanMember,
  isJsonObject,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { forbiddenObject, type StatusError } from '../../ground/status.js';
import { type KindContext } from '../kind-context.js';

const PODS = { group: '', resource: 'pods' } as const;
const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;
const DEFAULT_PREEMPTION = 'PreemptLowerPriority';
/** Seconds. Source: kubernetes plugin/pkg/admission/defaulttolerationseconds. */
const BORNE_SECONDS = 300;
const BORNE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/**
 * A pod that is created or updated, as admission leaves it.
 *
 * Errors: 403 for a class that is not there, and for values of the client's own that differ from those of the class.
 * Source: kubernetes plugin/pkg/admission/priority, plugin/pkg/admission/defaulttolerationseconds.
 */
export function admittedPod(
  pod: ApiObject,
  previous: ApiObject | undefined,
  context: Pick<KindContext, 'find' | 'listAll'>,
): ApiObject {
  const spec = objectMember(pod, 'spec') ?? EMPTY;
  const ranked =
    previous === undefined
      ? withPriority(spec, context, (why) => forbiddenObject(PODS, nameOf(pod), why))
      : withPriorityOf(spec, objectMember(previous, 'spec') ?? EMPTY);
  const borne = withTolerations(ranked);
  return borne === spec ? pod : { ...pod, spec: borne };
}

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

function withTolerations(spec: JsonObject): JsonObject {
  const own = arrayMember(spec, 'tolerations') ?? [];
  const missing = BORNE_TAINTS.filter((taint) => !bears(own, taint));
  if (missing.length === 0) return spec;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: BORNE_SECONDS,
  }));
  return { ...spec, tolerations: [...own, ...added] };
}

const bears = (tolerations: JsonArray, taint: string): boolean =>
  tolerations.some((one) => {
    if (!isJsonObject(one)) return false;
    const [key, effect] = [stringMember(one, 'key') ?? '', stringMember(one, 'effect') ?? ''];
    return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
  });
