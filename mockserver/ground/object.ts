/** API objects: JSON objects with apiVersion, kind and metadata. */
import { type JsonObject, type MutableJsonObject, member, objectMember, stringMember } from './json.js';
import { type Revision, parseResourceVersion, NO_REVISION } from './revision.js';

/** An object that the registry has decoded: kind and apiVersion are texts, metadata is an object. */
export interface ApiObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
}

export const EMPTY: JsonObject = Object.freeze({});

export const nameOf = (object: ApiObject): string => stringMember(object.metadata, 'name') ?? '';
export const namespaceOf = (object: ApiObject): string => stringMember(object.metadata, 'namespace') ?? '';
export const uidOf = (object: ApiObject): string => stringMember(object.metadata, 'uid') ?? '';
export const labelsOf = (object: ApiObject): JsonObject => objectMember(object.metadata, 'labels') ?? EMPTY;

/** The text value of one label; undefined when the object does not have it. */
export function labelOf(object: ApiObject, key: string): string | undefined {
  return stringMember(objectMember(object.metadata, 'labels'), key);
}

export const finalizersOf = (object: ApiObject): readonly string[] => {
  const list = member(object.metadata, 'finalizers');
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
};

export const deletionTimestampOf = (object: ApiObject): string | undefined =>
  stringMember(object.metadata, 'deletionTimestamp');

export const generationOf = (object: ApiObject): number => {
  const value = member(object.metadata, 'generation');
  return typeof value === 'number' ? value : 0;
};

/** The revision in metadata.resourceVersion; 0 when it is absent or unreadable. */
export function revisionOf(object: ApiObject): Revision {
  const text = stringMember(object.metadata, 'resourceVersion');
  if (text === undefined || text === '') return NO_REVISION;
  const parsed = parseResourceVersion(text);
  return parsed.ok ? parsed.value : NO_REVISION;
}

/** The object with other metadata; members keep their places. */
export function withMetadata(object: ApiObject, metadata: JsonObject): ApiObject {
  return { ...object, metadata };
}

/**
 * Metadata with some members set (or, when undefined, removed); the rest as it is.
 *
 * Shape: a new object. Where members stand is not said: a codec puts them into the order of the wire.
 */
export function editMetadata(
  metadata: JsonObject,
  edits: Readonly<Record<string, JsonObject[string] | undefined>>,
): MutableJsonObject {
  const next: MutableJsonObject = { ...metadata };
  for (const [name, value] of Object.entries(edits)) {
    if (value === undefined) Reflect.deleteProperty(next, name);
    else next[name] = value;
  }
  return next;
}
