// Settings kept in memory: the ConfigMaps of a namespace, followed by an informer that is started again when it fails.
import { CoreV1Api, makeInformer } from '@kubernetes/client-node';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

export class SettingsCache {
  #namespace;
  #informer;
  #timer;
  #stopped = false;
  #pauseMs = FIRST_PAUSE_MS;

  /** @param {import('@kubernetes/client-node').KubeConfig} config @param {string} namespace */
  constructor(config, namespace) {
    this.#namespace = namespace;
    const api = config.makeApiClient(CoreV1Api);
    this.#informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      api.listNamespacedConfigMap({ namespace }),
    );
    this.#informer.on('connect', () => (this.#pauseMs = FIRST_PAUSE_MS));
    // An informer that reports an error has stopped.
    this.#informer.on('error', () => this.#again());
  }

  /** The text of a setting; undefined where there is none. */
  get(name, key) {
    return this.#informer.get(name, this.#namespace)?.data?.[key];
  }

  get names() {
    return this.#informer.list().map(({ metadata }) => metadata.name);
  }

  async start() {
    await this.#informer.start().catch(() => this.#again());
  }

  async stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#informer.stop();
  }

  /** Each time that it fails in a row it waits twice as long. */
  #again() {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.start(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }
}
