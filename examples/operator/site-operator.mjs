// An operator for Sites: each gets a ConfigMap with its text and a Deployment that serves it, both owned by it, and an
// entry in the namespace's index, which only a finalizer can take away in time.
import {
  CoreV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

const GROUP = 'example.io';
const SITES = { group: GROUP, version: 'v1', plural: 'sites' };
const FINALIZER = 'example.io/index';
const MANAGER = 'site-operator';
const INDEX = 'site-index';
const MERGE = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

export class SiteOperator {
  #core;
  #custom;
  #objects;
  #sites;
  #deployments;
  #queue = new Set();
  #working = false;
  #stopped = false;
  #timers = new Set();

  /** @param {import('@kubernetes/client-node').KubeConfig} config */
  constructor(config) {
    this.#core = config.makeApiClient(CoreV1Api);
    this.#custom = config.makeApiClient(CustomObjectsApi);
    this.#objects = KubernetesObjectApi.makeApiClient(config);
    this.#sites = makeInformer(config, `/apis/${GROUP}/v1/sites`, () =>
      this.#custom.listClusterCustomObject(SITES),
    );
    this.#deployments = makeInformer(config, '/apis/apps/v1/deployments', () =>
      this.#objects.list('apps/v1', 'Deployment'),
    );
    for (const event of ['add', 'update', 'delete']) {
      this.#sites.on(event, (site) => this.#enqueue(site.metadata.namespace, site.metadata.name));
      this.#deployments.on(event, ({ metadata }) => {
        const owner = metadata.ownerReferences?.find(({ kind, controller }) => controller && kind === 'Site');
        if (owner !== undefined) this.#enqueue(metadata.namespace, owner.name);
      });
    }
    for (const informer of [this.#sites, this.#deployments]) {
      informer.on('error', () => this.#later(() => informer.start(), 100));
    }
  }

  async start() {
    await Promise.all([this.#sites.start(), this.#deployments.start()]);
  }

  async stop() {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([this.#sites.stop(), this.#deployments.stop()]);
  }

  #later(work, ms) {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work();
    }, ms);
    this.#timers.add(timer);
  }

  #enqueue(namespace, name) {
    this.#queue.add(`${namespace}/${name}`);
    if (!this.#working) void this.#work();
  }

  /** One site at a time; one that fails gets another try. */
  async #work() {
    this.#working = true;
    for (const key of this.#queue) {
      this.#queue.delete(key);
      const [namespace, name] = key.split('/');
      try {
        if (!this.#stopped) await this.#reconcile(namespace, name);
      } catch {
        this.#later(() => this.#enqueue(namespace, name), 50);
      }
    }
    this.#working = false;
  }

  async #reconcile(namespace, name) {
    const site = await this.#custom
      .getNamespacedCustomObject({ ...SITES, namespace, name })
      .catch((error) => (error.code === 404 ? undefined : Promise.reject(error)));
    if (site === undefined) return;
    const { finalizers = [], deletionTimestamp } = site.metadata;
    if (deletionTimestamp !== undefined) {
      if (!finalizers.includes(FINALIZER)) return;
      await this.#index(namespace, { [name]: null });
      await this.#setFinalizers(
        site,
        finalizers.filter((one) => one !== FINALIZER),
      );
      return;
    }
    // First the finalizer, then what it is to take away.
    if (!finalizers.includes(FINALIZER)) {
      await this.#setFinalizers(site, [...finalizers, FINALIZER]);
      return;
    }
    await this.#index(namespace, { [name]: site.spec.text });
    await this.#apply(contentOf(site));
    const deployment = await this.#apply(deploymentOf(site));
    await this.#report(site, deployment.status?.readyReplicas ?? 0);
  }

  /** Server-side apply: this operator owns what it names, and nothing else. */
  #apply(object) {
    return this.#objects.patch(object, undefined, undefined, MANAGER, true, PatchStrategy.ServerSideApply);
  }

  /** The version that was read goes along, so that nobody else's finalizer is lost. */
  #setFinalizers({ metadata }, finalizers) {
    const { namespace, name, resourceVersion } = metadata;
    const body = { metadata: { resourceVersion, finalizers } };
    return this.#custom.patchNamespacedCustomObject({ ...SITES, namespace, name, body }, MERGE);
  }

  async #index(namespace, data) {
    try {
      await this.#core.patchNamespacedConfigMap({ namespace, name: INDEX, body: { data } }, MERGE);
    } catch (error) {
      if (error.code !== 404) throw error;
      const body = { metadata: { name: INDEX }, data: withoutNulls(data) };
      await this.#core.createNamespacedConfigMap({ namespace, body });
    }
  }

  async #report(site, readyReplicas) {
    const { namespace, name, generation } = site.metadata;
    const ready = readyReplicas >= site.spec.replicas;
    const before = site.status?.conditions?.find(({ type }) => type === 'Ready');
    const status = ready ? 'True' : 'False';
    const condition = {
      type: 'Ready',
      status,
      reason: ready ? 'Served' : 'Waiting',
      message: `${readyReplicas} of ${site.spec.replicas} replicas are ready`,
      lastTransitionTime:
        before?.status === status ? before.lastTransitionTime : `${new Date().toISOString().slice(0, 19)}Z`,
    };
    const body = { status: { observedGeneration: generation, readyReplicas, conditions: [condition] } };
    await this.#custom.patchNamespacedCustomObjectStatus({ ...SITES, namespace, name, body }, MERGE);
  }
}

const withoutNulls = (data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));

const ownedBy = (site, name) => ({
  name,
  namespace: site.metadata.namespace,
  ownerReferences: [
    {
      apiVersion: site.apiVersion,
      kind: site.kind,
      name: site.metadata.name,
      uid: site.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ],
});

const contentOf = (site) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: ownedBy(site, `${site.metadata.name}-content`),
  data: { 'index.html': site.spec.text },
});

function deploymentOf(site) {
  const { name } = site.metadata;
  const labels = { site: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: ownedBy(site, name),
    spec: {
      replicas: site.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'web',
              image: 'nginx:1',
              volumeMounts: [{ name: 'content', mountPath: '/usr/share/nginx/html' }],
            },
          ],
          volumes: [{ name: 'content', configMap: { name: `${name}-content` } }],
        },
      },
    },
  };
}
