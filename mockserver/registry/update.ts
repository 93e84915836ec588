/** The update verb, which patches end in too. */
import { isJsonObject, jsonEqual, stringMember, type JsonValue } from '../ground/json.js';
import { invalid, type FieldError } from '../ground/field-error.js';
import {
  type ApiObject,
  deletionTimestampOf,
  finalizersOf,
  labelsOf,
  nameOf,
  revisionOf,
  uidOf,
  generationOf,
} from '../ground/object.js';
import { parseResourceVersion } from '../ground/revision.js';
import {
  badRequest,
  bareError,
  conflict,
  invalidObject,
  MODIFIED_SINCE,
  notFound,
  type StatusError,
} from '../ground/status.js';
import { StoredObject } from '../ground/stored-object.js';
import { withOldTimes } from '../patch/ownership.js';
import { addressOf } from '../store/key.js';
import { type Call, contextOf, subresourceOf, writeRequestOf } from './call.js';
import { checkNamespace, create, type Owners, type WriteResult } from './create.js';
import { admissionValidated, admitted } from './admission.js';
import { allocated } from './allocation.js';
import { atRevision, contentOf, stamp } from './meta-stamp.js';
import { updateErrors } from './kind-validation.js';
import { CUSTOM_CHECKS, updateChecks } from './kinds/metadata-checks.js';
import {
  commonMetadataErrors,
  domainErrors,
  finalizerWarnings,
  validateMetadata,
  validateMetadataUpdate,
} from './metadata-validation.js';
import { dedupOwners } from './owners.js';
import {
  fromWorking,
  groupResourceOf,
  inVersion,
  present,
  throughStorage,
  toWorking,
  workingCodec,
  workingFormOf,
} from './resource.js';
import { withMember } from './shape.js';
import { shownErrors } from './shown-errors.js';
import { storable } from './size-limit.js';
import { storeStatus } from './store-status.js';

/** An object that a client wants stored, and what that does to managedFields. */
export interface Wanted {
  readonly object: ApiObject;
  readonly owners: Owners;
}

export interface UpdateRequest {
  /** What the client wants, made from the current object (as this version shows it) in the turn of the commit. */
  readonly next: (current: ApiObject) => Wanted;
  /** Of a PUT: what an absent object may be created from. */
  readonly sent?: Wanted;
  readonly dryRun: boolean;
  /** Of a PUT through a view, whose `sent` is no object of the resource: the uid that the object must have. */
  readonly uid?: string;
}

/**
 * Replaces an object, or one part of it through a subresource.
 *
 * Shape: the stored object; the same one, unchanged, when nothing would change; as sent, under its old version, when
 * the update took the last finalizer of a terminating object and so removed it.
 * Errors: 404; 409 for another uid or a version that is not the current one; 422 of validation and where a version must
 * be named; 500 for an unreadable version.
 * Source: apiserver registry/generic/registry/store.go Update, registry/rest/update.go BeforeUpdate.
 */
export function update(call: Call, request: UpdateRequest): WriteResult {
  const { resource, cluster } = call;
  const { prefix, rules, strategy } = resource.store;
  const of = groupResourceOf(resource);
  if (request.sent !== undefined) {
    checkPlace(call, request.sent.object);
  }
  const address = addressOf(prefix, resource.namespaced ? call.namespace : '', call.name);
  const stored = cluster.store.get(address.key);
  if (stored === undefined) {
    if (request.sent === undefined || !MAIN_OR_STATUS.has(call.subresource) || !strategy.createOnUpdate)
      throw notFound(of, call.name);
    // Who names a uid means an object that is there; there is none.
    checkUid(call, uidOf(request.sent.object), '', address.key);
    return create(call, request.sent.object, request.dryRun, { owners: request.sent.owners, byUpdate: true });
  }
  const current = workingFormOf(resource, stored);
  if (request.uid !== undefined)
    checkUid(call, request.uid, uidOf(current), keyOf(address.key, request.dryRun));
  const live = inVersion(resource, stored).object;
  const { object: next, owners } = request.next(live);
  checkPlace(call, next);
  if (request.sent !== undefined)
    checkUid(call, uidOf(next), uidOf(current), keyOf(address.key, request.dryRun));
  checkVersion(call, next, current);
  // In the version of the request, and as it was sent: what the server keeps, gives or changes nobody owns for it.
  const owned =
    owners === 'settled'
      ? next
      : cluster.ownership.tracked(call, {
          live,
          next: throughStorage(resource, next),
          creating: false,
          resets: owners === 'reset',
        });
  const submitted = toWorking(resource, owned);
  const { dryRun } = request;
  const wanted = admitted(call, { object: submitted, previous: current, dryRun });

  const isolated = isolate(call, restore(call, wanted, current), current);
  const { name } = call;
  const wish = { object: isolated, previous: current, name, dryRun: request.dryRun };
  const given = allocated(call, wish);
  const prepared = settled(call, prepare(call, given, current), wanted, current);
  const errors = validate(call, prepared, current);
  if (errors.length > 0)
    throw invalidObject(
      { group: resource.store.groupResource.group, resource: wanted.kind },
      call.name,
      shownErrors(call, errors),
    );
  admissionValidated(call, { object: prepared, previous: current, dryRun });
  for (const text of rules?.writeWarnings?.(prepared, current, writeRequestOf(call)) ?? []) call.warn(text);
  if (call.subresource === '')
    for (const text of resource.store.validation?.warnings?.(prepared, current) ?? []) call.warn(text);
  if (resource.custom)
    for (const text of finalizerWarnings(addedFinalizers(prepared, current))) call.warn(text);

  // What is stored is what decoding it would show.
  const complete = resource.store.fill(prepared, call.cluster.clock.now());
  const gone = isRemovedBy(complete, current) && (rules?.mayBeRemoved?.(complete) ?? true);
  const object = withOldTimes(fromWorking(resource, complete), stored.object);
  const shown = new StoredObject(address.key, stored.revision, object);
  if (request.dryRun) return { object: present(resource, shown), created: false };
  try {
    if (gone) {
      cluster.commit(() => cluster.store.delete(address, stored.revision));
      return { object: present(resource, shown), created: false };
    }
    if (jsonEqual(object, stored.object) && !cluster.readWithMore.has(stored.object))
      return { object: present(resource, stored), created: false };
    resource.webhook?.prepare(object);
    const fitting = storable(call, object, owners);
    const change = cluster.commit(() =>
      cluster.store.update(address, stored.revision, (revision) => atRevision(resource, fitting, revision)),
    );
    if (change.current === undefined) throw new Error(`update of ${address.key} stored nothing`);
    return { object: present(resource, change.current), created: false };
  } catch (error) {
    throw storeStatus(error, of, call.name);
  }
}

/** What a PUT may create an object through, where the kind allows that. */
const MAIN_OR_STATUS: ReadonlySet<string> = new Set(['', 'status']);

/** 400 for an object that says no name. */
export const nameless = ({ name }: Call): StatusError =>
  badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);

/** Errors: 400 when the body names another namespace than the path, no object, or another one than the path. */
export function checkPlace(call: Call, object: ApiObject): void {
  checkNamespace(call, object);
  const name = nameOf(object);
  if (name === '') {
    throw nameless(call);
  }
  if (name !== call.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  }
}

/** The key as errors show it: a dry run never reaches the storage that puts the prefix before it. */
const keyOf = (key: string, dryRun: boolean): string => (dryRun ? key.replace(/^\/registry/, '') : key);

function checkUid(call: Call, uid: string, current: string, key: string): void {
  if (uid === '' || uid === current) return;
  throw conflict(
    groupResourceOf(call.resource),
    call.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current}`,
  );
}

function checkVersion(call: Call, wanted: ApiObject, current: ApiObject): void {
  const { resource } = call;
  const text = stringMember(wanted.metadata, 'resourceVersion') ?? '';
  const parsed = parseResourceVersion(text === '' ? '0' : text);
  if (!parsed.ok) throw bareError(500, parsed.why);
  if (parsed.value === 0) {
    if (resource.store.strategy.unconditionalUpdate) return;
    throw invalidObject(groupResourceOf(resource), call.name, [
      invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (parsed.value !== revisionOf(current))
    throw conflict(groupResourceOf(resource), call.name, MODIFIED_SINCE);
}

/** What a client cannot change is as it was. */
function restore(call: Call, wanted: ApiObject, current: ApiObject): ApiObject {
  const { resource } = call;
  const before = current.metadata;
  const held = deletionTimestampOf(current) !== undefined;
  return stamp(resource, wanted, {
    namespace: before['namespace'],
    selfLink: undefined,
    uid: uidOf(wanted) === '' ? before['uid'] : wanted.metadata['uid'],
    resourceVersion: before['resourceVersion'],
    generation: before['generation'],
    creationTimestamp: before['creationTimestamp'],
    ...(held ? { deletionTimestamp: before['deletionTimestamp'] } : {}),
    ...(wanted.metadata['deletionGracePeriodSeconds'] === undefined
      ? { deletionGracePeriodSeconds: before['deletionGracePeriodSeconds'] }
      : {}),
    ownerReferences: dedupOwners(call, wanted),
  });
}

/** Keeps apart what the main resource and its status write. */
function isolate(call: Call, next: ApiObject, current: ApiObject): ApiObject {
  const { resource, subresource } = call;
  const { strategy } = resource.store;
  if (subresource === '') {
    return strategy.statusApart ? withMember(resource, next, 'status', current['status']) : next;
  }
  // A view has put what it writes into the object as it is.
  if (subresourceOf(call)?.rules?.view !== undefined) return next;
  // A subresource whose kind has rules of its own (finalize, resize) is isolated by them; the others write status.
  if (subresource !== 'status' && resource.store.rules?.prepareForUpdate !== undefined) return next;
  const kept: Record<string, JsonValue | undefined> = {};
  for (const part of strategy.keptByStatusUpdate) kept[part] = current.metadata[part];
  const metadata = stamp(resource, next, kept).metadata;
  return withMember(resource, { ...current, metadata }, 'status', next['status']);
}

function prepare(call: Call, wanted: ApiObject, current: ApiObject): ApiObject {
  const { resource, cluster } = call;
  const { rules, drop } = resource.store;
  const next = drop?.(wanted, cluster.clock.now()) ?? wanted;
  const prepared = rules?.prepareForUpdate?.(next, current, writeRequestOf(call), contextOf(call));
  return prepared === undefined || prepared === next ? next : workingCodec(resource).arrange(prepared);
}

/** The prepared object with the generation and the managedFields that it is to have, whatever its kind did to them. */
function settled(call: Call, prepared: ApiObject, wanted: ApiObject, current: ApiObject): ApiObject {
  const next = settleGeneration(call, prepared, current);
  const managedFields = wanted.metadata['managedFields'];
  return next.metadata['managedFields'] === managedFields
    ? next
    : stamp(call.resource, next, { managedFields });
}

/**
 * metadata.generation counts changes of content, and of labels or annotations for the kinds that say so; none that came
 * through the status.
 */
function settleGeneration(call: Call, next: ApiObject, current: ApiObject): ApiObject {
  const { resource, subresource } = call;
  const { strategy } = resource.store;
  if (subresource === 'status') return next;
  const grows =
    (strategy.growsWithSpec &&
      !jsonEqual(contentOf(next, strategy.statusCounts), contentOf(current, strategy.statusCounts))) ||
    (strategy.growsWithLabels && !jsonEqual(labelsOf(next), labelsOf(current))) ||
    (strategy.growsWithAnnotations && !jsonEqual(annotationsOf(next), annotationsOf(current)));
  return grows ? stamp(resource, next, { generation: generationOf(current) + 1 }) : next;
}

const annotationsOf = (object: ApiObject): JsonValue => {
  const annotations = object.metadata['annotations'];
  return isJsonObject(annotations) ? annotations : {};
};

function validate(call: Call, next: ApiObject, current: ApiObject): readonly FieldError[] {
  const { resource } = call;
  if (next.kind !== resource.kind) return [invalid('kind', next.kind, `must be ${resource.kind}`)];
  const update = validateMetadataUpdate(next, current);
  const request = writeRequestOf(call);
  const { groupResource, rules, validation } = resource.store;
  const own = resource.custom ? CUSTOM_CHECKS : updateChecks(groupResource, call.subresource);
  const ofKind = own.flatMap((check): readonly FieldError[] => {
    switch (check) {
      case 'update':
        return update;
      case 'update-domains':
        return [...update, ...domainErrors(finalizersOf(next))];
      case 'whole':
      case 'whole-domains':
        return validateMetadata(resource, next, check === 'whole-domains');
      case 'own':
        return [
          ...(rules?.validateUpdate?.(next, current, request, update) ?? []),
          ...updateErrors(validation, next, current, request),
        ];
    }
  });
  return [...commonMetadataErrors(resource, next), ...update, ...ofKind];
}

function addedFinalizers(next: ApiObject, current: ApiObject): readonly string[] {
  const before = new Set(finalizersOf(current));
  return finalizersOf(next).filter((one) => !before.has(one));
}

/** Whether a terminating object has lost what held it. Source: store.go, ShouldDeleteDuringUpdate. */
function isRemovedBy(next: ApiObject, current: ApiObject): boolean {
  const grace = next.metadata['deletionGracePeriodSeconds'];
  return (
    deletionTimestampOf(current) !== undefined &&
    finalizersOf(next).length === 0 &&
    (grace === undefined || grace === 0)
  );
}
