/** The members of metadata that a server sets itself. */
import { type JsonObject, type JsonValue, type MutableJsonObject, setMember } from '../ground/json.js';
import { arrangeMetadata } from '../ground/object-meta.js';
import { type ApiObject, generationOf, withMetadata } from '../ground/object.js';
import { type Revision, toResourceVersion } from '../ground/revision.js';
import { memberOrderOf, type Resource } from './resource.js';

/** An object with members of its metadata set or (undefined) removed, in wire order. */
export function stamp(
  resource: Resource,
  object: ApiObject,
  edits: Readonly<Record<string, JsonValue | undefined>>,
): ApiObject {
  return withMetadata(object, arrangeMetadata(object.metadata, memberOrderOf(resource), edits));
}

/** The object as it is committed: with the commit's revision as its resourceVersion (invariant 1). */
export const atRevision = (resource: Resource, object: ApiObject, revision: Revision): ApiObject =>
  stamp(resource, object, { resourceVersion: toResourceVersion(revision) });

/** Content of an object: all but kind, apiVersion, metadata and, unless it counts, status. */
export function contentOf(object: ApiObject, withStatus: boolean): JsonObject {
  const content: MutableJsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (name === 'kind' || name === 'apiVersion' || name === 'metadata') continue;
    if (name !== 'status' || withStatus) setMember(content, name, value);
  }
  return content;
}

/** metadata.generation after one more change: counted only where there is a count already. */
export const nextGeneration = (object: ApiObject): number | undefined => {
  const now = generationOf(object);
  return now > 0 ? now + 1 : undefined;
};
