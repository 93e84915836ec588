/** Ownership after a create, an update, or a patch that is not applied. */
import { formatTime } from '../ground/clock.js';
import { type JsonArray, isJsonArray, isJsonObject, jsonEqual, member } from '../ground/json.js';
import { type ApiObject, withMetadata } from '../ground/object.js';
import { type FieldSet, difference, setOfPaths, union } from './field-set.js';
import {
  type ManagedFields,
  type Owner,
  type Owners,
  compareTimes,
  identifierOf,
  ownerId,
  ownerOf,
} from './managed-fields.js';
import { type ReconciledSets, broughtUp, settleOwners } from './owner-changes.js';
import { type OwnershipScope, ConversionError } from './ownership-scope.js';
import { fieldElement } from './path-element.js';
import { Misfit } from './changed-fields.js';

/** Nobody owns these. Source: apimachinery managedfields/internal/stripmeta.go. */
export const UNOWNED: FieldSet = setOfPaths(
  [
    'apiVersion',
    'kind',
    'metadata',
    'metadata.name',
    'metadata.namespace',
    'metadata.creationTimestamp',
    'metadata.selfLink',
    'metadata.uid',
    'metadata.clusterName',
    'metadata.generation',
    'metadata.managedFields',
    'metadata.resourceVersion',
  ].map((path) => path.split('.').map(fieldElement)),
);

/** How many entries of updates an object has before the oldest are put together. */
export const MOST_UPDATERS = 10;
const ANCIENT = 'ancient-changes';

/** What the writer calls themself, when they do not say. */
export const UNKNOWN_WRITER = 'unknown';

export interface TrackedUpdate {
  /** In the scope's version; of a create the empty object of the kind. */
  readonly live: ApiObject;
  /** In the scope's version, defaults and all. */
  readonly next: ApiObject;
  /** Those to go on from. */
  readonly owners: Owners;
  /** `fieldManager`, or what the User-Agent says. */
  readonly writer: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Who owns what after an update: the writer owns all that it wrote, besides what was theirs; nobody else does, and nobody
 * owns what it removed. The writer's time moves only when the update wrote something.
 *
 * Shape: the very owners when nothing changed hands.
 * Errors: Misfit when the object does not fit its schema; ConversionError.
 * Source: apimachinery managedfields/internal (fieldmanager.go, managedfieldsupdater.go, stripmeta.go, structuredmerge.go).
 */
export function ownersAfterUpdate(
  scope: OwnershipScope,
  { live, next, owners, writer, now }: TrackedUpdate,
  memo: ReconciledSets,
): Owners {
  const upToDate = broughtUp(scope, live, owners, memo);
  const { owners: others, changed } = settleOwners(scope, live, next, upToDate);
  const written = difference(union(changed.modified, changed.added), UNOWNED);
  if (written.empty) return others;
  const name = writer === '' ? UNKNOWN_WRITER : writer;
  const id = ownerId(name, 'Update', scope.apiVersion, scope.subresource);
  const before = others.get(id);
  const after: Owner = ownerOf({
    name,
    operation: 'Update',
    apiVersion: scope.apiVersion,
    subresource: scope.subresource,
    time: formatTime(now),
    set: before === undefined ? written : union(written, before.set),
  });
  return withFewUpdaters(new Map(others).set(id, after));
}

/**
 * Puts the oldest entries of updates together, one per version, until there are no more than allowed.
 * Source: apimachinery managedfields/internal/capmanagers.go.
 */
export function withFewUpdaters(owners: Owners): Owners {
  let count = 0;
  for (const owner of owners.values()) if (owner.operation === 'Update') count++;
  if (count <= MOST_UPDATERS) return owners;
  const next = new Map(owners);
  const firstOf = new Map<string, string>();
  const byAge = [...owners.values()]
    .filter((owner) => owner.operation === 'Update')
    .sort((a, b) => compareTimes(a, b) || (identifierOf(a) < identifierOf(b) ? -1 : 1));
  for (const { id, apiVersion } of byAge) {
    if (count <= MOST_UPDATERS) break;
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, id);
      continue;
    }
    // One that has been put into another already: its entry is what the others went into.
    const owner = next.get(id);
    if (owner === undefined) continue;
    const ancient = ownerId(ANCIENT, 'Update', apiVersion, '');
    let bucket = next.get(ancient);
    if (bucket === undefined) {
      bucket = next.get(first);
      next.delete(first);
    }
    next.delete(id);
    next.set(
      ancient,
      ownerOf({
        name: ANCIENT,
        operation: 'Update',
        apiVersion,
        subresource: '',
        // The newest of what is in it.
        time: owner.time,
        set: bucket === undefined ? owner.set : union(owner.set, bucket.set),
      }),
    );
    count--;
  }
  return next;
}

export interface UpdateToTrack {
  /** Of a create the empty object of the kind. Its managedFields are those to go on from. */
  readonly live: ApiObject;
  readonly next: ApiObject;
  readonly creating: boolean;
  /** Whether the body asks to forget all owners (`resetsOwners`). */
  readonly resets: boolean;
  readonly writer: string;
  readonly now: number;
}

/**
 * The managedFields of an object that is created or updated.
 *
 * Shape: undefined for none; the list of the live object when nothing changed hands.
 * Source: apimachinery managedfields/internal/fieldmanager.go Update, skipnonapplied.go.
 */
export function managedFieldsAfterUpdate(
  fields: ManagedFields,
  scope: OwnershipScope,
  update: UpdateToTrack,
  memo: ReconciledSets,
): JsonArray | undefined {
  const { live, next, creating, resets, writer, now } = update;
  const before = startingOwners(fields, scope, live, next, resets);
  // An object that nobody tracks stays so, until somebody applies it.
  if (before.size === 0 && !creating) return undefined;
  const fitting = withFittingOwners(next);
  const after = unlessItFails(() =>
    ownersAfterUpdate(scope, { live, next: fitting, owners: before, writer, now }, memo),
  );
  if (after === undefined) return undefined;
  const list = live.metadata['managedFields'];
  return isJsonArray(list) && fields.says(list, after) ? list : fields.write(after, scope.order);
}

/** Without the list of owners where an entry would not fit the schema: nobody owns that list, and it is not looked at. */
function withFittingOwners(object: ApiObject): ApiObject {
  const list = object.metadata['managedFields'];
  const fits =
    !isJsonArray(list) ||
    list.every((entry) => isJsonObject(entry) && isJsonObject(member(entry, 'fieldsV1') ?? {}));
  return fits ? object : withMetadata(object, { ...object.metadata, managedFields: [] });
}

/** Undefined where a real server fails to say who owns what: it goes on without. */
function unlessItFails(owners: () => Owners): Owners | undefined {
  try {
    return owners();
  } catch (error) {
    if (error instanceof ConversionError || error instanceof Misfit) return undefined;
    throw error;
  }
}

/** Those that the body names, if it names valid ones, on the main resource; else those of the live object. */
function startingOwners(
  fields: ManagedFields,
  scope: OwnershipScope,
  live: ApiObject,
  next: ApiObject,
  resets: boolean,
): Owners {
  const stored = live.metadata['managedFields'];
  if (scope.subresource === '') {
    if (resets) return new Map();
    const sent = next.metadata['managedFields'];
    // Most clients send back what they have read.
    if (sent !== undefined && sent !== stored && !jsonEqual(sent, stored)) {
      const given = fields.read(sent);
      if (given.ok && given.owners.size > 0) return given.owners;
    }
  }
  const reading = fields.read(stored);
  return reading.ok ? reading.owners : new Map();
}
