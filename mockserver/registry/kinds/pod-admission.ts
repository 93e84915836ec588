/** What admission does to pods by default: their priority, and how long they stay on a node that is gone. */
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  booleanMember,
  isJsonObject,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { type KindContext } from '../kind-context.js';

const PODS = { group: '', resource: 'pods' } as const;
const CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;
/** What a real server has, whether it has written them or not. */
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};
const TOLERATED_SECONDS = 300;
const TOLERATED_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly preemption: string;
}

/**
 * A new pod as admission leaves it.
 *
 * Errors: 403 for a priority class that is not there, and for a priority or a preemption policy of one's own.
 * Source: kubernetes plugin/pkg/admission/{priority,defaulttolerationseconds}/admission.go.
 */
export function admittedPod(pod: ApiObject, context: KindContext): ApiObject {
  const spec = objectMember(pod, 'spec') ?? EMPTY;
  const { name, value, preemption } = priorityOf(pod, spec, context);
  const given = numberMember(spec, 'priority');
  const refused = (what: string, text: string | number, computed: string | number): never => {
    throw forbiddenObject(
      PODS,
      nameOf(pod),
      `the ${what} (${text}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
    );
  };
  if (given !== undefined && given !== value) refused('integer value of priority', given, value);
  const policy = stringMember(spec, 'preemptionPolicy');
  if (policy !== undefined && policy !== preemption) {
    refused('string value of PreemptionPolicy', policy, preemption);
  }
  return {
    ...pod,
    spec: {
      ...spec,
      tolerations: withDefaultTolerations(arrayMember(spec, 'tolerations')),
      ...(name === '' ? {} : { priorityClassName: name }),
      priority: value,
      preemptionPolicy: preemption,
    },
  };
}

/** A changed pod as admission leaves it: a priority that was not sent stays what it was. */
export function admittedPodUpdate(next: ApiObject, previous: ApiObject): ApiObject {
  const [spec, before] = [objectMember(next, 'spec') ?? EMPTY, objectMember(previous, 'spec') ?? EMPTY];
  const kept = (name: string): JsonObject => {
    const value = before[name];
    return spec[name] === undefined && value !== undefined ? { [name]: value } : {};
  };
  return {
    ...next,
    spec: {
      ...spec,
      tolerations: withDefaultTolerations(arrayMember(spec, 'tolerations')),
      ...kept('priority'),
      ...kept('preemptionPolicy'),
    },
  };
}

function priorityOf(pod: ApiObject, spec: JsonObject, context: KindContext): Priority {
  const name = stringMember(spec, 'priorityClassName') ?? '';
  const found =
    name === ''
      ? defaultClass(context.listAll(CLASSES.group, CLASSES.resource))
      : context.find(CLASSES.group, CLASSES.resource, '', name);
  if (found !== undefined) {
    return {
      name: nameOf(found),
      value: numberMember(found, 'value') ?? 0,
      preemption: stringMember(found, 'preemptionPolicy') ?? 'PreemptLowerPriority',
    };
  }
  const system = Object.hasOwn(SYSTEM_PRIORITIES, name) ? SYSTEM_PRIORITIES[name] : undefined;
  if (name !== '' && system === undefined) {
    throw forbiddenObject(PODS, nameOf(pod), `no PriorityClass with name ${name} was found`);
  }
  return { name, value: system ?? 0, preemption: 'PreemptLowerPriority' };
}

/** Of several global defaults the lowest one. */
function defaultClass(classes: readonly ApiObject[]): ApiObject | undefined {
  return classes
    .filter((one) => booleanMember(one, 'globalDefault') === true)
    .sort((a, b) => (numberMember(a, 'value') ?? 0) - (numberMember(b, 'value') ?? 0))[0];
}

function withDefaultTolerations(tolerations: JsonArray = []): JsonArray {
  const missing = TOLERATED_TAINTS.filter(
    (key) => !tolerations.some((one) => isJsonObject(one) && covers(one, key)),
  );
  return [
    ...tolerations,
    ...missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: TOLERATED_SECONDS,
    })),
  ];
}

function covers(toleration: JsonObject, key: string): boolean {
  const named = stringMember(toleration, 'key') ?? '';
  const effect = stringMember(toleration, 'effect') ?? '';
  return (named === key || named === '') && (effect === 'NoExecute' || effect === '');
}
