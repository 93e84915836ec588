/** Server-side apply: merging what is applied, removing what is given up, and who owns what afterwards. */
import { formatTime } from '../ground/clock.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../ground/json.js';
import { type GroupVersion, parseApiVersion } from '../ground/kind.js';
import { type ApiObject, editMetadata } from '../ground/object.js';
import { badRequest, bareError } from '../ground/status.js';
import { type Conflict, applyConflict, conflictsBeyond } from './apply-conflict.js';
import { Misfit, sameValue } from './changed-fields.js';
import { difference } from './field-set.js';
import { withoutGivenUp } from './given-up-fields.js';
import { fieldsOfLastApplied, withLastApplied, LAST_APPLIED_WRITER } from './last-applied.js';
import { type ManagedFields, type Owners, BEFORE_FIRST_APPLY, ownerId, ownerOf } from './managed-fields.js';
import { mergeApplied } from './merge-applied.js';
import { ownedFields } from './owned-fields.js';
import { type ReconciledSets, broughtUp, settleOwners } from './owner-changes.js';
import { UNOWNED, UNKNOWN_WRITER, ownersAfterUpdate } from './ownership-update.js';
import { type OwnershipScope } from './ownership-scope.js';
import { showTypedErrors, typedErrors } from './typed-errors.js';

export interface ApplyRequest {
  /** In the scope's version; where none is stored the empty object of the kind. */
  readonly live: ApiObject;
  /** The body as it was read. */
  readonly applied: JsonObject;
  /** `fieldManager`; an apply must name one. */
  readonly writer: string;
  readonly force: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What a new object of the kind looks like: what was not tracked before is owned against it. */
  readonly empty: ApiObject;
}

export interface ApplyResult {
  /**
   * The merged object, still to be decoded and defaulted: numbers are as applied, members stand in any order, nulls are in
   * it where all of a container is gone. `live` itself when the apply changed nothing of it. Without managedFields.
   */
  readonly object: ApiObject;
  readonly managedFields: JsonArray | undefined;
}

/**
 * Applies a partial object.
 *
 * Errors: 400 for another kind or version, and for managedFields in the body; 500 without a reason when the body does not
 * fit the schema; 409 with what others own and the apply would change, unless it is forced.
 * Source: KEP-555; apimachinery managedfields/internal, structured-merge-diff merge/update.go Apply.
 */
export function applyObject(
  fields: ManagedFields,
  scope: OwnershipScope,
  request: ApplyRequest,
  memo: ReconciledSets,
): ApplyResult {
  const { live, applied, writer, force, now } = request;
  checkKind(scope, applied);
  const reading = fields.read(live.metadata['managedFields']);
  if (!reading.ok) throw bareError(500, `failed to decode managed fields: ${reading.error}`);
  let { owners } = reading;
  if (owners.size === 0) {
    if (scope.refusesApplied !== undefined) {
      throw bareError(
        500,
        `failed to create manager for existing fields: failed to convert live object (/; ${showType(request.empty)}) to proper version: ${scope.refusesApplied}`,
      );
    }
    const update = { live: request.empty, next: live, owners, writer: BEFORE_FIRST_APPLY, now };
    owners = unlessLiveIsUnfit(
      scope,
      live,
      `failed to create manager for existing fields: failed to convert new object (${showObject(live)}) to smd typed`,
      () => ownersAfterUpdate(scope, update, memo),
    );
  }
  checkBody(applied);
  const errors = typedErrors(scope.schema, applied, 'once');
  if (errors.length > 0)
    throw bareError(
      500,
      `failed to create typed patch object (${showObject(applied)}): ${showTypedErrors(errors)}`,
    );

  const attempt = (forced: boolean): Outcome =>
    unlessLiveIsUnfit(scope, live, `failed to create typed live object (${showObject(live)})`, () =>
      tryApply(scope, request, broughtUp(scope, live, owners, memo), forced),
    );
  let outcome = attempt(force);
  if (!outcome.ok && writer === LAST_APPLIED_WRITER) {
    const allowed = fieldsOfLastApplied(scope, live);
    if (allowed !== undefined) {
      const left = conflictsBeyond(outcome.conflicts, allowed);
      if (left.length > 0) throw applyConflict(left);
      outcome = attempt(true);
    }
  }
  if (!outcome.ok) throw applyConflict(outcome.conflicts);
  if (scope.refusesApplied !== undefined && outcome.object !== live) {
    throw bareError(
      500,
      `failed to convert new object (${showObject(applied)}) to proper version: ${scope.refusesApplied}`,
    );
  }
  const object = writer === LAST_APPLIED_WRITER ? withLastApplied(outcome.object, applied) : outcome.object;
  return {
    object: withoutManagedFields(object),
    managedFields: fields.write(outcome.owners, scope.order),
  };
}

/** What `work` answers. Errors: 500 with what is wrong with the live object, where that is why it fails. */
function unlessLiveIsUnfit<T>(scope: OwnershipScope, live: ApiObject, failed: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw bareError(500, `${failed}: ${showTypedErrors(typedErrors(scope.schema, live, 'repeated'))}`);
  }
}

type Outcome =
  | { readonly ok: true; readonly object: ApiObject; readonly owners: Owners }
  | { readonly ok: false; readonly conflicts: readonly Conflict[] };

function tryApply(scope: OwnershipScope, request: ApplyRequest, owners: Owners, force: boolean): Outcome {
  const { live, applied, now } = request;
  const name = request.writer === '' ? UNKNOWN_WRITER : request.writer;
  const id = ownerId(name, 'Apply', scope.apiVersion, scope.subresource);
  const last = owners.get(id);
  const filter = scope.filterOf(scope.apiVersion);
  const whole = ownedFields(scope.schema, applied);
  const mine = ownerOf({
    name,
    operation: 'Apply',
    apiVersion: scope.apiVersion,
    subresource: scope.subresource,
    time: last?.time,
    set: filter === undefined ? whole : filter(whole),
  });
  const all: Owners = new Map(owners).set(id, mine);
  const merged = asObject(mergeApplied(scope.schema, live, applied), live);
  const keepsAll = last?.apiVersion === mine.apiVersion && difference(last.set, mine.set).empty;
  const next = keepsAll ? merged : withoutGivenUp(scope, merged, all, last);
  const settled = settleOwners(scope, live, next, all, id);
  if (!force && settled.conflicts.size > 0) {
    const conflicts = [...settled.conflicts].flatMap(([other, taken]): Conflict[] => {
      const owner = all.get(other);
      return owner === undefined ? [] : [{ owner, fields: taken }];
    });
    return { ok: false, conflicts };
  }
  const changed = !sameValue(live, next);
  const after = new Map(settled.owners);
  const own = after.get(id);
  if (own !== undefined) {
    const set = difference(own.set, UNOWNED);
    if (set.empty) after.delete(id);
    else after.set(id, { ...own, set, time: changed ? formatTime(now) : own.time });
  }
  return { ok: true, object: changed ? next : live, owners: after };
}

function asObject(value: JsonValue | undefined, live: ApiObject): ApiObject {
  if (!isJsonObject(value)) return live;
  const metadata = objectMember(value, 'metadata');
  return { ...value, kind: live.kind, apiVersion: live.apiVersion, metadata: metadata ?? {} };
}

function withoutManagedFields(object: ApiObject): ApiObject {
  if (!Object.hasOwn(object.metadata, 'managedFields')) return object;
  return { ...object, metadata: editMetadata(object.metadata, { managedFields: undefined }) };
}

/** Errors: 400 for an object of another kind or version. */
function checkKind(scope: OwnershipScope, applied: JsonObject): void {
  const kind = stringMember(applied, 'kind') ?? '';
  const apiVersion = stringMember(applied, 'apiVersion') ?? '';
  if (kind !== scope.kind || apiVersion !== scope.apiVersion)
    throw badRequest(`invalid object type: ${showType(applied)}`);
}

/** Errors: 400 for managedFields, even empty ones. */
function checkBody(applied: JsonObject): void {
  if (isJsonArray(member(objectMember(applied, 'metadata'), 'managedFields')))
    throw badRequest('metadata.managedFields must be nil');
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
function showType(applied: JsonObject): string {
  const none: GroupVersion = { group: '', version: '' };
  const { group, version } = parseApiVersion(stringMember(applied, 'apiVersion') ?? '') ?? none;
  return `${group}/${version}, Kind=${stringMember(applied, 'kind') ?? ''}`;
}

function showObject(applied: JsonObject): string {
  const metadata = objectMember(applied, 'metadata');
  const text = (name: string): string => stringMember(metadata, name) ?? '';
  return `${text('namespace')}/${text('name')}; ${showType(applied)}`;
}
