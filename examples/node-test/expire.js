// Deletes the Secrets of a namespace whose annotation `example.com/expires` is a time that has passed.
import { CoreV1Api } from '@kubernetes/client-node';

/**
 * Shape: the names of those that were deleted.
 *
 * @param {import('@kubernetes/client-node').KubeConfig} config
 * @param {string} namespace
 * @param {Date} now
 */
export async function deleteExpired(config, namespace, now) {
  const api = config.makeApiClient(CoreV1Api);
  const { items } = await api.listNamespacedSecret({ namespace });
  const expired = items.filter(({ metadata }) => {
    const at = metadata.annotations?.['example.com/expires'];
    return at !== undefined && new Date(at) <= now;
  });
  for (const { metadata } of expired)
    await api.deleteNamespacedSecret({
      namespace,
      name: metadata.name,
      // Only as it was read: who has renewed it in the meantime keeps it.
      body: { preconditions: { resourceVersion: metadata.resourceVersion } },
    });
  return expired.map(({ metadata }) => metadata.name);
}
