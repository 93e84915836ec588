// Sites as the tests write and read them.
import { readFileSync } from 'node:fs';
import type { V1ConfigMap, V1Deployment } from '@kubernetes/client-node';
import type { ClusterClient, KubeObject } from 'kube-mockserver/client';
import type { Site } from '../src/site.js';

export const definition = readFileSync(new URL('../definition.yaml', import.meta.url), 'utf8');

// The API's own types leave out what every object has; what a server answers has it.
export type SiteObject = Site & KubeObject;
export type ConfigMapObject = V1ConfigMap & KubeObject;
export type DeploymentObject = V1Deployment & KubeObject;

export const site = (
  name: string,
  spec: { text: string; replicas?: number },
): KubeObject & { spec: object } => ({
  apiVersion: 'example.io/v1',
  kind: 'Site',
  metadata: { name },
  spec,
});

/** For machines that have much else to do. */
export const PATIENT = { withinMs: 30_000 };

const isReady = (found: SiteObject | undefined): boolean =>
  found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export const untilReady = (cluster: ClusterClient, name: string): Promise<SiteObject | undefined> =>
  cluster.waitFor<SiteObject>('Site', name, isReady, PATIENT);

/** Waits for a ConfigMap to have an entry with that text. */
export const untilHas = (
  cluster: ClusterClient,
  name: string,
  key: string,
  text: string,
): Promise<ConfigMapObject | undefined> =>
  cluster.waitFor<ConfigMapObject>('ConfigMap', name, (found) => found?.data?.[key] === text, PATIENT);

export const untilThere = async (cluster: ClusterClient, kind: string, name: string): Promise<void> => {
  await cluster.waitFor(kind, name, (found) => found !== undefined, PATIENT);
};

export const untilGone = async (cluster: ClusterClient, kind: string, name: string): Promise<void> => {
  await cluster.waitFor(kind, name, (found) => found === undefined, PATIENT);
};
