/** ReplicaSets have as many pods as they want. */
import { formatTime } from '../../ground/clock.js';
import { jsonEqual, stringMember, type JsonObject } from '../../ground/json.js';
import {
  type ApiObject,
  deletionTimestampOf,
  labelsOf,
  nameOf,
  namespaceOf,
  uidOf,
} from '../../ground/object.js';
import { StatusError } from '../../ground/status.js';
import { isOfEndingNamespace, isRefusal } from '../client.js';
import { type Controller, type ControllerFrame, type Pieces } from '../controller.js';
import { type LocalView } from '../local-view.js';
import { type WorkQueue } from '../work-queue.js';
import { claimed } from './claim.js';
import { controllerOf, isControlledBy } from './controller-reference.js';
import { inDeletionOrder } from './deletion-order.js';
import { createPod, deletePod, type PodControl } from './pod-control.js';
import { availableAtMs, isActive, isReady, isTerminating } from './pod-state.js';
import { replicaSetStatus } from './replica-set-status.js';
import { specNumber } from './replicas.js';
import { selectorOf } from '../selector-of.js';

const NAME = 'replicaset-controller';
const SETS = { group: 'apps', resource: 'replicasets' } as const;
const PODS = { group: '', resource: 'pods' } as const;
/** Pods made or deleted at once. */
const BURST = 500;

export const replicaSetController: Controller = {
  name: NAME,
  start: (frame) => new ReplicaSetController(frame),
};

const keyOf = (object: ApiObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/** Source: kubernetes pkg/controller/replicaset/replica_set.go. */
class ReplicaSetController {
  readonly #frame: ControllerFrame;
  readonly #queue: WorkQueue<string>;
  readonly #sets: LocalView;
  readonly #pods: LocalView;
  readonly #control: PodControl;

  constructor(frame: ControllerFrame) {
    this.#frame = frame;
    this.#control = { client: frame.client, events: frame.events(NAME) };
    this.#queue = frame.queue((key) => this.#sync(key));
    this.#sets = frame.view(SETS, (next, previous) => {
      const set = next ?? previous;
      if (set !== undefined) this.#queue.add(keyOf(set));
    });
    this.#pods = frame.view(PODS, (next, previous) => this.#podChanged(next, previous));
  }

  /** Whoever has, had or may want the pod looks at it. */
  #podChanged(next: ApiObject | undefined, previous: ApiObject | undefined): void {
    const pod = next ?? previous;
    if (pod === undefined) return;
    const before = previous && controllerOf(previous);
    const after = controllerOf(pod);
    const moved = !jsonEqual(before, after);
    if (moved && before !== undefined) this.#enqueue(namespaceOf(pod), before);
    if (after !== undefined) {
      const set = this.#enqueue(namespaceOf(pod), after);
      const wait = set === undefined ? 0 : specNumber(set, 'minReadySeconds', 0);
      const gotReady = previous !== undefined && !isReady(previous) && isReady(pod);
      if (set !== undefined && wait > 0 && gotReady) this.#queue.addAfter(keyOf(set), wait * 1000);
      return;
    }
    if (next === undefined) return;
    const relabeled = previous === undefined || !jsonEqual(labelsOf(previous), labelsOf(next));
    if (!relabeled && !moved) return;
    for (const set of this.#sets.inNamespace(namespaceOf(pod)))
      if (selectorOf(set)?.matches(labelsOf(pod))) this.#queue.add(keyOf(set));
  }

  #enqueue(namespace: string, reference: JsonObject): ApiObject | undefined {
    const set = this.#sets.get(namespace, stringMember(reference, 'name') ?? '');
    if (set === undefined || uidOf(set) !== stringMember(reference, 'uid')) return undefined;
    this.#queue.add(keyOf(set));
    return set;
  }

  *#sync(key: string): Pieces {
    const [namespace = '', name = ''] = key.split('/');
    const set = this.#sets.get(namespace, name);
    const selector = set && selectorOf(set);
    if (set === undefined || selector === undefined) return;
    const pods = [...this.#pods.inNamespace(namespace)];
    const claim = { client: this.#frame.client, owner: set, ownerOf: SETS, selector, of: PODS };
    const active = claimed(claim, pods.filter(isActive));
    const terminating = pods.filter(
      (pod) => isTerminating(pod) && isControlledBy(pod, set) && selector.matches(labelsOf(pod)),
    );
    const error = deletionTimestampOf(set) === undefined ? yield* this.#scaled(set, active) : undefined;
    const nowMs = this.#frame.clock.now();
    const status = replicaSetStatus(set, { active, terminating }, error?.message, nowMs, formatTime(nowMs));
    if (status !== undefined) this.#writeStatus(set, status);
    if (error !== undefined) throw error;
    this.#awaitAvailability(key, set, active, nowMs);
    this.#queue.forget(key);
  }

  /** Makes or deletes pods. Shape: what kept it from doing so. */
  *#scaled(set: ApiObject, active: readonly ApiObject[]): Generator<undefined, StatusError | undefined> {
    const missing = specNumber(set, 'replicas', 1) - active.length;
    try {
      if (missing > 0) yield* this.#create(set, Math.min(missing, BURST));
      else if (missing < 0) yield* this.#delete(set, active, Math.min(-missing, BURST));
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  /**
   * Makes pods in batches that double, so that where one is refused not all are tried. What is refused within a batch
   * does not keep back the rest of it.
   */
  *#create(set: ApiObject, count: number): Pieces {
    let left = count;
    for (let batch = 1; left > 0; batch *= 2) {
      const size = Math.min(batch, left);
      let refusal: StatusError | undefined;
      for (let i = 0; i < size; i++) {
        try {
          createPod(this.#control, set);
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
          if (!isOfEndingNamespace(error)) refusal = error;
        }
        yield;
      }
      if (refusal !== undefined) throw refusal;
      left -= size;
    }
  }

  *#delete(set: ApiObject, active: readonly ApiObject[], count: number): Pieces {
    const order = inDeletionOrder(active, this.#related(set), this.#frame.clock.now());
    for (const pod of order.slice(0, count)) {
      deletePod(this.#control, set, pod);
      yield;
    }
  }

  /** The pods of all sets of the same owner. */
  #related(set: ApiObject): ApiObject[] {
    const owner = controllerOf(set);
    const namespace = namespaceOf(set);
    const siblings = [...this.#sets.inNamespace(namespace)].filter((other) =>
      owner === undefined
        ? other === set
        : stringMember(controllerOf(other), 'uid') === stringMember(owner, 'uid'),
    );
    const selectors = siblings.map(selectorOf);
    return [...this.#pods.inNamespace(namespace)].filter((pod) =>
      selectors.some((selector) => selector?.matches(labelsOf(pod))),
    );
  }

  /** Written once more where the set has changed meanwhile. */
  #writeStatus(set: ApiObject, status: JsonObject): void {
    const { client } = this.#frame;
    try {
      client.update(SETS, { ...set, status }, 'status');
    } catch (error) {
      if (!isRefusal(error, 'Conflict')) throw error;
      const live = client.get({ of: SETS, namespace: namespaceOf(set), name: nameOf(set) });
      if (live !== undefined) client.update(SETS, { ...live, status }, 'status');
    }
  }

  /** Looks again when the next of the ready pods becomes available. */
  #awaitAvailability(key: string, set: ApiObject, active: readonly ApiObject[], nowMs: number): void {
    const minReadySeconds = specNumber(set, 'minReadySeconds', 0);
    const times = active.map((pod) => availableAtMs(pod, minReadySeconds)).filter((at) => at !== undefined);
    const next = Math.min(...times.filter((at) => at > nowMs));
    if (Number.isFinite(next)) this.#queue.addAfter(key, next - nowMs);
  }
}
