/** What a delete does to an object, decided from values. */
import { formatTime } from '../ground/clock.js';
import { stringMember, type JsonValue } from '../ground/json.js';
import { type ApiObject, deletionTimestampOf, finalizersOf } from '../ground/object.js';
import { nextGeneration } from './meta-stamp.js';
import { type KindContext } from './kind-context.js';
import { type DeletionWish, type KindRules } from './kind-rules.js';
import { type Strategy } from './strategy.js';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeletionOrder {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly orphanDependents?: boolean | undefined;
}

export type DeletionPlan =
  /** It goes at once; `marked` first where the kind knows grace and watchers see it terminating before it goes. */
  | { readonly kind: 'remove'; readonly marked?: Readonly<Record<string, JsonValue | undefined>> }
  /** It stays, with these members of metadata changed; `object` is its content otherwise. */
  | {
      readonly kind: 'hold';
      readonly object: ApiObject;
      readonly edits: Readonly<Record<string, JsonValue | undefined>>;
    }
  /** It is on its way out already and nothing changes. */
  | { readonly kind: 'unchanged' };

/**
 * Source: apiserver registry/rest/delete.go BeforeDelete and registry/generic/registry/store.go
 * (updateForGracefulDeletionAndFinalizers, deletionFinalizersForGarbageCollection).
 */
export function planDeletion(
  object: ApiObject,
  order: DeletionOrder,
  strategy: Strategy,
  rules: KindRules | undefined,
  context: KindContext,
): DeletionPlan {
  const nowMs = context.clock.now();
  const terminating = deletionTimestampOf(object) !== undefined;
  if (rules?.holdOnDelete !== undefined) {
    if (!terminating) {
      const held = rules.holdOnDelete(object, wishOf(order), context);
      return { kind: 'hold', object: held, edits: { deletionTimestamp: formatTime(nowMs) } };
    }
    if (!(rules.mayBeRemoved?.(object) ?? true)) return { kind: 'unchanged' };
  }
  const finalizers = finalizersAfter(finalizersOf(object), order, strategy);
  const finalizersChange = finalizers.join('\n') !== finalizersOf(object).join('\n');
  const grace = rules?.graceSeconds === undefined ? undefined : graceOf(object, order, rules);

  if (grace === undefined && finalizers.length === 0) return { kind: 'remove' };
  const edits = terminationEdits(object, grace ?? 0, strategy, nowMs);
  if (finalizers.length === 0 && (grace ?? 0) === 0) {
    // Kinds that know grace are seen terminating before they go.
    return Object.keys(edits).length === 0 ? { kind: 'remove' } : { kind: 'remove', marked: edits };
  }
  const all = finalizersChange
    ? { ...edits, finalizers: finalizers.length === 0 ? undefined : finalizers }
    : edits;
  return Object.keys(all).length === 0 ? { kind: 'unchanged' } : { kind: 'hold', object, edits: all };
}

const wishOf = ({
  gracePeriodSeconds,
  propagationPolicy,
  orphanDependents,
}: DeletionOrder): DeletionWish => ({
  gracePeriodSeconds,
  propagationPolicy,
  orphanDependents,
});

/** Seconds of grace: a second delete can only shorten them. */
function graceOf(object: ApiObject, order: DeletionOrder, rules: KindRules): number {
  const wished = order.gracePeriodSeconds;
  const asked = rules.graceSeconds?.(object, wishOf(order)) ?? 0;
  const pending = object.metadata['deletionGracePeriodSeconds'];
  if (deletionTimestampOf(object) === undefined || typeof pending !== 'number') return asked;
  if (wished === undefined) return pending;
  return Math.min(asked, pending);
}

/** What becomes of metadata when the object is marked as terminating. Shape: empty when it says so already. */
function terminationEdits(
  object: ApiObject,
  graceSeconds: number,
  strategy: Strategy,
  nowMs: number,
): Record<string, JsonValue | undefined> {
  const { metadata } = object;
  const first = deletionTimestampOf(object) === undefined;
  const pending = metadata['deletionGracePeriodSeconds'];
  const grace = strategy.heldWithGrace ? graceSeconds : undefined;
  if (!first && (grace === undefined || pending === grace)) return {};
  const edits: Record<string, JsonValue | undefined> = {};
  const generation = strategy.growsWithDeletion && first ? nextGeneration(object) : undefined;
  if (generation !== undefined) edits['generation'] = generation;
  const due = formatTime(nowMs + graceSeconds * 1000);
  const known = stringMember(metadata, 'deletionTimestamp');
  edits['deletionTimestamp'] = known !== undefined && known < due ? known : due;
  if (grace !== undefined) edits['deletionGracePeriodSeconds'] = grace;
  return edits;
}

/** The object's finalizers with the garbage collector's two as the order, the object or the kind has them. */
export function finalizersAfter(
  current: readonly string[],
  order: DeletionOrder,
  strategy: Strategy,
): readonly string[] {
  const wished = policyOf(current, order, strategy);
  const kept = current.filter((one) => one !== ORPHAN_FINALIZER && one !== FOREGROUND_FINALIZER);
  const added =
    wished === 'Orphan' ? ORPHAN_FINALIZER : wished === 'Foreground' ? FOREGROUND_FINALIZER : undefined;
  if (added === undefined) return kept.length === current.length ? current : kept;
  // One that stands already keeps its place.
  return current.includes(added) && kept.length === current.length - 1 ? current : [...kept, added];
}

function policyOf(current: readonly string[], order: DeletionOrder, strategy: Strategy): PropagationPolicy {
  if (order.orphanDependents !== undefined) return order.orphanDependents ? 'Orphan' : 'Background';
  if (order.propagationPolicy !== undefined) return order.propagationPolicy;
  if (current.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (current.includes(FOREGROUND_FINALIZER)) return 'Foreground';
  return strategy.orphansByDefault ? 'Orphan' : 'Background';
}
