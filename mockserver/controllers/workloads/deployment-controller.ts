/** Deployments: which of them is to be looked at, and when. */
import { jsonEqual, stringMember, type JsonObject } from '../../ground/json.js';
import { type ApiObject, labelsOf, nameOf, namespaceOf, uidOf } from '../../ground/object.js';
import { type Controller, type ControllerFrame } from '../controller.js';
import { type EventRecorder } from '../event-recorder.js';
import { type LocalView } from '../local-view.js';
import { type WorkQueue } from '../work-queue.js';
import { claimed } from './claim.js';
import { controllerOf } from './controller-reference.js';
import { byAge, isRolling } from './deployment-facts.js';
import { DeploymentSync } from './deployment-sync.js';
import { selectorOf } from '../selector-of.js';

const NAME = 'deployment-controller';
const DEPLOYMENTS = { group: 'apps', resource: 'deployments' } as const;
const SETS = { group: 'apps', resource: 'replicasets' } as const;
const PODS = { group: '', resource: 'pods' } as const;

export const deploymentController: Controller = {
  name: NAME,
  start: (frame) => new DeploymentController(frame),
};

const keyOf = (object: ApiObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/** Source: kubernetes pkg/controller/deployment/deployment_controller.go. */
class DeploymentController {
  readonly #frame: ControllerFrame;
  readonly #queue: WorkQueue<string>;
  readonly #deployments: LocalView;
  readonly #sets: LocalView;
  readonly #pods: LocalView;
  readonly #events: EventRecorder;

  constructor(frame: ControllerFrame) {
    this.#frame = frame;
    this.#events = frame.events(NAME);
    this.#queue = frame.queue((key) => this.#sync(key));
    this.#deployments = frame.view(DEPLOYMENTS, (next, previous) => {
      const deployment = next ?? previous;
      if (deployment !== undefined) this.#queue.add(keyOf(deployment));
    });
    this.#sets = frame.view(SETS, (next, previous) => this.#setChanged(next, previous));
    this.#pods = frame.view(PODS, (next, previous) => {
      if (next === undefined && previous !== undefined) this.#podGone(previous);
    });
  }

  #setChanged(next: ApiObject | undefined, previous: ApiObject | undefined): void {
    const set = next ?? previous;
    if (set === undefined) return;
    const before = previous && controllerOf(previous);
    const after = controllerOf(set);
    const moved = !jsonEqual(before, after);
    if (moved && before !== undefined) this.#enqueueOwner(namespaceOf(set), before);
    if (after !== undefined) {
      this.#enqueueOwner(namespaceOf(set), after);
      return;
    }
    if (next === undefined) return;
    const relabeled = previous === undefined || !jsonEqual(labelsOf(previous), labelsOf(next));
    if (!relabeled && !moved) return;
    for (const deployment of this.#deployments.inNamespace(namespaceOf(set)))
      if (selectorOf(deployment)?.matches(labelsOf(set))) this.#queue.add(keyOf(deployment));
  }

  #enqueueOwner(namespace: string, reference: JsonObject): void {
    const owner = this.#deployments.get(namespace, stringMember(reference, 'name') ?? '');
    if (owner !== undefined && uidOf(owner) === stringMember(reference, 'uid')) this.#queue.add(keyOf(owner));
  }

  /** With Recreate the last old pod was waited for. */
  #podGone(pod: ApiObject): void {
    const set = this.#sets.get(namespaceOf(pod), stringMember(controllerOf(pod), 'name') ?? '');
    const reference = set && controllerOf(set);
    const name = stringMember(reference, 'name') ?? '';
    const deployment = this.#deployments.get(namespaceOf(pod), name);
    if (deployment === undefined || isRolling(deployment)) return;
    const left = [...this.#sets.inNamespace(namespaceOf(pod))]
      .filter((one) => stringMember(controllerOf(one), 'uid') === uidOf(deployment))
      .some((one) => this.#podsOf(one).length > 0);
    if (!left) this.#queue.add(keyOf(deployment));
  }

  #podsOf(set: ApiObject): ApiObject[] {
    return [...this.#pods.inNamespace(namespaceOf(set))].filter(
      (pod) => stringMember(controllerOf(pod), 'uid') === uidOf(set),
    );
  }

  #sync(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    const deployment = this.#deployments.get(namespace, name);
    const selector = deployment && selectorOf(deployment);
    if (deployment === undefined || selector === undefined) return;
    const claim = {
      client: this.#frame.client,
      owner: deployment,
      ownerOf: DEPLOYMENTS,
      selector,
      of: SETS,
    };
    const sets = claimed(claim, this.#sets.inNamespace(namespace)).sort(byAge);
    new DeploymentSync({
      frame: this.#frame,
      events: this.#events,
      podsOf: (set) => this.#podsOf(set),
      lookAgain: (delayMs) => this.#queue.addAfter(key, delayMs),
      deployment,
      sets,
    }).run();
    this.#queue.forget(key);
  }
}
