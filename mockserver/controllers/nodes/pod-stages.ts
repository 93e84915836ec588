/** The life of a pod on the fake node: which stages it goes through, and after how long. */
import { objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, labelsOf } from '../../ground/object.js';
import { isReady } from '../workloads/pod-state.js';

/** What a pod comes to, in its order; `succeeded` and `failed` are ends. */
export const POD_STAGES = ['scheduled', 'running', 'ready', 'succeeded', 'failed'] as const;
export type PodStage = (typeof POD_STAGES)[number];

export interface StageStep {
  readonly stage: PodStage;
  /** Milliseconds of the cluster's clock after the stage before. @default 0 */
  readonly afterMs?: number;
}

/** Which stages pods go through; of several rules the first counts whose labels a pod has. */
export interface PodRule {
  /** Labels that the pod must have, all of them. @default every pod */
  readonly labels?: Readonly<Record<string, string>>;
  /** Where they end is where the pod stays: `[]` leaves it unscheduled. */
  readonly stages: readonly StageStep[];
}

const LIVES: readonly StageStep[] = [{ stage: 'scheduled' }, { stage: 'running' }, { stage: 'ready' }];
/** A pod that is to end by itself, such as a Job's. */
const ENDS: readonly StageStep[] = [...LIVES, { stage: 'succeeded', afterMs: 1000 }];

export function stagesOf(pod: ApiObject, rules: readonly PodRule[]): readonly StageStep[] {
  const rule = rules.find(({ labels = {} }) =>
    Object.entries(labels).every(([name, value]) => labelsOf(pod)[name] === value),
  );
  if (rule !== undefined) return rule.stages;
  const restarts = stringMember(objectMember(pod, 'spec'), 'restartPolicy') ?? 'Always';
  return restarts === 'Always' ? LIVES : ENDS;
}

/** The stages that a pod's own state shows it has had. */
export function stagesHad(pod: ApiObject): ReadonlySet<PodStage> {
  const phase = stringMember(objectMember(pod, 'status'), 'phase');
  const bound = (stringMember(objectMember(pod, 'spec'), 'nodeName') ?? '') !== '';
  const had: readonly (readonly [PodStage, boolean])[] = [
    ['scheduled', bound],
    ['running', bound && phase !== undefined && phase !== 'Pending'],
    ['ready', bound && isReady(pod)],
    ['succeeded', phase === 'Succeeded'],
    ['failed', phase === 'Failed'],
  ];
  return new Set(had.filter(([, is]) => is).map(([stage]) => stage));
}

/** Index of the first stage that a pod has not had. Shape: the number of stages when it has had them all. */
export function firstStageAhead(stages: readonly StageStep[], had: ReadonlySet<PodStage>): number {
  const first = stages.findIndex(({ stage }) => !had.has(stage));
  return first < 0 ? stages.length : first;
}
