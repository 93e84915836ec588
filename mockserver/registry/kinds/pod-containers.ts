/** The containers of a pod, and which of them a request is about. */
import { arrayMember, isJsonObject, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { badRequest } from '../../ground/status.js';

/**
 * The container that is named or, where there is only one, that one.
 *
 * Errors: 400 for an unknown name, and for none where there is a choice.
 * Source: kubernetes registry/core/pod/strategy.go, validateContainer.
 */
export function chosenContainer(pod: ApiObject, asked: string): string {
  const spec = objectMember(pod, 'spec');
  const names = (list: string): readonly string[] =>
    (arrayMember(spec, list) ?? []).filter(isJsonObject).map((one) => stringMember(one, 'name') ?? '');
  const containers = names('containers');
  const all = [...names('initContainers'), ...containers, ...names('ephemeralContainers')];
  if (asked !== '') {
    if (all.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${nameOf(pod)}`);
  }
  const [only] = containers;
  if (containers.length === 1 && only !== undefined) return only;
  const choice = containers.length === 0 ? '' : `, choose one of: [${all.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${nameOf(pod)}${choice}`);
}
