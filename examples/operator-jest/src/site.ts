// What a Site is: the types of definition.yaml.
import type { KubernetesObject, V1Condition, V1ObjectMeta } from '@kubernetes/client-node';

export const SITES = { group: 'example.io', version: 'v1', plural: 'sites' } as const;

export interface Site extends KubernetesObject {
  metadata: V1ObjectMeta & { name: string; namespace: string };
  spec: { text: string; replicas: number };
  status?: { observedGeneration?: number; readyReplicas?: number; conditions?: Condition[] };
}

/** As V1Condition, with its time as it is sent. */
export type Condition = Omit<V1Condition, 'lastTransitionTime'> & { lastTransitionTime: string };
