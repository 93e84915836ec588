/** What every verb is given: where, by whom, and a place for warnings. */
import { type TokenReview } from '../access/token-review.js';
import { type User } from '../access/user.js';
import { type WatchCache } from '../watch/watch-cache.js';
import { type Cluster } from './cluster.js';
import { type WriteRequest } from './kind-rules.js';
import { apiVersionOf } from '../ground/kind.js';
import { type KindContext } from './kind-context.js';
import { inKindOf, type Resource, type ResourceStore, type Subresource } from './resource.js';

/** Answers the cache from which a resource is read. */
export type CacheSource = (store: ResourceStore) => WatchCache;

export interface Call {
  readonly cluster: Cluster;
  readonly resource: Resource;
  /** `''` for the resource itself. */
  readonly subresource: string;
  /** `''` for cluster-scoped resources and for reads of all namespaces. */
  readonly namespace: string;
  /** `''` for the collection. */
  readonly name: string;
  /** Bytes of the request's body, or of what a patch is put upon if that is more: a bound for the size check. */
  readonly largest: number;
  /** Whose request it is; absent for what the server does of its own. */
  readonly user?: User;
  /** As managedFields name who writes (`writerName`); absent for what the server does of its own. */
  readonly writer?: string;
  /** Asks whose token something is. */
  readonly reviewToken?: (token: string, audiences: readonly string[]) => TokenReview;
  /** Where reads come from. @default the cluster's own caches */
  readonly reads?: CacheSource | undefined;
  /** Adds a text to the answer's `Warning` headers. */
  readonly warn: (text: string) => void;
}

/** The cache that the call reads. */
export const cacheOf = ({ cluster, resource: { store }, reads }: Call): WatchCache =>
  reads === undefined ? cluster.cacheOf(store) : reads(store);

export const writeRequestOf = (call: Call): WriteRequest => ({
  apiVersion: apiVersionOf(call.resource),
  subresource: call.subresource,
});

/** What the rules of the kind may ask. */
export const contextOf = ({ cluster, user }: Call): KindContext =>
  user === undefined ? cluster.kindContext : { ...cluster.kindContext, user };

/** The subresource that the call is about; undefined for the resource itself. */
export const subresourceOf = ({ resource, subresource }: Call): Subresource | undefined =>
  resource.subresources.get(subresource);

/** The call as the kind of its subresource sees it: what bodies are read as. */
export function inKindOfSubresource(call: Call): Call {
  const subresource = subresourceOf(call);
  return subresource === undefined ? call : { ...call, resource: inKindOf(call.resource, subresource) };
}
