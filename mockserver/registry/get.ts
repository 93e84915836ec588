/** The get verb. */
import { notFound } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { addressOf } from '../store/key.js';
import { cacheOf, type Call } from './call.js';
import { computedOf, getComputed } from './computed.js';
import { type GetOptions } from './get-options.js';
import { planGet } from './read-plan.js';
import { groupResourceOf, present } from './resource.js';

/**
 * Reads one object.
 *
 * Shape: in the version that was asked for; a promise only when a version has to be waited for.
 * Errors: 404; 500 for a version that is no number; 504 for one that does not come in time.
 */
export function get(call: Call, options: GetOptions): StoredObject | Promise<StoredObject> {
  const computed = computedOf(call);
  if (computed !== undefined) return getComputed(call, computed);
  const { cluster, resource } = call;
  const { prefix } = resource.store;
  const cache = cacheOf(call);
  const { key } = addressOf(prefix, resource.namespaced ? call.namespace : '', call.name);
  const found = (object: StoredObject | undefined): StoredObject => {
    if (object === undefined) throw notFound(groupResourceOf(resource), call.name);
    return present(resource, object);
  };
  const plan = planGet(options);
  switch (plan.kind) {
    case 'consistent':
      return found(cluster.store.get(key));
    case 'cache-now':
      return found(cache.get(key));
    case 'not-older':
      return cache.awaitRevision(plan.revision, plan.asked).then(() => found(cache.get(key)));
  }
}
