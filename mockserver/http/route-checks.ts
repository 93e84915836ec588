/**
 * The checks of built-in paths that the real server's router makes before any code of the resource runs. They know
 * exact media types only, where the later negotiation knows wildcards and parameters. Custom resources have none.
 */
import { notAcceptable, unsupportedMediaType, type StatusError } from '../ground/status.js';
import { MEDIA_TYPES, WATCH_MEDIA_TYPES } from './negotiation.js';

/** What single objects, writes and discovery documents are available in. */
export const OBJECT_TYPES: readonly string[] = MEDIA_TYPES;

/** What collections (GET) and the deprecated `/watch/` paths are available in. */
export const COLLECTION_TYPES: readonly string[] = [...MEDIA_TYPES, ...WATCH_MEDIA_TYPES];

/**
 * The router's 406; undefined when the request may go on.
 *
 * Wildcards other than `*` + `/*` do not match, letters of another case neither; parameters do not count.
 * Source: go-restful route.go, matchesAccept.
 */
export function routeAcceptRefusal(
  accept: string | undefined,
  available: readonly string[],
): StatusError | undefined {
  if (accept === undefined || accept === '' || available.includes(accept)) return undefined;
  for (const part of accept.split(',')) {
    const type = bare(part);
    if (type === '*/*' || available.includes(type)) return undefined;
  }
  return notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`, true);
}

/** Patch types of built-in kinds, in the order in which 415 texts list them. */
export const BUILT_IN_PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;

/** The router's 415 of a PATCH, which comes before its 406; undefined when the request may go on. */
export function routePatchRefusal(contentType: string | undefined): StatusError | undefined {
  const types: readonly string[] = BUILT_IN_PATCH_TYPES;
  for (const part of (contentType ?? '').split(',')) {
    if (types.includes(bare(part))) return undefined;
  }
  return unsupportedMediaType('415: Unsupported Media Type', true);
}

function bare(part: string): string {
  return (part.split(';')[0] ?? '').replace(/^ +| +$/g, '');
}
