/** Requests on resources whose versions a webhook converts: it is asked before a verb begins, and where a verb stops for it. */
import { type Call } from '../registry/call.js';
import { AwaitsConversion } from '../registry/webhook-conversion.js';
import { addressOf, scopeRange } from '../store/key.js';

/** Reads of the store, which a real server decodes, and so converts, each time. */
const OF_ONE: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);

/** Errors: 500 with what the webhook failed with. */
export async function askBefore({ cluster, resource, namespace, name }: Call, verb: string): Promise<void> {
  const { webhook, store, namespaced } = resource;
  if (webhook === undefined) return;
  if (OF_ONE.has(verb)) {
    const { key } = addressOf(store.prefix, namespaced ? namespace : '', name);
    const stored = cluster.store.get(key);
    if (stored !== undefined) await webhook.ask(stored.object);
    return;
  }
  const { items } = cluster.store.range(scopeRange(store.prefix, undefined));
  await webhook.askAll(items.map(({ object }) => object));
}

/** A verb stops at most once for each version of what it reads and writes. */
const MOST_STOPS = 16;

/** Errors: the verb's own. @param verb begun anew after each stop; nothing has been stored before the last time */
export async function withConversions<T>(verb: () => Promise<T>): Promise<T> {
  for (let stops = 0; ; stops++) {
    try {
      return await verb();
    } catch (error) {
      if (!(error instanceof AwaitsConversion) || stops === MOST_STOPS) throw error;
      await error.settle();
    }
  }
}
