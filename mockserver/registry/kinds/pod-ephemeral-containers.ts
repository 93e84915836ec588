/** The ephemeral containers of a pod: they can only be added, through a subresource of their own. */
import { type FieldError } from '../../ground/field-error.js';
import {
  arrayMember,
  copyObject,
  isJsonObject,
  jsonEqual,
  objectMember,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { Findings } from '../../schema/validation/findings.js';
import { wholePod } from './validate-pod.js';

const FIELD = 'spec.ephemeralContainers';
const specOf = (pod: ApiObject): JsonObject => objectMember(pod, 'spec') ?? EMPTY;
const listOf = (pod: ApiObject, name: string): readonly JsonObject[] =>
  (arrayMember(specOf(pod), name) ?? []).filter(isJsonObject);
const nameOf = (container: JsonObject): string => stringMember(container, 'name') ?? '';

/** The pod as it was, but for its ephemeral containers. */
export function withEphemeralContainers(next: ApiObject, previous: ApiObject): ApiObject {
  const spec = copyObject(specOf(previous));
  const containers = arrayMember(specOf(next), 'ephemeralContainers');
  if (containers === undefined || containers.length === 0) delete spec['ephemeralContainers'];
  else spec['ephemeralContainers'] = containers;
  return { ...next, spec, status: objectMember(previous, 'status') ?? EMPTY };
}

/** Source: kubernetes apis/core/validation, ValidatePodEphemeralContainersUpdate. */
export function ephemeralContainerErrors(next: ApiObject, previous: ApiObject): readonly FieldError[] {
  const found = new Findings();
  wholePod(found, next);
  const containers = listOf(next, 'ephemeralContainers');
  for (const before of listOf(previous, 'ephemeralContainers')) {
    const name = nameOf(before);
    const after = containers.find((one) => nameOf(one) === name);
    if (after === undefined)
      found.forbidden(FIELD, `existing ephemeral containers "${name}" may not be removed\n`);
    else if (!jsonEqual(after, before))
      found.forbidden(FIELD, `existing ephemeral containers "${name}" may not be changed\n`, {
        goType: 'core.EphemeralContainer',
        before,
        after,
      });
  }
  return found.errors;
}
