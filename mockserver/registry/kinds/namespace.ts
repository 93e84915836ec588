/** Namespaces: their finalizers, their phases, and the deletion that waits for both. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import {
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
  arrayMember,
  copyObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import {
  type ApiObject,
  EMPTY,
  deletionTimestampOf,
  editMetadata,
  finalizersOf,
  nameOf,
  uidOf,
  withMetadata,
} from '../../ground/object.js';
import { conflict, type StatusError } from '../../ground/status.js';
import { type DeletionWish, type KindRules } from '../kind-rules.js';
import { labelKeyProblems } from '../../ground/name-syntax.js';

const OF = { group: '', resource: 'namespaces' } as const;
const NAME_LABEL = 'kubernetes.io/metadata.name';
const OWN_FINALIZER = 'kubernetes';
/** The finalizers without a domain that built-in kinds know. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([OWN_FINALIZER, 'orphan', 'foregroundDeletion']);

/** Source: kubernetes registry/core/namespace/strategy.go and storage/storage.go. */
export const namespaceRules: KindRules = {
  ...OF,

  prepareForCreate(object) {
    const finalizers = specFinalizersOf(object);
    const complete = finalizers.includes(OWN_FINALIZER) ? finalizers : [...finalizers, OWN_FINALIZER];
    return withNameLabel({
      ...object,
      spec: { ...objectMember(object, 'spec'), finalizers: complete },
      status: { phase: 'Active' },
    });
  },

  prepareForUpdate(next, previous, { subresource }) {
    switch (subresource) {
      case 'finalize':
        return withNameLabel(withPart(next, previous, 'status'));
      case 'status':
        return withNameLabel(withPart(next, previous, 'spec'));
      default:
        return withNameLabel({
          ...withPart(next, previous, 'status'),
          spec: withFinalizers(objectMember(next, 'spec') ?? EMPTY, specFinalizersOf(previous)),
        });
    }
  },

  validateCreate: (object) =>
    specFinalizersOf(object).flatMap((one) => finalizerErrors(one, 'spec.finalizers')),

  validateUpdate(next, _previous, { subresource }) {
    if (subresource === 'finalize') {
      return specFinalizersOf(next).flatMap((one, i) => finalizerErrors(one, `spec.finalizers[${i}]`));
    }
    if (subresource === 'status') return phaseErrors(next);
    return specFinalizersOf(next).flatMap((one) => finalizerErrors(one, 'spec.finalizers'));
  },

  preconditionConflict(object, { uid, resourceVersion }) {
    const differs = (what: string, wanted: string | undefined, found: string): StatusError | undefined =>
      wanted === undefined || wanted === found
        ? undefined
        : conflict(
            OF,
            nameOf(object),
            `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
          );
    return (
      differs('UID', uid, uidOf(object)) ??
      differs('ResourceVersion', resourceVersion, stringMember(object.metadata, 'resourceVersion') ?? '')
    );
  },

  holdOnDelete(object, wish) {
    const held: ApiObject = {
      ...object,
      status: { ...objectMember(object, 'status'), phase: 'Terminating' },
    };
    const finalizers = withCollectorFinalizers(finalizersOf(object), wish);
    return withMetadata(
      held,
      editMetadata(object.metadata, { finalizers: finalizers.length === 0 ? undefined : finalizers }),
    );
  },

  mayBeRemoved: (object) => specFinalizersOf(object).length === 0,
};

/** spec.finalizers, which hold a namespace until its contents are gone. Shape: empty when there are none. */
export function specFinalizersOf(namespace: ApiObject): readonly string[] {
  const list: JsonArray = arrayMember(objectMember(namespace, 'spec'), 'finalizers') ?? [];
  return list.filter((one): one is string => typeof one === 'string');
}

function withNameLabel(object: ApiObject): ApiObject {
  const name = nameOf(object);
  const labels = objectMember(object.metadata, 'labels');
  if (stringMember(labels, NAME_LABEL) === name) return object;
  return withMetadata(object, { ...object.metadata, labels: { ...labels, [NAME_LABEL]: name } });
}

function withPart(next: ApiObject, previous: ApiObject, part: 'spec' | 'status'): ApiObject {
  const kept = member(previous, part);
  if (kept !== undefined) return { ...next, [part]: kept };
  const rest: MutableJsonObject & ApiObject = { ...next };
  Reflect.deleteProperty(rest, part);
  return rest;
}

function withFinalizers(spec: JsonObject, finalizers: readonly string[]): JsonObject {
  const edited = copyObject(spec);
  if (finalizers.length === 0) delete edited['finalizers'];
  else edited['finalizers'] = finalizers;
  return edited;
}

/**
 * The finalizers of the garbage collector as the options ask. Unlike elsewhere, `orphanDependents: false` is foreground
 * deletion here. Source: storage.go, shouldHaveOrphanFinalizer and shouldHaveDeleteDependentsFinalizer.
 */
function withCollectorFinalizers(finalizers: readonly string[], wish: DeletionWish): readonly string[] {
  const { orphanDependents, propagationPolicy } = wish;
  if (orphanDependents === undefined && propagationPolicy === undefined) return finalizers;
  const orphan = orphanDependents ?? propagationPolicy === 'Orphan';
  const foreground = orphanDependents === undefined ? propagationPolicy === 'Foreground' : !orphanDependents;
  const others = finalizers.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
  return [...others, ...(orphan ? ['orphan'] : []), ...(foreground ? ['foregroundDeletion'] : [])];
}

function finalizerErrors(name: string, field: string): FieldError[] {
  const errors = labelKeyProblems(name).map((problem) => invalid(field, name, problem));
  if (!name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
    errors.push(invalid(field, name, 'name is neither a standard finalizer name nor is it fully qualified'));
  }
  return errors;
}

function phaseErrors(next: ApiObject): readonly FieldError[] {
  const phase = stringMember(objectMember(next, 'status'), 'phase') ?? '';
  const terminating = deletionTimestampOf(next) !== undefined;
  if (phase === (terminating ? 'Terminating' : 'Active')) return [];
  return [
    invalid(
      'status.Phase',
      phase,
      terminating
        ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
        : "may only be 'Active' if `deletionTimestamp` is empty",
    ),
  ];
}
