// An operator for Sites: each gets a ConfigMap with its text and a Deployment that serves it, both owned by it, and an
// entry in the namespace's index, which only a finalizer can take away in time.
import {
  CoreV1Api,
  CustomObjectsApi,
  type Informer,
  type KubeConfig,
  KubernetesObjectApi,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
} from '@kubernetes/client-node';
import { contentOf, deploymentOf, statusOf } from './desired.js';
import { onConflictAgain, orAbsent } from './errors.js';
import { type Site, SITES } from './site.js';
import { WorkQueue } from './work-queue.js';

const FINALIZER = 'example.io/index';
const FIELD_MANAGER = 'site-operator';
const INDEX = 'site-index';
const MERGE = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const RESTART_MS = 100;

export class SiteOperator {
  readonly #core: CoreV1Api;
  readonly #custom: CustomObjectsApi;
  readonly #objects: KubernetesObjectApi;
  readonly #informers: readonly Informer<KubernetesObject>[];
  readonly #queue = new WorkQueue((key) => this.#reconcile(key));

  constructor(config: KubeConfig) {
    this.#core = config.makeApiClient(CoreV1Api);
    this.#custom = config.makeApiClient(CustomObjectsApi);
    this.#objects = KubernetesObjectApi.makeApiClient(config);
    const { group, version, plural } = SITES;
    const sites = makeInformer<Site>(
      config,
      `/apis/${group}/${version}/${plural}`,
      // Custom objects have no types of their own: this list has Sites.
      () => this.#custom.listClusterCustomObject(SITES) as Promise<KubernetesListObject<Site>>,
    );
    const deployments = makeInformer<V1Deployment>(config, '/apis/apps/v1/deployments', () =>
      this.#objects.list<V1Deployment>('apps/v1', 'Deployment'),
    );
    for (const event of ['add', 'update', 'delete'] as const) {
      sites.on(event, ({ metadata: { namespace, name } }) => this.#queue.add(`${namespace}/${name}`));
      deployments.on(event, ({ metadata }) => {
        const owner = metadata?.ownerReferences?.find(
          ({ kind, controller }) => controller && kind === 'Site',
        );
        if (owner !== undefined) this.#queue.add(`${metadata?.namespace}/${owner.name}`);
      });
    }
    this.#informers = [sites, deployments];
    // An informer that reports an error has stopped.
    for (const informer of this.#informers)
      informer.on('error', () => this.#queue.later(RESTART_MS, () => this.#startAgain(informer)));
  }

  async start(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.stop()));
    await this.#queue.stop();
  }

  #startAgain(informer: Informer<KubernetesObject>): void {
    informer.start().catch(() => this.#queue.later(RESTART_MS, () => this.#startAgain(informer)));
  }

  async #reconcile(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const site = await onConflictAgain(() => this.#withFinalizer(namespace, name));
    if (site === undefined) return;
    await this.#index(namespace, { [name]: site.spec.text });
    await this.#apply(contentOf(site));
    const deployment = await this.#apply(deploymentOf(site));
    await this.#report(site, deployment.status?.readyReplicas ?? 0);
  }

  /** The Site to work for, with its finalizer; undefined when there is none, or none any more. */
  async #withFinalizer(namespace: string, name: string): Promise<Site | undefined> {
    const site = await orAbsent(this.#read(namespace, name));
    if (site === undefined) return undefined;
    const { finalizers = [], deletionTimestamp } = site.metadata;
    if (deletionTimestamp === undefined)
      return finalizers.includes(FINALIZER) ? site : this.#setFinalizers(site, [...finalizers, FINALIZER]);
    if (finalizers.includes(FINALIZER)) {
      await this.#index(namespace, { [name]: null });
      await this.#setFinalizers(
        site,
        finalizers.filter((one) => one !== FINALIZER),
      );
    }
    return undefined;
  }

  #read(namespace: string, name: string): Promise<Site> {
    return this.#custom.getNamespacedCustomObject({ ...SITES, namespace, name }) as Promise<Site>;
  }

  /** Server-side apply: this operator owns what it names, and nothing else. */
  #apply<T extends KubernetesObject>(object: T): Promise<T> {
    return this.#objects.patch(
      object,
      undefined,
      undefined,
      FIELD_MANAGER,
      true,
      PatchStrategy.ServerSideApply,
    );
  }

  /** The version that was read goes along, so that nobody else's finalizer is lost: a 409 says that one was. */
  #setFinalizers({ metadata }: Site, finalizers: string[]): Promise<Site> {
    const { namespace, name, resourceVersion } = metadata;
    const body = { metadata: { resourceVersion, finalizers } };
    return this.#custom.patchNamespacedCustomObject(
      { ...SITES, namespace, name, body },
      MERGE,
    ) as Promise<Site>;
  }

  /** Adds entries to the index; null takes one away. */
  async #index(namespace: string, data: Record<string, string | null>): Promise<void> {
    const body = { data };
    const found = await orAbsent(
      this.#core.patchNamespacedConfigMap({ namespace, name: INDEX, body }, MERGE),
    );
    if (found !== undefined) return;
    const entries = Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null);
    await this.#core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: INDEX }, data: Object.fromEntries(entries) },
    });
  }

  async #report(site: Site, readyReplicas: number): Promise<void> {
    const { namespace, name } = site.metadata;
    const body = { status: statusOf(site, readyReplicas, `${new Date().toISOString().slice(0, 19)}Z`) };
    await this.#custom.patchNamespacedCustomObjectStatus({ ...SITES, namespace, name, body }, MERGE);
  }
}
