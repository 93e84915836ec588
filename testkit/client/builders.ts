/** Common objects in one line each, complete enough to be created. */
import { type KubeObject, type ObjectMeta } from './kube-object.js';

export interface Built extends KubeObject {
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

type Name = string | ObjectMeta;

const meta = (name: Name): ObjectMeta => (typeof name === 'string' ? { name } : name);

/** @param name or whole metadata, here and below */
export const configMap = (name: Name, data: Readonly<Record<string, string>> = {}): Built => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: meta(name),
  data,
});

/** @param texts not yet in base64 */
export const secret = (name: Name, texts: Readonly<Record<string, string>> = {}): Built => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: meta(name),
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ),
});

export const namespace = (name: Name): Built => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: meta(name),
});

export const pod = (name: Name, image = 'registry.k8s.io/pause:3.10'): Built => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta(name),
  spec: { containers: [{ name: 'main', image }] },
});

export const deployment = (
  name: Name,
  {
    replicas = 1,
    image = 'registry.k8s.io/pause:3.10',
  }: { readonly replicas?: number; readonly image?: string } = {},
): Built => {
  const metadata = meta(name);
  const labels = { app: metadata.name ?? '' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    },
  };
};

export const service = (name: Name, port = 80): Built => {
  const metadata = meta(name);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: { app: metadata.name ?? '' }, ports: [{ port }] },
  };
};

export interface DefinitionWish {
  readonly group: string;
  readonly kind: string;
  /** @default the kind in lower case with an s */
  readonly plural?: string;
  /** @default 'v1' */
  readonly version?: string;
  /** @default 'Namespaced' */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** openAPIV3Schema. @default any object */
  readonly schema?: object;
  /** Whether it has a status subresource. @default true */
  readonly status?: boolean;
}

/** The definition of a custom resource with one version. */
export const customResourceDefinition = ({
  group,
  kind,
  plural = `${kind.toLowerCase()}s`,
  version = 'v1',
  scope = 'Namespaced',
  schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  status = true,
}: DefinitionWish): Built => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: { plural, kind },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        ...(status ? { subresources: { status: {} } } : {}),
      },
    ],
  },
});
