/** GetOptions: what a read of one object asks for. */
import { badRequest } from '../ground/status.js';
import { type Query, booleanValue, textValue } from './query.js';

export interface GetOptions {
  /** As sent; `''` when unset. */
  readonly resourceVersion: string;
}

/** Errors: 400 for a true `export`, an option that is long gone. Source: apiserver handlers/get.go. */
export function decodeGetOptions(query: Query): GetOptions {
  if (booleanValue(query, 'export') === true) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: textValue(query, 'resourceVersion') };
}
