/** What a client asks of a watch. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type Scope } from './scope.js';

export type WatchStart =
  /** The state now as initial events, then live. */
  | { readonly kind: 'state'; readonly bookmark: boolean }
  /** What lies above a version, then live. A version of the future is waited for in silence. */
  | { readonly kind: 'after'; readonly revision: Revision };

export interface WatchRequest {
  readonly start: WatchStart;
  readonly scope: Scope;
  readonly matches?: ((object: ApiObject) => boolean) | undefined;
  readonly bookmarks: boolean;
  /** How it stands to the field by which watchers of the resource are looked up. @default there is none */
  readonly trigger?: 'used' | 'unused' | undefined;
  /** The server ends the watch then; negative or 0: at once. */
  readonly timeoutMs: number;
}
