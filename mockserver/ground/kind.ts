/** Names of kinds and resources. */

export interface GroupVersion {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  /** The plural, such as `pods`. */
  readonly resource: string;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, or `pods` for the core group; also used with a Kind for `resource`. */
export function qualifiedName({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `apps/v1` → group and version. Errors: undefined when there is more than one slash. */
export function parseApiVersion(text: string): GroupVersion | undefined {
  const parts = text.split('/');
  if (parts.length === 1) return { group: '', version: parts[0] ?? '' };
  if (parts.length === 2) return { group: parts[0] ?? '', version: parts[1] ?? '' };
  return undefined;
}
