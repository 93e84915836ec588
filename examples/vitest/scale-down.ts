// Sets the Deployments of a namespace to no replicas, but for those that are labelled `keep=yes`.
import { AppsV1Api, type KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';

/** Shape: the names of those that were changed. */
export async function scaleDown(config: KubeConfig, namespace: string): Promise<string[]> {
  const apps = config.makeApiClient(AppsV1Api);
  const { items } = await apps.listNamespacedDeployment({ namespace, labelSelector: 'keep!=yes' });
  const running = items.filter(({ spec }) => spec?.replicas !== 0);
  const names = running.map(({ metadata }) => metadata?.name ?? '');
  for (const name of names)
    await apps.patchNamespacedDeploymentScale(
      { namespace, name, body: { spec: { replicas: 0 } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
  return names;
}
