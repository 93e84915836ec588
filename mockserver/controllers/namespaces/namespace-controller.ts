/** Empties namespaces that are to end, and then lets them end. */
import { formatTime, timeMs } from '../../ground/clock.js';
import { numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type GroupResource, qualifiedName } from '../../ground/kind.js';
import { type ApiObject, deletionTimestampOf, finalizersOf, nameOf } from '../../ground/object.js';
import { StatusError } from '../../ground/status.js';
import { specFinalizersOf } from '../../registry/kinds/namespace.js';
import { type Resource } from '../../registry/resource.js';
import { scopeRange } from '../../store/key.js';
import { isRefusal } from '../client.js';
import { type Controller, type ControllerFrame } from '../controller.js';
import { type WorkQueue } from '../work-queue.js';
import { type DeletionReport, type Remains, reported } from './deletion-conditions.js';

const NAMESPACES = { group: '', resource: 'namespaces' } as const;
const PODS = { group: '', resource: 'pods' } as const;
const OWN_FINALIZER = 'kubernetes';
/** Clients that do not know yet that the namespace ends may still have created something in it. */
const DELAY_MS = 5000;
/** How long finalizers are expected to take. */
const FINALIZER_SECONDS = 15;

export const namespaceController: Controller = {
  name: 'namespace-controller',
  start: (frame) => new NamespaceController(frame),
};

interface Emptied {
  readonly remains: readonly Remains[];
  readonly errors: readonly string[];
  /** Seconds that what is left may take. */
  readonly estimate: number;
}

/** Source: kubernetes pkg/controller/namespace and its deletion/namespaced_resources_deleter.go. */
class NamespaceController {
  readonly #frame: ControllerFrame;
  readonly #queue: WorkQueue<string>;

  constructor(frame: ControllerFrame) {
    this.#frame = frame;
    this.#queue = frame.queue((name) => this.#sync(name));
    frame.view(NAMESPACES, (next) => {
      if (next !== undefined && deletionTimestampOf(next) !== undefined)
        this.#queue.addAfter(nameOf(next), DELAY_MS);
    });
  }

  async #sync(name: string): Promise<void> {
    const namespace = this.#frame.client.get({ of: NAMESPACES, namespace: '', name });
    if (namespace === undefined || deletionTimestampOf(namespace) === undefined) return;
    if (specFinalizersOf(namespace).length === 0) return;
    const { estimate, errors } = await this.#empty(name);
    if (estimate > 0) {
      this.#queue.addAfter(name, (Math.floor(estimate / 2) + 1) * 1000);
    } else if (errors.length > 0) {
      this.#queue.retry(name);
    } else {
      this.#finalize(name);
      this.#queue.forget(name);
    }
  }

  /** Asks everything in the namespace to go, and says in its status what stayed. */
  async #empty(name: string): Promise<Emptied> {
    // While pods are there nothing else goes: they may need it.
    const pods = await this.#emptied([PODS], name);
    if (pods.remains.length > 0) {
      this.#report(name, { errors: pods.errors, remains: [] });
      return pods;
    }
    const emptied = await this.#emptied(this.#otherResources(), name);
    this.#report(name, emptied);
    return emptied;
  }

  async #emptied(resources: readonly GroupResource[], namespace: string): Promise<Emptied> {
    const remains: Remains[] = [];
    const errors: string[] = [];
    let estimate = 0;
    for (const of of resources) {
      const resource = this.#frame.cluster.resources.findStored(of.group, of.resource);
      if (resource === undefined) continue;
      const grace = of === PODS ? this.#graceOf(namespace) : 0;
      try {
        if (this.#objects(resource, namespace).length > 0)
          await this.#frame.client.deleteCollection(of, namespace, { propagationPolicy: 'Background' });
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        errors.push(error.message);
      }
      const left = remainsOf(resource, this.#objects(resource, namespace));
      if (left.count === 0) continue;
      remains.push(left);
      if (grace > 0) estimate = Math.max(estimate, grace);
      else if (left.finalizers.size > 0) estimate = Math.max(estimate, FINALIZER_SECONDS);
      else {
        const { group, resource: plural } = of;
        errors.push(
          `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${resource.version}, Resource=${plural}`,
        );
      }
    }
    return { remains, errors, estimate };
  }

  #otherResources(): GroupResource[] {
    const found = new Map<string, GroupResource>();
    for (const { namespaced, verbs, store, conversion } of this.#frame.cluster.resources) {
      const name = qualifiedName(store.groupResource);
      if (!namespaced || conversion !== undefined || !verbs.includes('deletecollection')) continue;
      if (name !== PODS.resource) found.set(name, store.groupResource);
    }
    return [...found.values()];
  }

  #objects({ store }: Resource, namespace: string): readonly ApiObject[] {
    return this.#frame.cluster.store
      .range(scopeRange(store.prefix, namespace))
      .items.map(({ object }) => object);
  }

  /** The longest grace of its pods in seconds; 0 when that much time has passed since its deletion. */
  #graceOf(name: string): number {
    const { cluster, client, clock } = this.#frame;
    const resource = cluster.resources.findStored(PODS.group, PODS.resource);
    const namespace = client.get({ of: NAMESPACES, namespace: '', name });
    if (resource === undefined || namespace === undefined) return 0;
    const longest = this.#objects(resource, name).map(graceSeconds).reduce(larger, 0);
    const deletedAt = timeMs(deletionTimestampOf(namespace) ?? '');
    return clock.now() - deletedAt >= longest * 1000 ? 0 : longest;
  }

  #report(name: string, report: DeletionReport): void {
    const { client, clock } = this.#frame;
    const namespace = client.get({ of: NAMESPACES, namespace: '', name });
    const next = namespace && reported(namespace, report, formatTime(clock.now()));
    if (next !== undefined) client.update(NAMESPACES, next, 'status');
  }

  #finalize(name: string): void {
    const { client } = this.#frame;
    const namespace = client.get({ of: NAMESPACES, namespace: '', name });
    if (namespace === undefined) return;
    const finalizers = specFinalizersOf(namespace).filter((one) => one !== OWN_FINALIZER);
    try {
      client.update(NAMESPACES, { ...namespace, spec: { finalizers } }, 'finalize');
    } catch (error) {
      if (!isRefusal(error, 'NotFound')) throw error;
    }
  }
}

const larger = (a: number, b: number): number => Math.max(a, b);

function remainsOf({ store }: Resource, objects: readonly ApiObject[]): Remains {
  const { group, resource } = store.groupResource;
  const finalizers = new Map<string, number>();
  for (const object of objects)
    for (const one of finalizersOf(object)) finalizers.set(one, (finalizers.get(one) ?? 0) + 1);
  return { resource: `${resource}.${group}`, count: objects.length, finalizers };
}

function graceSeconds(pod: ApiObject): number {
  const phase = stringMember(objectMember(pod, 'status'), 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return 0;
  return numberMember(objectMember(pod, 'spec'), 'terminationGracePeriodSeconds') ?? 0;
}
