/** How many pods each ReplicaSet of a Deployment is to have, decided from values. */
import { stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  annotationsOf,
  availableReplicas,
  byAge,
  DESIRED_REPLICAS,
  isActiveSet,
  isRolling,
  MAX_REPLICAS,
  maxSurge,
  maxUnavailable,
  sumOf,
  wantedReplicas,
} from './deployment-facts.js';
import { statusNumber } from './replicas.js';

export interface Resize {
  readonly set: ApiObject;
  readonly replicas: number;
}

/** What a set's annotation says; undefined when it says nothing that can be read. */
function numberIn(set: ApiObject, annotation: string): number | undefined {
  const text = stringMember(annotationsOf(set), annotation);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether some set knows another size of the deployment than it has now. */
export const isScaling = (deployment: ApiObject, sets: readonly ApiObject[]): boolean =>
  sets
    .filter(isActiveSet)
    .map((set) => numberIn(set, DESIRED_REPLICAS))
    .some((desired) => desired !== undefined && desired !== wantedReplicas(deployment));

/**
 * The size of the set with the new template while a rollout goes on.
 *
 * @param sets all of the deployment, that one among them if it is there already
 * Source: kubernetes pkg/controller/deployment/util/deployment_util.go, NewRSNewReplicas.
 */
export function nextSize(deployment: ApiObject, sets: readonly ApiObject[], own: number): number {
  const wanted = wantedReplicas(deployment);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + maxSurge(deployment) - sumOf(sets, wantedReplicas);
  return room <= 0 ? own : own + Math.min(room, wanted - own);
}

/**
 * Which old sets shrink, and to what: first by pods that are not available, then as far as enough stay available.
 *
 * Source: kubernetes pkg/controller/deployment/rolling.go.
 */
export function shrunkSets(
  deployment: ApiObject,
  old: readonly ApiObject[],
  current: ApiObject,
): readonly Resize[] {
  const minAvailable = wantedReplicas(deployment) - maxUnavailable(deployment);
  const unavailable = wantedReplicas(current) - availableReplicas(current);
  const most = sumOf([...old, current], wantedReplicas) - minAvailable - unavailable;
  if (sumOf(old, wantedReplicas) === 0 || most <= 0) return [];
  const sizes = new Map([...old].sort(byAge).map((set) => [set, wantedReplicas(set)]));
  const shrink = (total: number, spare: (set: ApiObject, size: number) => number): void => {
    let left = total;
    for (const [set, size] of sizes) {
      const share = Math.max(0, Math.min(left, spare(set, size)));
      sizes.set(set, size - share);
      left -= share;
    }
  };
  shrink(most, (set, size) => size - availableReplicas(set));
  shrink(sumOf([...old, current], availableReplicas) - minAvailable, (_set, size) => size);
  return [...sizes]
    .filter(([set, size]) => size !== wantedReplicas(set))
    .map(([set, replicas]) => ({ set, replicas }));
}

/**
 * The sizes of all sets after the deployment has got another size, each its share.
 *
 * Shape: also sets that keep their size: they are to know the new one.
 * Source: kubernetes pkg/controller/deployment/sync.go, scale.
 */
export function scaledSets(
  deployment: ApiObject,
  old: readonly ApiObject[],
  current: ApiObject | undefined,
): { readonly resizes: readonly Resize[]; readonly always: boolean } {
  const wanted = wantedReplicas(deployment);
  const all = current === undefined ? [...old] : [...old, current];
  const active = all.filter(isActiveSet);
  const newest = [...old].sort(byAge).at(-1);
  const only = active.length === 1 ? active[0] : active.length === 0 ? (current ?? newest) : undefined;
  if (only !== undefined) return { resizes: [{ set: only, replicas: wanted }], always: false };
  if (isSaturated(deployment, current)) {
    const resizes = old.filter(isActiveSet).map((set) => ({ set, replicas: 0 }));
    return { resizes, always: false };
  }
  if (!isRolling(deployment)) return { resizes: [], always: false };
  return { resizes: proportional(deployment, active), always: true };
}

function isSaturated(deployment: ApiObject, current: ApiObject | undefined): boolean {
  const wanted = wantedReplicas(deployment);
  return (
    current !== undefined &&
    wantedReplicas(current) === wanted &&
    numberIn(current, DESIRED_REPLICAS) === wanted &&
    availableReplicas(current) === wanted
  );
}

function proportional(deployment: ApiObject, active: readonly ApiObject[]): readonly Resize[] {
  const wanted = wantedReplicas(deployment);
  const allowed = wanted > 0 ? wanted + maxSurge(deployment) : 0;
  const toAdd = allowed - sumOf(active, wantedReplicas);
  // The largest first; of equal ones the newest grows and the oldest shrinks first.
  const sets = [...active].sort(
    (a, b) => wantedReplicas(b) - wantedReplicas(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)),
  );
  let added = 0;
  const sizes = sets.map((set) => {
    const share = toAdd === added ? 0 : bounded(fraction(deployment, set), toAdd - added);
    added += share;
    return wantedReplicas(set) + share;
  });
  return sets.map((set, i) => {
    const size = sizes[i] ?? 0;
    return { set, replicas: i === 0 ? Math.max(0, size + toAdd - added) : size };
  });
}

const bounded = (share: number, allowed: number): number =>
  allowed > 0 ? Math.min(share, allowed) : Math.max(share, allowed);

/** By how much a set changes when the whole does. */
function fraction(deployment: ApiObject, set: ApiObject): number {
  const size = wantedReplicas(set);
  if (wantedReplicas(deployment) === 0) return -size;
  const known = numberIn(set, MAX_REPLICAS) ?? 0;
  const before = known === 0 ? statusNumber(deployment, 'replicas') : known;
  if (before === 0) return 0;
  const after = wantedReplicas(deployment) + maxSurge(deployment);
  return Math.round((size * after) / before) - size;
}
