/** The watch verb. */
import { StatusError } from '../ground/status.js';
import { type Watcher } from '../watch/watcher.js';
import { type WatchStart } from '../watch/watch-request.js';
import { cacheOf, type Call } from './call.js';
import { triggerFieldOf } from './kinds/trigger-field.js';
import { type ListOptions } from './list-options.js';
import { narrowScope, planWatch } from './read-plan.js';
import { selectionOf } from './selection-of.js';

/**
 * Opens a watch.
 *
 * Shape: a watcher, which its consumer must close on every road. What goes wrong from here on is an ERROR event.
 * Errors: 500 without a reason for a version that is no number.
 * Source: apiserver handlers/get.go and storage/cacher/cacher.go, Watch.
 */
export async function watch(call: Call, options: ListOptions): Promise<Watcher> {
  const { resource, cluster } = call;
  const cache = cacheOf(call);
  const plan = planWatch(options);
  const request = {
    scope: narrowScope(
      { fields: options.fields, continueToken: '' },
      { namespace: call.namespace, namespaced: resource.namespaced },
    ),
    matches: selectionOf(call, options),
    bookmarks: options.allowWatchBookmarks,
    timeoutMs: timeoutOf(call, options),
    trigger: triggerOf(call, options),
  };
  const open = (start: WatchStart): Watcher => cache.watch({ ...request, start });
  switch (plan.kind) {
    case 'from':
      return open({ kind: 'after', revision: plan.afterRevision });
    case 'now':
      // It need not wait: the cache comes to the store's version by itself, and nothing up to there is sent.
      return open({
        kind: 'after',
        revision: plan.at === 'latest' ? cluster.store.revision : cache.revision,
      });
    case 'initial-events':
      if (plan.notOlderThan === 'latest') await cache.fresh();
      else if (plan.notOlderThan !== 'any') {
        try {
          await cache.awaitRevision(plan.notOlderThan, plan.asked);
        } catch (error) {
          if (error instanceof StatusError) return cache.failedWatch(request, error.status);
          throw error;
        }
      }
      return open({ kind: 'state', bookmark: plan.bookmark });
  }

  function triggerOf(of: Call, { fields }: ListOptions): 'used' | 'unused' | undefined {
    const { group, resource: plural } = of.resource.store.groupResource;
    const field = triggerFieldOf(group, plural);
    if (field === undefined) return undefined;
    return fields.exactValueOf(field) === undefined ? 'unused' : 'used';
  }

  function timeoutOf({ cluster: { random } }: Call, { timeoutSeconds }: ListOptions): number {
    if (timeoutSeconds !== undefined && timeoutSeconds !== 0) return timeoutSeconds * 1000;
    return cluster.options.minRequestTimeoutMs * (1 + random.next());
  }
}
