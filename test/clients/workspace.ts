/** A namespace and a custom resource of their own, so that tests share one cluster without meeting. */
import {
  KubeConfig,
  KubernetesObjectApi,
  V1ObjectMeta,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { until } from './seen.js';
import { startTarget, type TargetServer } from './server.js';

export interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}

export interface Gauge extends KubernetesObject {
  spec?: { level: number };
}

export interface CustomResourceDefinition extends KubernetesObject {
  spec: object;
  status?: { conditions?: { type: string; status: string }[] };
}

export interface Workspace {
  readonly config: KubeConfig;
  readonly api: KubernetesObjectApi;
  readonly namespace: string;
  /** API group of the `gauges` resource, kind Gauge, version v1. */
  readonly group: string;
  configMap(name: string, data: Record<string, string>): ConfigMap;
  gauge(name: string, level: number): Gauge;
  /** Makes the namespace and the CRD, and waits until gauges can be listed. */
  furnish(): Promise<void>;
  /** Removes both. */
  clear(): Promise<void>;
}

/** `name` keeps the tests of one cluster apart. */
export function workspace(kubeconfig: string, name: string): Workspace {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const api = KubernetesObjectApi.makeApiClient(config);
  const group = `${name}.clients.example.com`;
  const space: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: named(`gauges.${group}`),
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gauges', singular: 'gauge', kind: 'Gauge', listKind: 'GaugeList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { level: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  };
  const namespaceObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  return {
    config,
    api,
    namespace: name,
    group,
    configMap: (objectName, data) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: named(objectName, name),
      data,
    }),
    gauge: (objectName, level) => ({
      apiVersion: `${group}/v1`,
      kind: 'Gauge',
      metadata: named(objectName, name),
      spec: { level },
    }),
    furnish: async () => {
      await api.create(namespaceObject);
      await api.create(space);
      await until('the custom resource is served', async () => {
        // A client of its own: KubernetesObjectApi remembers the resources of a group version it has once asked for.
        const fresh = KubernetesObjectApi.makeApiClient(config);
        const crd = await fresh.read<CustomResourceDefinition>({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `gauges.${group}` },
        });
        const established = crd.status?.conditions?.some(
          ({ type, status }) => type === 'Established' && status === 'True',
        );
        if (established !== true) return false;
        await fresh.list(`${group}/v1`, 'Gauge', name);
        return true;
      });
    },
    clear: async () => {
      await api.delete(space);
      await api.delete(namespaceObject);
    },
  };
}

export interface Furnished extends Workspace {
  readonly server: TargetServer;
}

/**
 * For a whole test file: a server (or the cluster named from outside) with a furnished workspace. Call it at the top of
 * the file; what it answers can be asked from within tests. The server is stopped whatever else fails.
 */
export function useWorkspace(prefix: string): () => Furnished {
  let server: TargetServer | undefined;
  let space: Workspace | undefined;
  beforeAll(async () => {
    server = await startTarget();
    const made = workspace(server.kubeconfig, uniqueName(prefix));
    await made.furnish();
    space = made;
  }, 60_000);
  afterAll(async () => {
    try {
      await space?.clear();
    } finally {
      await server?.stop();
    }
  }, 30_000);
  return () => {
    if (server === undefined || space === undefined) throw new Error('the server did not start');
    return { ...space, server };
  };
}

/** The client's own class of metadata, with a name. */
function named(name: string, namespace?: string): V1ObjectMeta {
  return Object.assign(new V1ObjectMeta(), namespace === undefined ? { name } : { name, namespace });
}

/** A name that no other run on the same cluster has. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${process.pid}-${Date.now().toString(36)}`;
}
