/** The ephemeral containers of a pod: they can only be added, through a subresource of their own. */
import { type FieldError, duplicate, forbidden, required } from '../../ground/field-error.js';
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

const FIELD = 'spec.ephemeralContainers';
/** Members that an ephemeral container may not have. Source: apis/core/validation, allowedEphemeralContainerFields. */
const REFUSED = [
  'ports',
  'resizePolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

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

/** Source: kubernetes apis/core/validation, validateEphemeralContainers and ValidatePodEphemeralContainersUpdate. */
export function ephemeralContainerErrors(next: ApiObject, previous: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const others = [...listOf(next, 'containers'), ...listOf(next, 'initContainers')].map(nameOf);
  const names = new Set(others);
  const containers = listOf(next, 'ephemeralContainers');
  containers.forEach((container, i) => {
    const field = `${FIELD}[${i}]`;
    const name = nameOf(container);
    if (name === '') errors.push(required(`${field}.name`));
    if ((stringMember(container, 'image') ?? '') === '') errors.push(required(`${field}.image`));
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    const target = stringMember(container, 'targetContainerName') ?? '';
    if (target !== '' && !others.includes(target)) {
      errors.push({
        reason: 'FieldValueNotFound',
        field: `${field}.targetContainerName`,
        value: target,
        detail: '',
      });
    }
    for (const member of REFUSED) {
      if (container[member] !== undefined)
        errors.push(forbidden(`${field}.${member}`, 'cannot be set for an Ephemeral Container'));
    }
    if (Object.keys(objectMember(container, 'resources') ?? EMPTY).length > 0)
      errors.push(forbidden(`${field}.resources`, 'cannot be set for an Ephemeral Container'));
  });
  for (const before of listOf(previous, 'ephemeralContainers')) {
    const now = containers.find((one) => nameOf(one) === nameOf(before));
    if (now === undefined) {
      errors.push(forbidden(FIELD, `existing ephemeral containers "${nameOf(before)}" may not be removed\n`));
    } else if (!jsonEqual(now, before)) {
      errors.push(
        forbidden(FIELD, `existing ephemeral containers "${nameOf(before)}" may not be changed\n`, {
          goType: 'core.EphemeralContainer',
          before,
          after: now,
        }),
      );
    }
  }
  return errors;
}
