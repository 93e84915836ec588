/** What every verb is given: where, by whom, and a place for warnings. */
import { type Cluster } from './cluster.js';
import { type WriteRequest } from './kind-rules.js';
import { apiVersionOf } from '../ground/kind.js';
import { type Resource } from './resource.js';

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
  /** Adds a text to the answer's `Warning` headers. */
  readonly warn: (text: string) => void;
}

export const writeRequestOf = (call: Call): WriteRequest => ({
  apiVersion: apiVersionOf(call.resource),
  subresource: call.subresource,
});
