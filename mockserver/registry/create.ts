/** The create verb. */
import { stringMember } from '../ground/json.js';
import { type FieldError, invalid } from '../ground/field-error.js';
import { deletionTimestampOf, type ApiObject, finalizersOf, namespaceOf } from '../ground/object.js';
import { nameSuffix } from '../ground/random.js';
import { NO_REVISION, parseResourceVersion } from '../ground/revision.js';
import {
  alreadyExists,
  badRequest,
  bareError,
  generateNameExhausted,
  invalidObject,
  StatusError,
} from '../ground/status.js';
import { StoredObject } from '../ground/stored-object.js';
import { addressOf } from '../store/key.js';
import { admissionValidated, admitted } from './admission.js';
import { allocated } from './allocation.js';
import { dedupOwners } from './owners.js';
import { type Call, contextOf, writeRequestOf } from './call.js';
import { createErrors, refusalErrors } from './kind-validation.js';
import { leavesMetadata, wantsDomains } from './kinds/metadata-checks.js';
import { atRevision, stamp } from './meta-stamp.js';
import { finalizerWarnings, validateMetadata } from './metadata-validation.js';
import {
  fromWorking,
  groupResourceOf,
  present,
  throughStorage,
  toWorking,
  workingCodec,
} from './resource.js';
import { withMember } from './shape.js';
import { shownErrors } from './shown-errors.js';
import { storable } from './size-limit.js';
import { storeStatus } from './store-status.js';

export interface WriteResult {
  /** In the version that was asked for. For a dry run of a create without resourceVersion. */
  readonly object: StoredObject;
  readonly created: boolean;
}

/**
 * What a write does to managedFields: the writer owns what it changed; the same, after all owners are forgotten; nothing,
 * the object has the right ones already.
 */
export type Owners = 'tracked' | 'reset' | 'settled';

/** How often a name made from generateName is tried. Source: KEP-4420. */
const NAME_ATTEMPTS = 8;
/** A generated name is at most 63 long, five of it made up. */
const LONGEST_PREFIX = 58;

/**
 * Creates an object.
 *
 * Errors: 400 for another namespace; 403 and 404 of admission; 409 AlreadyExists; 422 of validation; 500 when the body
 * names a resourceVersion.
 * Source: apiserver registry/generic/registry/store.go Create, registry/rest/create.go BeforeCreate.
 */
export function create(
  call: Call,
  sent: ApiObject,
  dryRun: boolean,
  { owners = 'tracked', byUpdate = false }: CreateManner = {},
): WriteResult {
  const { resource, cluster } = call;
  const { random } = cluster;
  const prefix = stringMember(sent.metadata, 'generateName') ?? '';
  const named = (stringMember(sent.metadata, 'name') ?? '') !== '';
  const uid = random.uuid();
  for (let attempt = 1; ; attempt++) {
    const name = named
      ? (stringMember(sent.metadata, 'name') ?? '')
      : prefix === ''
        ? ''
        : prefix.slice(0, LONGEST_PREFIX) + nameSuffix(random);
    try {
      return createNamed(call, { sent, name, uid, dryRun, owners, byUpdate });
    } catch (error) {
      const taken = error instanceof StatusError && error.status.reason === 'AlreadyExists';
      if (!taken || named) throw error;
      if (attempt === NAME_ATTEMPTS) throw generateNameExhausted(groupResourceOf(resource), name);
    }
  }
}

export interface CreateManner {
  /** @default tracked */
  readonly owners?: Owners;
  /** By an update or an apply of an object that is not there: a resourceVersion in it counts for nothing. @default false */
  readonly byUpdate?: boolean;
}

interface NewObject extends Required<CreateManner> {
  readonly sent: ApiObject;
  readonly name: string;
  readonly uid: string;
  readonly dryRun: boolean;
}

function createNamed(call: Call, { sent, name, uid, dryRun, owners, byUpdate }: NewObject): WriteResult {
  const { resource, cluster } = call;
  const { rules, strategy, prefix } = resource.store;
  const of = groupResourceOf(resource);
  const namespace = resource.namespaced ? call.namespace : '';
  checkNamespace(call, sent);

  const stamped = stamp(resource, sent, {
    name: name === '' ? undefined : name,
    namespace: namespace === '' ? undefined : namespace,
    uid,
    creationTimestamp: cluster.timeText(),
    selfLink: undefined,
    // Only a POST takes these from its object.
    ...(byUpdate ? {} : { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined }),
    ownerReferences: dedupOwners(call, sent),
    ...(strategy.countsGeneration ? { generation: 1 } : {}),
  });
  const tracked =
    owners === 'settled'
      ? stamped
      : cluster.ownership.tracked(call, {
          live: resource.codec.zero(),
          next: throughStorage(resource, stamped),
          creating: true,
          resets: owners === 'reset',
        });
  cluster.admitCreate(
    resource,
    call.namespace,
    name === '' ? (stringMember(sent.metadata, 'generateName') ?? '') : name,
  );
  const allowed = admitted(call, { object: toWorking(resource, tracked), previous: undefined, dryRun });
  const given = allocated(call, { object: allowed, previous: undefined, name, dryRun });
  const working = prepare(call, given);

  const errors =
    sent.kind === resource.kind
      ? errorsOf(call, working)
      : [invalid('kind', sent.kind, `must be ${resource.kind}`)];
  // The error names the kind that the object says it is of.
  if (errors.length > 0)
    throw invalidObject(
      { group: resource.store.groupResource.group, resource: sent.kind },
      name,
      shownErrors(call, errors),
    );
  admissionValidated(call, { object: working, previous: undefined, dryRun });

  const object = fromWorking(resource, working);
  for (const text of rules?.writeWarnings?.(working, undefined, writeRequestOf(call)) ?? []) call.warn(text);
  for (const text of resource.store.validation?.warnings?.(working, undefined) ?? []) call.warn(text);
  if (resource.custom) for (const text of finalizerWarnings(finalizersOf(object))) call.warn(text);
  // What is stored is what decoding it would show.
  const complete = resource.store.fill(object, call.cluster.clock.now());

  const address = addressOf(prefix, namespace, name);
  if (dryRun) {
    const there = cluster.store.get(address.key);
    if (there !== undefined) throw alreadyExists(of, name, deletionTimestampOf(there.object) !== undefined);
    const shown = new StoredObject(
      address.key,
      NO_REVISION,
      // As it was sent, a resourceVersion too.
      complete,
    );
    return { object: present(resource, shown), created: true };
  }
  if (!byUpdate) refuseVersion(sent);
  resource.webhook?.prepare(complete);
  const fitting = storable(call, complete, owners);
  try {
    const change = cluster.commit(() =>
      cluster.store.create(address, (revision) => atRevision(resource, fitting, revision)),
    );
    if (change.current === undefined) throw new Error(`create of ${address.key} stored nothing`);
    if (complete !== object) cluster.readWithMore.add(change.current.object);
    return { object: present(resource, change.current), created: true };
  } catch (error) {
    throw storeStatus(error, of, name);
  }
}

/** Errors of metadata first, or only where there are no others: the kind's own validation looks at it, or leaves it to what comes after. */
function errorsOf(call: Call, object: ApiObject): readonly FieldError[] {
  const { resource } = call;
  const { rules, validation, groupResource } = resource.store;
  // An object that is created through its status is a whole one.
  const request = { ...writeRequestOf(call), subresource: '' };
  const metadata = validateMetadata(
    resource,
    object,
    !resource.custom && wantsDomains(groupResourceOf(resource)),
  );
  const own = [
    ...(rules?.validateCreate?.(object, request, metadata) ?? []),
    ...createErrors(validation, object, request),
  ];
  if (rules?.placesMetadata === true) return own;
  if (own.length > 0 && leavesMetadata(groupResource)) return own;
  return [...refusalErrors(validation, object, contextOf(call)), ...metadata, ...own];
}

/** What the kind's strategy does to a new object. */
function prepare(call: Call, object: ApiObject): ApiObject {
  const { resource, cluster } = call;
  const { rules, strategy, drop } = resource.store;
  let next = drop?.(object, cluster.clock.now()) ?? object;
  if (strategy.statusResetOnCreate && next['status'] !== undefined) {
    next = workingCodec(resource).arrange(withMember(resource, next, 'status', undefined));
  }
  const prepared = rules?.prepareForCreate?.(next, contextOf(call));
  return prepared === undefined || prepared === next ? next : workingCodec(resource).arrange(prepared);
}

/** Errors: 400 when the body names another namespace than the path. */
export function checkNamespace(call: Call, object: ApiObject): void {
  const given = namespaceOf(object);
  if (call.resource.namespaced && given !== '' && given !== call.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Errors: 500 without a reason, as the storage of a real server answers. */
function refuseVersion(sent: ApiObject): void {
  const text = stringMember(sent.metadata, 'resourceVersion') ?? '';
  const parsed = text === '' ? undefined : parseResourceVersion(text);
  if (parsed?.ok === true && parsed.value > 0) {
    throw bareError(500, 'resourceVersion should not be set on objects to be created');
  }
}
