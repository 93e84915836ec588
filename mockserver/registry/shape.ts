/** Objects put together from parts, members in wire order at the top. */
import { compareUtf8, type JsonValue, type MutableJsonObject, setMember } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { memberOrderOf, type Resource } from './resource.js';

/**
 * The object with one top-level member set or (undefined) removed.
 *
 * Shape: a new object in wire order: built-in kinds have status last, custom resources are sorted.
 */
export function withMember(
  resource: Resource,
  object: ApiObject,
  name: string,
  value: JsonValue | undefined,
): ApiObject {
  const next: MutableJsonObject = {};
  const names = Object.keys(object).filter((one) => one !== name);
  if (value !== undefined) names.push(name);
  if (memberOrderOf(resource) === 'sorted') names.sort(compareUtf8);
  else if (names.includes('status')) names.push(...names.splice(names.indexOf('status'), 1));
  for (const one of names) {
    const member = one === name ? value : object[one];
    if (member !== undefined) setMember(next, one, member);
  }
  // The three members that make it an ApiObject keep their places: a spread does not move what is there already.
  return { ...next, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}
