/** HorizontalPodAutoscalers: what is measured, and how fast they scale once anything is said of it. */
import { type JsonObject, arrayMember, member, objectMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/autoscaling/v2/defaults.go. In v1 the measure is filled in by conversion. */
export const horizontalPodAutoscalerDefaults: readonly WrittenDefault[] = [
  {
    message: 'k8s.io.api.autoscaling.v2.HorizontalPodAutoscalerSpec',
    fill: withMetrics,
    rules: ['d207', 'd210'],
  },
  {
    message: 'k8s.io.api.autoscaling.v2.HorizontalPodAutoscalerBehavior',
    fill: behavior,
    rules: ['d208'],
  },
];

const CPU_UTILIZATION_PERCENT = 80;

function withMetrics(spec: JsonObject): JsonObject {
  if ((arrayMember(spec, 'metrics') ?? []).length > 0) return spec;
  const target = { type: 'Utilization', averageUtilization: CPU_UTILIZATION_PERCENT };
  return { ...spec, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] };
}

const PERIOD_SECONDS = 15;
const byPercent: JsonObject = { type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS };
const byPods: JsonObject = { type: 'Pods', value: 4, periodSeconds: PERIOD_SECONDS };
const UP: JsonObject = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [byPods, byPercent] };
/** How long to wait before scaling down is the controller's to say. */
const DOWN: JsonObject = { selectPolicy: 'Max', policies: [byPercent] };

function behavior(object: JsonObject): JsonObject {
  const [up, down] = [objectMember(object, 'scaleUp'), objectMember(object, 'scaleDown')];
  const [nextUp, nextDown] = [completed(up, UP), completed(down, DOWN)];
  return nextUp === up && nextDown === down ? object : { scaleUp: nextUp, scaleDown: nextDown };
}

const ORDER = ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance'] as const;

function completed(rules: JsonObject | undefined, defaults: JsonObject): JsonObject {
  if (rules !== undefined && Object.keys(defaults).every((name) => Object.hasOwn(rules, name))) return rules;
  return Object.fromEntries(
    ORDER.flatMap((name) => {
      const value = member(rules, name) ?? member(defaults, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
