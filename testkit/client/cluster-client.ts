/** A cluster as a test uses it: objects written and read in one line, time and snapshots moved, waits that tell what they saw. */
import { type KubeConfig } from '@kubernetes/client-node';
import { JournalView } from '../../mockserver/observe/journal-view.js';
import { type JournalEntry } from '../../mockserver/observe/journal-entry.js';
import { type FaultRule } from '../../mockserver/faults/rule.js';
import { eventually, type Patience, within } from './eventually.js';
import { isKubeObject, type KindName, type KubeObject, type Manifest } from './kube-object.js';
import { objectsOf } from './manifests.js';
import { type ActAs, type Place } from './place.js';
import { ApiError, ask, follow } from './requests.js';
import { type NamedResource, pathOf, ResourceNames } from './resource-names.js';

const NAMESPACE = 'default';
const FIELD_MANAGER = 'kube-mockserver-client';

export interface InNamespace {
  /** @default 'default' */
  readonly namespace?: string;
}

export interface ListWish {
  /** `''` for all. @default all */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export class ClusterClient {
  readonly #place: () => Place;
  readonly #names: ResourceNames;

  /** @param place a URL, with a token where the server asks for one; or what answers it, asked at each request */
  constructor(place: string | Place | (() => Place)) {
    this.#place =
      typeof place === 'function' ? place : () => (typeof place === 'string' ? { url: place } : place);
    this.#names = new ResourceNames(this.#place);
  }

  get url(): string {
    return this.#place().url;
  }

  /** A client that acts as somebody else: it sends Impersonate headers. */
  actAs(user: string | ActAs): ClusterClient {
    const actAs = typeof user === 'string' ? { user } : user;
    return new ClusterClient(() => ({ ...this.#place(), actAs }));
  }

  /** The kubeconfig of the cluster, as YAML. */
  async kubeconfig(): Promise<string> {
    return String(await this.#mock('GET', 'kubeconfig'));
  }

  /**
   * Creates or changes objects by server-side apply, with force.
   *
   * Shape: the objects as the server then has them, in their order. Errors: ApiError.
   */
  async apply<T extends KubeObject = KubeObject>(...manifests: readonly Manifest[]): Promise<T[]> {
    const applied: T[] = [];
    for (const object of objectsOf(manifests)) {
      const { name } = object.metadata;
      if (name === undefined)
        throw new Error(`apply: a ${object.kind} without a name; create takes generateName`);
      const resource = await this.#names.find(object);
      const path = pathOf(resource, namespaceOf(object), name);
      applied.push(
        await this.#object<T>('PATCH', `${path}?fieldManager=${FIELD_MANAGER}&force=true`, object, APPLY),
      );
    }
    return applied;
  }

  /** Errors: ApiError, `AlreadyExists` for one that is there. */
  async create<T extends KubeObject = KubeObject>(object: KubeObject): Promise<T> {
    const resource = await this.#names.find(object);
    return this.#object<T>('POST', pathOf(resource, namespaceOf(object)), object);
  }

  /** Errors: ApiError, `NotFound` for one that is not there. */
  async get<T extends KubeObject = KubeObject>(
    kind: KindName,
    name: string,
    where: InNamespace = {},
  ): Promise<T> {
    return this.#object<T>('GET', await this.#pathOf(kind, name, where));
  }

  /** Shape: undefined when it is not there. Errors: ApiError. */
  async find<T extends KubeObject = KubeObject>(
    kind: KindName,
    name: string,
    where: InNamespace = {},
  ): Promise<T | undefined> {
    try {
      return await this.get<T>(kind, name, where);
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject = KubeObject>(kind: KindName, wish: ListWish = {}): Promise<T[]> {
    const resource = await this.#names.find(kind);
    const { namespace = '', ...selectors } = wish;
    const path = pathOf(resource, namespace);
    const list = (await this.#ask('GET', `${path}?${new URLSearchParams(selectors).toString()}`)) as {
      readonly items: readonly object[];
    }; // every list has items
    const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    // The items of a list leave out what the list says; the type is the caller's.
    return list.items.map((item) => ({ apiVersion, kind: resource.kind, ...item }) as unknown as T);
  }

  /** Replaces an object; with a resourceVersion only that one. Errors: ApiError, `Conflict`. */
  async update<T extends KubeObject = KubeObject>(object: KubeObject, subresource?: string): Promise<T> {
    const path = await this.#pathOf(object, object.metadata.name ?? '', { namespace: namespaceOf(object) });
    return this.#object<T>('PUT', subresource === undefined ? path : `${path}/${subresource}`, object);
  }

  /** A merge patch (RFC 7386). Errors: ApiError. */
  async patch<T extends KubeObject = KubeObject>(
    kind: KindName,
    name: string,
    patch: object,
    { subresource, ...where }: InNamespace & { readonly subresource?: string } = {},
  ): Promise<T> {
    const path = await this.#pathOf(kind, name, where);
    const target = subresource === undefined ? path : `${path}/${subresource}`;
    return this.#object<T>('PATCH', target, patch, 'application/merge-patch+json');
  }

  /** Errors: ApiError, `NotFound`. */
  async delete(kind: KindName, name: string, where: InNamespace = {}): Promise<void> {
    await this.#ask('DELETE', await this.#pathOf(kind, name, where));
  }

  /**
   * Watches one object until the predicate holds. It is undefined for the predicate while the object is not there.
   *
   * Shape: the object as it then was. Errors: what the predicate throws; an Error that shows the last one seen, when the
   * time is over.
   */
  async waitFor<T extends KubeObject = KubeObject>(
    kind: KindName,
    name: string,
    predicate: (object: T | undefined) => boolean = (object) => object !== undefined,
    { namespace = NAMESPACE, withinMs = 5000 }: InNamespace & Patience = {},
  ): Promise<T | undefined> {
    const resource = await this.#names.find(kind);
    let last: T | undefined;
    const seen = this.#watched<T>(resource, { namespace, name }, (object) => {
      last = object;
      return predicate(object);
    });
    try {
      return await within(
        seen.done,
        withinMs,
        () =>
          `${resource.kind} ${name}: not so within ${withinMs} ms; it is\n${JSON.stringify(last, null, 2)}`,
      );
    } finally {
      seen.stop();
    }
  }

  /** Tries until it does not throw; see `eventually`. */
  eventually<T>(work: () => T | Promise<T>, patience: Patience = {}): Promise<T> {
    return eventually(work, patience);
  }

  /** Puts a fault rule in force. Shape: its name. */
  async addFault(rule: FaultRule): Promise<string> {
    const { added } = (await this.#mock('POST', 'faults', { rules: [rule] })) as {
      readonly added: readonly string[];
    };
    return added[0] ?? '';
  }

  /** Takes a rule out, or all of them. */
  async removeFaults(name = ''): Promise<void> {
    await this.#mock('DELETE', name === '' ? 'faults' : `faults/${encodeURIComponent(name)}`);
  }

  /** What every client asked and was sent, the client of this test left out. */
  async journal(): Promise<JournalView> {
    const { entries } = (await this.#mock('GET', 'journal')) as { readonly entries: readonly JournalEntry[] };
    return new JournalView(entries).client(/^(?!kube-mockserver-client)/);
  }

  /** Back to how the cluster was made, or to a snapshot's objects; see `reset` of MockCluster. */
  async reset(watches: 'end' | '410' | 'unchanged' = 'end', snapshot?: string): Promise<void> {
    await this.#mock('POST', 'reset', snapshot === undefined ? { watches } : { watches, snapshot });
  }

  /** Keeps the objects of now. Shape: a name for `restore`. */
  async snapshot(name?: string): Promise<string> {
    const wish = name === undefined ? {} : { name };
    return ((await this.#mock('POST', 'snapshots', wish)) as { readonly snapshot: string }).snapshot;
  }

  /** Lets go of a snapshot. Errors: ApiError, `NotFound`. */
  async dropSnapshot(name: string): Promise<void> {
    await this.#mock('DELETE', `snapshots/${encodeURIComponent(name)}`);
  }

  async restore(snapshot: string, watches: 'end' | '410' | 'unchanged' = 'end'): Promise<void> {
    await this.#mock('POST', 'restore', { snapshot, watches });
  }

  /** The time of the cluster. */
  readonly clock = {
    /** Stops it. @param at RFC 3339 or milliseconds @default now */
    freeze: (at?: string | number): Promise<void> => this.#move({ freeze: at ?? true }),
    /** Moves it forward, with all that falls due on the way. */
    advance: (ms: number): Promise<void> => this.#move({ advance: ms }),
    /** Moves it on until nothing but upkeep waits for it. */
    runToIdle: (): Promise<void> => this.#move({ runToIdle: true }),
    /** Lets it run with real time again. */
    run: (): Promise<void> => this.#move({ run: true }),
  };

  /**
   * A `KubeConfig` of @kubernetes/client-node, which must be installed.
   *
   * @param Config its class; to be given where `import()` cannot load it, as in CommonJS tests of jest
   */
  async kubeConfig(Config?: new () => KubeConfig): Promise<KubeConfig> {
    const config = new (Config ?? (await import('@kubernetes/client-node')).KubeConfig)();
    config.loadFromString(await this.kubeconfig());
    return config;
  }

  async #move(wish: object): Promise<void> {
    await this.#mock('POST', 'clock', wish);
  }

  #mock(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#ask(method, `/_mock/${path}`, body);
  }

  #ask(method: string, path: string, body?: unknown, type?: string): Promise<unknown> {
    return ask(this.#place(), {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { type }),
    });
  }

  async #object<T extends KubeObject>(
    method: string,
    path: string,
    body?: unknown,
    type?: string,
  ): Promise<T> {
    const object = await this.#ask(method, path, body, type);
    if (!isKubeObject(object)) throw new Error(`${method} ${path}: no object was answered`);
    return object as T; // the type is the caller's
  }

  async #pathOf(kind: KindName, name: string, { namespace = NAMESPACE }: InNamespace): Promise<string> {
    return pathOf(await this.#names.find(kind), namespace, name);
  }

  /** The states of one object, from now on, until `taken` answers true. */
  #watched<T extends KubeObject>(
    resource: NamedResource,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    taken: (object: T | undefined) => boolean,
  ): { readonly done: Promise<T | undefined>; readonly stop: () => void } {
    let stop: () => void = () => undefined;
    let stopped = false;
    const path = pathOf(resource, namespace);
    const query = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
    const round = async (): Promise<T | undefined> => {
      const list = (await this.#ask('GET', `${path}?${query}`)) as {
        readonly metadata: { readonly resourceVersion: string };
        readonly items: readonly T[];
      };
      const [now] = list.items;
      if (taken(now)) return now;
      let found: { readonly object: T | undefined } | undefined;
      let thrown: { readonly error: unknown } | undefined;
      const from = `${path}?watch=1&${query}&resourceVersion=${list.metadata.resourceVersion}`;
      const stream = await follow(this.#place(), { method: 'GET', path: from }, (event) => {
        const { type, object } = event as { readonly type: string; readonly object: T }; // of every watch
        if (found !== undefined || thrown !== undefined) return;
        if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return;
        const state = type === 'DELETED' ? undefined : object;
        try {
          if (!taken(state)) return;
          found = { object: state };
        } catch (error) {
          // Thrown from here it would reach nobody but the program.
          thrown = { error };
        }
        stream.stop();
      });
      stop = stream.stop;
      if (stopped) stop();
      await stream.ended;
      if (thrown !== undefined) throw thrown.error;
      return found === undefined && !stopped ? round() : found?.object;
    };
    return {
      done: round(),
      stop: () => {
        stopped = true;
        stop();
      },
    };
  }
}

const APPLY = 'application/apply-patch+yaml';

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? NAMESPACE;
