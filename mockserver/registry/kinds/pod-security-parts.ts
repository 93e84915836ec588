/** What the checks of PodSecurity share: the containers of a pod, and the words of what they find. */
import { type JsonObject } from '../../ground/json.js';
import { itemsAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';

export interface PodUnderCheck {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

/** What is wrong: a reason in a few words, and what must be done about it. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type PodCheck = (pod: PodUnderCheck) => Violation | undefined;

/** Those that come first, those that stay, those that are added; in this order. */
export const containersOf = (spec: JsonObject): readonly JsonObject[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => itemsAt(spec, list));

/** The security context of a pod or of a container; empty when there is none. */
export const contextOf = (owner: JsonObject): JsonObject => partOrEmpty(owner, 'securityContext');

export const isWindows = (spec: JsonObject): boolean => textAt(partOrEmpty(spec, 'os'), 'name') === 'windows';

export const namesOf = (containers: readonly JsonObject[]): readonly string[] =>
  containers.map((one) => textAt(one, 'name'));

export const quoted = (items: readonly string[]): string => items.map((one) => `"${one}"`).join(', ');

export const plural = (singular: string, several: string, count: number): string =>
  count === 1 ? singular : several;

/** `container "a"`, `containers "a", "b"`. */
export const called = (containers: readonly JsonObject[]): string =>
  `${plural('container', 'containers', containers.length)} ${quoted(namesOf(containers))}`;

export const sortedSet = (items: readonly string[]): readonly string[] => [...new Set(items)].sort();

/** Who sets something that is not allowed: the pod itself, containers, or both. */
export interface Setters {
  readonly pod: boolean;
  readonly containers: readonly JsonObject[];
}

/** @param isBad of a security context */
export const settersOf = (spec: JsonObject, isBad: (context: JsonObject) => boolean): Setters => ({
  pod: isBad(contextOf(spec)),
  containers: containersOf(spec).filter((one) => isBad(contextOf(one))),
});

/** `pod and container "a"`; `''` when nobody does. */
export const settersText = ({ pod, containers }: Setters): string =>
  [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [called(containers)] : [])].join(' and ');
