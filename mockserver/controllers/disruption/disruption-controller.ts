/** Keeps the status of PodDisruptionBudgets, by which evictions are let through. */
import { stringMember } from '../../ground/json.js';
import { parseApiVersion } from '../../ground/kind.js';
import { type ApiObject, labelsOf, nameOf, namespaceOf, uidOf } from '../../ground/object.js';
import { type Controller, type ControllerFrame } from '../controller.js';
import { type EventRecorder } from '../event-recorder.js';
import { type LocalView } from '../local-view.js';
import { type WorkQueue } from '../work-queue.js';
import { controllerOf } from '../workloads/controller-reference.js';
import { selectorOf } from '../selector-of.js';
import { specNumber } from '../workloads/replicas.js';
import { budgetStatus, needsOf } from './budget-status.js';

const BUDGETS = { group: 'policy', resource: 'poddisruptionbudgets' } as const;
const PODS = { group: '', resource: 'pods' } as const;

export const disruptionController: Controller = {
  name: 'disruption-controller',
  start: (frame) => new DisruptionController(frame),
};

/** Source: kubernetes pkg/controller/disruption/disruption.go. */
class DisruptionController {
  readonly #frame: ControllerFrame;
  readonly #queue: WorkQueue<string>;
  readonly #budgets: LocalView;
  readonly #pods: LocalView;
  readonly #events: EventRecorder;

  constructor(frame: ControllerFrame) {
    this.#frame = frame;
    this.#events = frame.events('controllermanager');
    this.#queue = frame.queue((key) => this.#sync(key));
    this.#budgets = frame.view(BUDGETS, (next) => {
      if (next !== undefined) this.#queue.add(`${namespaceOf(next)}/${nameOf(next)}`);
    });
    this.#pods = frame.view(PODS, (next, previous) => {
      const pod = next ?? previous;
      if (pod === undefined) return;
      for (const budget of this.#budgets.inNamespace(namespaceOf(pod)))
        if (selectorOf(budget)?.matches(labelsOf(pod)))
          this.#queue.add(`${namespaceOf(budget)}/${nameOf(budget)}`);
    });
  }

  #sync(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined) return;
    const selector = selectorOf(budget);
    const pods = [...this.#pods.inNamespace(namespace)].filter((pod) => selector?.matches(labelsOf(pod)));
    if (pods.length === 0) {
      this.#events.record(budget, { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
    }
    const nowMs = this.#frame.clock.now();
    const needs = needsOf(budget, pods.length, () => this.#scaleOf(pods));
    const { status, recheckAtMs } = budgetStatus(budget, pods, needs, nowMs);
    if (recheckAtMs !== undefined) this.#queue.addAfter(key, recheckAtMs - nowMs);
    if (status !== undefined) this.#frame.client.update(BUDGETS, { ...budget, status }, 'status');
    this.#queue.forget(key);
  }

  /** How many pods their owners want in all. */
  #scaleOf(pods: readonly ApiObject[]): number {
    const sizes = new Map<string, number>();
    for (const pod of pods) {
      const owner = this.#ownerOf(pod);
      if (owner !== undefined) sizes.set(uidOf(owner), specNumber(owner, 'replicas', 1));
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Whoever decides how many there are: of a Deployment's pods, that one. */
  #ownerOf(object: ApiObject): ApiObject | undefined {
    const reference = controllerOf(object);
    const version = parseApiVersion(stringMember(reference, 'apiVersion') ?? '');
    if (reference === undefined || version === undefined) return undefined;
    const kind = stringMember(reference, 'kind') ?? '';
    const resource = this.#frame.cluster.resources.findKind({ ...version, kind });
    const owner =
      resource &&
      this.#frame.client.get({
        of: resource.store.groupResource,
        namespace: namespaceOf(object),
        name: stringMember(reference, 'name') ?? '',
      });
    if (owner === undefined || uidOf(owner) !== stringMember(reference, 'uid')) return undefined;
    return this.#ownerOf(owner) ?? owner;
  }
}
