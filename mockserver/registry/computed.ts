/** Objects that are made when they are read, and never stored. */
import { type ApiObject, nameOf } from '../ground/object.js';
import { NO_REVISION } from '../ground/revision.js';
import { notFound } from '../ground/status.js';
import { StoredObject } from '../ground/stored-object.js';
import { type Call } from './call.js';
import { type ComputedObjects } from './kind-rules.js';

/** Undefined for resources that are stored. */
export const computedOf = ({ resource }: Call): ComputedObjects | undefined => resource.store.rules?.computed;

/** Errors: 404. */
export function getComputed(call: Call, computed: ComputedObjects): StoredObject {
  const found = computed.objects().find((one) => nameOf(one) === call.name);
  if (found === undefined)
    throw notFound({ group: call.resource.group, resource: computed.notFoundResource }, call.name);
  return made(call, found);
}

/** Those that the selectors let through, in the order in which they are made. */
export function listComputed(
  call: Call,
  computed: ComputedObjects,
  matches: ((object: ApiObject) => boolean) | undefined,
): readonly StoredObject[] {
  return computed
    .objects()
    .filter((one) => matches?.(one) ?? true)
    .map((one) => made(call, one));
}

const made = ({ resource }: Call, object: ApiObject): StoredObject =>
  new StoredObject('', NO_REVISION, resource.codec.arrange(object));
