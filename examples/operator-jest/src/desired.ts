// What there is to be for a Site. Pure functions: the operator compares nothing, it applies these.
import type { KubernetesObject, V1ConfigMap, V1Deployment, V1ObjectMeta } from '@kubernetes/client-node';
import type { Condition, Site } from './site.js';

/** Metadata of an object that goes when its Site goes. */
function ownedBy(site: Site, name: string): V1ObjectMeta {
  const { uid = '', name: owner, namespace } = site.metadata;
  const reference = { apiVersion: 'example.io/v1', kind: 'Site', name: owner, uid };
  return {
    name,
    namespace,
    ownerReferences: [{ ...reference, controller: true, blockOwnerDeletion: true }],
  };
}

export const contentOf = (site: Site): V1ConfigMap & KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: ownedBy(site, `${site.metadata.name}-content`),
  data: { 'index.html': site.spec.text },
});

export function deploymentOf(site: Site): V1Deployment & KubernetesObject {
  const { name } = site.metadata;
  const labels = { site: name };
  const volumeMounts = [{ name: 'content', mountPath: '/usr/share/nginx/html' }];
  const volumes = [{ name: 'content', configMap: { name: `${name}-content` } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: ownedBy(site, name),
    spec: {
      replicas: site.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'nginx:1', volumeMounts }], volumes },
      },
    },
  };
}

/** @param now when the status is written, RFC 3339 */
export function statusOf(site: Site, readyReplicas: number, now: string): NonNullable<Site['status']> {
  const ready = readyReplicas >= site.spec.replicas;
  const status = ready ? 'True' : 'False';
  const before = site.status?.conditions?.find(({ type }) => type === 'Ready');
  const condition: Condition = {
    type: 'Ready',
    status,
    reason: ready ? 'Served' : 'Waiting',
    message: `${readyReplicas} of ${site.spec.replicas} replicas are ready`,
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
  };
  return { observedGeneration: site.metadata.generation, readyReplicas, conditions: [condition] };
}
