/** What the status of a terminating namespace says about its contents. */
import {
  arrayMember,
  compareUtf8,
  isJsonObject,
  objectMember,
  stringMember,
  type JsonArray,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';

/** What is left of one resource after everything in it has been asked to go. */
export interface Remains {
  /** `configmaps.`, `things.ns.example`. */
  readonly resource: string;
  readonly count: number;
  /** How many of them each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

export interface DeletionReport {
  readonly remains: readonly Remains[];
  /** Texts of what went wrong. */
  readonly errors: readonly string[];
}

interface Finding {
  readonly reason: string;
  readonly message: string;
}

interface ConditionKind {
  readonly type: string;
  readonly fine: Finding;
  /** Undefined when all is well. */
  readonly trouble: (report: DeletionReport) => Finding | undefined;
}

const nothing = (): undefined => undefined;

/** Source: kubernetes pkg/controller/namespace/deletion/status_condition_utils.go. */
const CONDITIONS: readonly ConditionKind[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    trouble: nothing,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    trouble: nothing,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    trouble: ({ errors }) =>
      errors.length === 0
        ? undefined
        : {
            reason: 'ContentDeletionFailed',
            message: `Failed to delete all resource types, ${errors.length} remaining: ${sorted(errors)}`,
          },
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    trouble: ({ remains }) =>
      remains.length === 0
        ? undefined
        : {
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${sorted(
              remains.map(({ resource, count }) => `${resource} has ${count} resource instances`),
            )}`,
          },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    trouble({ remains }) {
      const counts = new Map<string, number>();
      for (const { finalizers } of remains)
        for (const [finalizer, count] of finalizers)
          counts.set(finalizer, (counts.get(finalizer) ?? 0) + count);
      if (counts.size === 0) return undefined;
      const texts = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
      return {
        reason: 'SomeFinalizersRemain',
        message: `Some content in the namespace has finalizers remaining: ${sorted(texts)}`,
      };
    },
  },
];

const sorted = (texts: readonly string[]): string => [...texts].sort(compareUtf8).join(', ');

/**
 * The namespace with its conditions brought up to a report; undefined when they say that already. lastTransitionTime
 * moves with the status alone.
 */
export function reported(namespace: ApiObject, report: DeletionReport, now: string): ApiObject | undefined {
  const status = objectMember(namespace, 'status');
  const conditions: JsonArray[number][] = [...(arrayMember(status, 'conditions') ?? [])];
  let changed = false;
  for (const { type, fine, trouble } of CONDITIONS) {
    const found = trouble(report);
    const next: JsonObject = {
      type,
      status: found === undefined ? 'False' : 'True',
      ...(found ?? fine),
    };
    const at = conditions.findIndex((one) => isJsonObject(one) && stringMember(one, 'type') === type);
    const before = conditions[at];
    if (!isJsonObject(before)) {
      conditions.push({ ...next, lastTransitionTime: now });
    } else if (['status', 'reason', 'message'].some((name) => before[name] !== next[name])) {
      const moved = before['status'] !== next['status'];
      conditions[at] = { ...before, ...next, ...(moved ? { lastTransitionTime: now } : {}) };
    } else continue;
    changed = true;
  }
  return changed ? { ...namespace, status: { ...status, conditions } } : undefined;
}
