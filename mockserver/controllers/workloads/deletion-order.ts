/** Which pods go first when there are too many. */
import { timeMs } from '../../ground/clock.js';
import { compareUtf8, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, uidOf } from '../../ground/object.js';
import { isActive, isReady, phaseOf, readySinceMs, restartsOf } from './pod-state.js';

const COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: readonly string[] = ['Pending', 'Unknown', 'Running'];

/**
 * The pods, those that are missed least first.
 *
 * @param related pods of whoever shares the owner: of two on nodes, the one in more company goes first
 * Source: kubernetes pkg/controller/controller_utils.go, ActivePodsWithRanks.
 */
export function inDeletionOrder(
  pods: readonly ApiObject[],
  related: readonly ApiObject[],
  nowMs: number,
): ApiObject[] {
  const onNode = new Map<string, number>();
  for (const pod of related.filter(isActive)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  const company = (pod: ApiObject): number => onNode.get(nodeOf(pod)) ?? 0;
  return [...pods].sort(
    (a, b) =>
      Number(nodeOf(a) !== '') - Number(nodeOf(b) !== '') ||
      PHASES.indexOf(phaseOf(a)) - PHASES.indexOf(phaseOf(b)) ||
      Number(isReady(a)) - Number(isReady(b)) ||
      costOf(a) - costOf(b) ||
      company(b) - company(a) ||
      youngestFirst(readySinceMs(a), readySinceMs(b), nowMs) ||
      restartsOf(b) - restartsOf(a) ||
      youngestFirst(createdMs(a), createdMs(b), nowMs) ||
      compareUtf8(uidOf(a), uidOf(b)),
  );
}

const nodeOf = (pod: ApiObject): string => stringMember(objectMember(pod, 'spec'), 'nodeName') ?? '';

const createdMs = (pod: ApiObject): number => timeMs(stringMember(pod.metadata, 'creationTimestamp') ?? '');

function costOf(pod: ApiObject): number {
  const text = stringMember(objectMember(pod.metadata, 'annotations'), COST) ?? '0';
  return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : 0;
}

/** By the order of magnitude of their ages: nearly the same age is the same. */
function youngestFirst(a: number | undefined, b: number | undefined, nowMs: number): number {
  if (a === undefined || b === undefined || a === b) return 0;
  return magnitude(nowMs - a) - magnitude(nowMs - b);
}

const magnitude = (ageMs: number): number => (ageMs <= 0 ? -1 : Math.floor(Math.log2(ageMs * 1e6)));
