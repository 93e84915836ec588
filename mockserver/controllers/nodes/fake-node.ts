/** A node that runs every pod that nobody else does, by a table of stages. */
import { formatTime, type Timer } from '../../ground/clock.js';
import { numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, deletionTimestampOf, nameOf, namespaceOf, uidOf } from '../../ground/object.js';
import { StatusError } from '../../ground/status.js';
import { type ControllerClient, isRefusal } from '../client.js';
import { type Controller, type ControllerFrame } from '../controller.js';
import { type LocalView } from '../local-view.js';
import { isFinished } from '../workloads/pod-state.js';
import { type FakeNodeOptions } from './fake-node-options.js';
import { type PodRules } from './pod-rules.js';
import { firstStageAhead, stagesHad, stagesOf } from './pod-stages.js';
import { HOST_IP, reportedStatus } from './pod-status.js';

const PODS = { group: '', resource: 'pods' } as const;
const NODES = { group: '', resource: 'nodes' } as const;

export interface FakeNodeSettings extends Omit<FakeNodeOptions, 'rules'> {
  readonly rules: PodRules;
}

export const fakeNode = (settings: FakeNodeSettings): Controller => ({
  name: 'fake-node',
  start: (frame) => new FakeNode(frame, settings),
});

/** A pod on its way: the stage that comes next, and when. */
interface Course {
  next: number;
  timer: Timer | undefined;
}

class FakeNode {
  readonly #frame: ControllerFrame;
  readonly #name: string;
  readonly #rules: PodRules;
  readonly #pods: LocalView;
  readonly #endAfterMs: number;
  readonly #scheduler: ControllerClient;
  readonly #kubelet: ControllerClient;
  readonly #courses = new Map<string, Course>();
  readonly #steps;
  #addresses = 0;

  constructor(frame: ControllerFrame, { name = 'fake-node', rules, endAfterMs = 0 }: FakeNodeSettings) {
    this.#frame = frame;
    this.#name = name;
    this.#rules = rules;
    this.#endAfterMs = endAfterMs;
    this.#scheduler = frame.clientAs({
      userAgent: 'kube-scheduler/v1.36.3',
      user: { name: 'system:kube-scheduler', uid: '', groups: ['system:authenticated'] },
    });
    this.#kubelet = frame.clientAs({
      userAgent: 'kubelet/v1.36.3',
      user: { name: `system:node:${name}`, uid: '', groups: ['system:nodes', 'system:authenticated'] },
    });
    this.#steps = frame.queue<string>((key) => this.#step(key));
    frame.onStop(() => {
      for (const { timer } of this.#courses.values()) timer?.cancel();
    });
    frame.queue<'node'>(() => this.#register()).add('node');
    frame.onStop(rules.onChange(() => this.#replan()));
    this.#pods = frame.view(PODS, (next, previous) => {
      if (next !== undefined) this.#seen(next);
      else if (previous !== undefined) this.#forget(previous);
    });
  }

  /** A pod of nobody's is taken; one that is told to go goes. */
  #seen(pod: ApiObject): void {
    const node = stringMember(objectMember(pod, 'spec'), 'nodeName') ?? '';
    if (node !== '' && node !== this.#name) return;
    const key = keyOf(pod);
    if (deletionTimestampOf(pod) !== undefined) {
      if (node !== '') this.#courseOf(pod, () => this.#steps.addAfter(key, this.#endingMs(pod)));
      return;
    }
    if (!this.#courses.has(uidOf(pod))) this.#plan(pod, this.#ahead(pod));
  }

  /** How long a pod that is told to go takes. */
  #endingMs({ metadata }: ApiObject): number {
    return Math.min(
      this.#endAfterMs,
      1000 * (numberMember(metadata, 'deletionGracePeriodSeconds') ?? Infinity),
    );
  }

  /** Runs what is to be done for a pod that leaves, once. */
  #courseOf(pod: ApiObject, leave: () => void): void {
    const course = this.#courses.get(uidOf(pod));
    course?.timer?.cancel();
    if (course?.next === Infinity) return;
    this.#courses.set(uidOf(pod), { next: Infinity, timer: undefined });
    leave();
  }

  #forget(pod: ApiObject): void {
    this.#courses.get(uidOf(pod))?.timer?.cancel();
    this.#courses.delete(uidOf(pod));
  }

  #ahead(pod: ApiObject): number {
    return firstStageAhead(stagesOf(pod, this.#rules.all), stagesHad(pod));
  }

  /** The rules have changed: pods that are not about to end go on as these have it. */
  #replan(): void {
    for (const pod of this.#pods) {
      const course = this.#courses.get(uidOf(pod));
      if (course === undefined || course.next === Infinity) continue;
      course.timer?.cancel();
      this.#plan(pod, this.#ahead(pod));
    }
  }

  /** @param next index of the stage that is to come */
  #plan(pod: ApiObject, next: number): void {
    const step = stagesOf(pod, this.#rules.all)[next];
    const course: Course = { next, timer: undefined };
    this.#courses.set(uidOf(pod), course);
    if (step === undefined || isFinished(pod)) return;
    const key = keyOf(pod);
    const { afterMs = 0 } = step;
    if (afterMs === 0) this.#steps.add(key);
    else course.timer = this.#frame.clock.after(afterMs, () => this.#steps.add(key));
  }

  #step(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    const place = { of: PODS, namespace, name };
    const pod = this.#kubelet.get(place);
    const course = pod && this.#courses.get(uidOf(pod));
    if (pod === undefined || course === undefined) return;
    if (deletionTimestampOf(pod) !== undefined) {
      this.#kubelet.delete(place, { gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) } });
      return;
    }
    const stage = stagesOf(pod, this.#rules.all)[course.next]?.stage;
    if (stage === undefined) return;
    try {
      if (stage === 'scheduled') this.#bind(pod);
      else {
        const status = reportedStatus(pod, stage, this.#addressOf(pod), formatTime(this.#frame.clock.now()));
        this.#kubelet.patch(place, 'strategic', { metadata: { uid: uidOf(pod) }, status }, 'status');
      }
    } catch (error) {
      // A server in trouble is asked again. A pod that is refused otherwise stays as it is.
      if (!(error instanceof StatusError) || error.code >= 500) throw error;
      // Somebody else was faster, or it may not be scheduled yet: the next change of the pod brings it back.
      if (isRefusal(error, 'Conflict')) this.#courses.delete(uidOf(pod));
      return;
    }
    this.#steps.forget(key);
    this.#plan(pod, course.next + 1);
  }

  #bind(pod: ApiObject): void {
    const metadata = { name: nameOf(pod), namespace: namespaceOf(pod), uid: uidOf(pod) };
    this.#scheduler.act({ of: PODS, namespace: namespaceOf(pod), name: nameOf(pod) }, 'binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata,
      target: { apiVersion: 'v1', kind: 'Node', name: this.#name },
    });
  }

  #addressOf(pod: ApiObject): string {
    const known = stringMember(objectMember(pod, 'status'), 'podIP') ?? '';
    if (known !== '') return known;
    const number = ++this.#addresses;
    return `10.244.${(number >> 8) & 255}.${number & 255}`;
  }

  /** The node itself, ready, unless somebody has made it already. */
  #register(): void {
    const place = { of: NODES, namespace: '', name: this.#name };
    if (this.#kubelet.get(place) !== undefined) return;
    this.#kubelet.create(NODES, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: this.#name,
        labels: { 'kubernetes.io/hostname': this.#name, 'kubernetes.io/os': 'linux' },
      },
    });
    const now = formatTime(this.#frame.clock.now());
    const resources = { cpu: '32', memory: '256Gi', pods: '10000' };
    this.#kubelet.patch(
      place,
      'strategic',
      {
        status: {
          capacity: resources,
          allocatable: resources,
          addresses: [{ type: 'InternalIP', address: HOST_IP }],
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'KubeletReady',
              message: 'kubelet is posting ready status',
              lastHeartbeatTime: now,
              lastTransitionTime: now,
            },
          ],
        },
      },
      'status',
    );
    // What the node lifecycle controller does once a node is ready.
    this.#kubelet.patch(place, 'merge', { spec: { taints: null } });
  }
}

const keyOf = (pod: ApiObject): string => `${namespaceOf(pod)}/${nameOf(pod)}`;
