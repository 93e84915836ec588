/** One look at one deployment: what it finds, and what it writes. */
import { formatTime } from '../../ground/clock.js';
import {
  booleanMember,
  jsonEqual,
  member,
  numberMember,
  objectMember,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import {
  type ApiObject,
  deletionTimestampOf,
  editMetadata,
  generationOf,
  nameOf,
  namespaceOf,
  uidOf,
  withMetadata,
} from '../../ground/object.js';
import { StatusError } from '../../ground/status.js';
import { isOfEndingNamespace, isRefusal } from '../client.js';
import { type ControllerFrame } from '../controller.js';
import { type EventRecorder } from '../event-recorder.js';
import { controllerOf } from './controller-reference.js';
import {
  annotationsOf,
  byAge,
  historyLimit,
  isActiveSet,
  isRolling,
  progressDeadline,
  REVISION,
  revisionOf,
  ROLLBACK_TO,
  sameTemplate,
  templateOf,
  wantedReplicas,
  withAnnotations,
  without,
  withoutHash,
} from './deployment-facts.js';
import {
  conditionOf,
  countedStatus,
  dueAtMs,
  type Finding,
  isComplete,
  PROGRESSING,
  type Rollout,
  rolloutStatus,
  statusOf,
  TIMED_OUT,
  withCondition,
} from './deployment-status.js';
import { isShared, newReplicaSet, withRevision, withSize } from './new-replica-set.js';
import { isFinished } from './pod-state.js';
import { podTemplateHash } from './pod-template-hash.js';
import { specNumber, statusNumber } from './replicas.js';
import { isScaling, nextSize, type Resize, scaledSets, shrunkSets } from './rollout-plan.js';

const DEPLOYMENTS = { group: 'apps', resource: 'deployments' } as const;
const SETS = { group: 'apps', resource: 'replicasets' } as const;
const PAUSED = 'DeploymentPaused';

export interface SyncParts {
  readonly frame: ControllerFrame;
  readonly events: EventRecorder;
  readonly podsOf: (set: ApiObject) => readonly ApiObject[];
  readonly lookAgain: (delayMs: number) => void;
  readonly deployment: ApiObject;
  /** Oldest first. */
  readonly sets: readonly ApiObject[];
}

/**
 * One look at one deployment. It goes on with the copy that it began with, as a real controller does: what it writes
 * twice fails the second time, and the next look, which sees the first write, does it.
 */
export class DeploymentSync {
  readonly #parts: SyncParts;
  #deployment: ApiObject;
  readonly #current: ApiObject | undefined;
  readonly #old: readonly ApiObject[];

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.#deployment = parts.deployment;
    const template = templateOf(parts.deployment);
    this.#current = parts.sets.find((set) => sameTemplate(templateOf(set), template));
    this.#old = parts.sets.filter((set) => set !== this.#current);
  }

  run(): void {
    const { deployment, sets } = this.#parts;
    if (deletionTimestampOf(deployment) !== undefined) {
      const current = this.#found();
      this.#writeStatus(countedStatus(this.#rollout(current), this.#now));
      return;
    }
    this.#notePause();
    if (booleanMember(objectMember(deployment, 'spec'), 'paused') === true) this.#resize();
    else if (rollbackRevision(deployment) !== undefined) this.#rollBack();
    else {
      const current = this.#found();
      if (isScaling(deployment, current === undefined ? sets : this.#all(current))) this.#resize();
      else if (isRolling(deployment)) this.#roll();
      else this.#recreate();
    }
  }

  get #nowMs(): number {
    return this.#parts.frame.clock.now();
  }

  get #now(): string {
    return formatTime(this.#nowMs);
  }

  #all(current: ApiObject | undefined): readonly ApiObject[] {
    return current === undefined ? this.#old : [...this.#old, current];
  }

  #rollout(current: ApiObject | undefined): Rollout {
    return { deployment: this.#deployment, current, sets: this.#all(current) };
  }

  /** So that nobody times out while the deployment is paused. */
  #notePause(): void {
    if (progressDeadline(this.#deployment) === undefined) return;
    const reason = stringMember(conditionOf(statusOf(this.#deployment), PROGRESSING), 'reason');
    if (reason === TIMED_OUT) return;
    const paused = booleanMember(objectMember(this.#deployment, 'spec'), 'paused') === true;
    if (paused === (reason === PAUSED)) return;
    this.#note({
      type: PROGRESSING,
      status: 'Unknown',
      reason: paused ? PAUSED : 'DeploymentResumed',
      message: `Deployment is ${paused ? 'paused' : 'resumed'}`,
    });
    this.#update();
  }

  /** The set of the deployment's template, brought up to its annotations; undefined when there is none. */
  #found(): ApiObject | undefined {
    const current = this.#current;
    if (current === undefined) return undefined;
    const { client } = this.#parts.frame;
    const minReadySeconds = specNumber(this.#deployment, 'minReadySeconds', 0);
    const next = withRevision(current, this.#deployment, this.#nextRevision());
    const annotated = !jsonEqual(annotationsOf(next), annotationsOf(current));
    if (annotated || specNumber(current, 'minReadySeconds', 0) !== minReadySeconds) {
      return client.update(SETS, { ...next, spec: { ...objectMember(next, 'spec'), minReadySeconds } });
    }
    const revised = this.#noteRevision(stringMember(annotationsOf(current), REVISION) ?? '');
    const unknown =
      progressDeadline(this.#deployment) !== undefined &&
      conditionOf(statusOf(this.#deployment), PROGRESSING) === undefined;
    if (unknown) {
      this.#note({
        type: PROGRESSING,
        status: 'True',
        reason: 'FoundNewReplicaSet',
        message: `Found new replica set ${JSON.stringify(nameOf(current))}`,
      });
    }
    if (revised || unknown) this.#update();
    return current;
  }

  #foundOrMade(): ApiObject {
    return this.#found() ?? this.#make();
  }

  #make(): ApiObject {
    const { frame, events } = this.#parts;
    const count = member(statusOf(this.#deployment), 'collisionCount');
    const hash = podTemplateHash(
      frame.cluster.api.goLayouts,
      templateOf(this.#deployment),
      typeof count === 'number' ? count : undefined,
    );
    const revision = this.#nextRevision();
    const bare = newReplicaSet(this.#deployment, hash);
    const replicas = nextSize(this.#deployment, this.#old, 0);
    const sized = withSize(withRevision(bare, this.#deployment, revision), this.#deployment);
    const wish = { ...sized, spec: { ...objectMember(sized, 'spec'), replicas } };
    let made: ApiObject;
    try {
      made = frame.client.create(SETS, wish);
    } catch (error) {
      if (isRefusal(error, 'AlreadyExists')) return this.#sameNamed(wish, error);
      if (error instanceof StatusError && !isOfEndingNamespace(error)) this.#noteFailure(wish, error);
      throw error;
    }
    if (replicas > 0) {
      events.record(this.#deployment, {
        type: 'Normal',
        reason: 'ScalingReplicaSet',
        message: `Scaled up replica set ${nameOf(made)} from 0 to ${replicas}`,
      });
    }
    const revised = this.#noteRevision(String(revision));
    if (progressDeadline(this.#deployment) !== undefined) {
      this.#note({
        type: PROGRESSING,
        status: 'True',
        reason: 'NewReplicaSetCreated',
        message: `Created new replica set ${JSON.stringify(nameOf(made))}`,
      });
      this.#update();
    } else if (revised) this.#update();
    return made;
  }

  /** The set that has the name already: our own, seen late, or another template's, which needs another hash. */
  #sameNamed(wish: ApiObject, refusal: unknown): ApiObject {
    const place = { of: SETS, namespace: namespaceOf(wish), name: nameOf(wish) };
    const found = this.#parts.frame.client.get(place);
    const own = found && stringMember(controllerOf(found), 'uid') === uidOf(this.#deployment);
    if (
      found !== undefined &&
      own === true &&
      sameTemplate(templateOf(found), templateOf(this.#deployment))
    ) {
      if (this.#noteRevision(String(this.#nextRevision()))) this.#update();
      return found;
    }
    const status = statusOf(this.#deployment);
    const collisionCount = (numberMember(status, 'collisionCount') ?? 0) + 1;
    this.#deployment = { ...this.#deployment, status: { ...status, collisionCount } };
    this.#update();
    throw refusal instanceof Error ? refusal : new Error(String(refusal));
  }

  #noteFailure(wish: ApiObject, error: StatusError): void {
    const message = `Failed to create new replica set ${JSON.stringify(nameOf(wish))}: ${error.message}`;
    const reason = 'ReplicaSetCreateError';
    if (progressDeadline(this.#deployment) !== undefined) {
      this.#note({ type: PROGRESSING, status: 'False', reason, message });
      this.#update();
    }
    this.#parts.events.record(this.#deployment, { type: 'Warning', reason, message });
  }

  #nextRevision(): number {
    return Math.max(0, ...this.#old.map(revisionOf).filter((one) => !Number.isNaN(one))) + 1;
  }

  #noteRevision(revision: string): boolean {
    if (stringMember(annotationsOf(this.#deployment), REVISION) === revision) return false;
    this.#deployment = withAnnotations(this.#deployment, {
      ...annotationsOf(this.#deployment),
      [REVISION]: revision,
    });
    return true;
  }

  #note(finding: Finding): void {
    const status = withCondition(statusOf(this.#deployment), finding, this.#now);
    this.#deployment = { ...this.#deployment, status };
  }

  #update(): void {
    this.#parts.frame.client.update(DEPLOYMENTS, this.#deployment, 'status');
  }

  #writeStatus(status: JsonObject): boolean {
    if (jsonEqual(status, statusOf(this.#deployment))) return false;
    this.#deployment = { ...this.#deployment, status };
    this.#update();
    return true;
  }

  /** The deployment has another size, or is paused: its sets are resized and nothing is rolled out. */
  #resize(): void {
    const current = this.#found();
    const { resizes, always } = scaledSets(this.#deployment, this.#old, current);
    for (const resize of resizes) this.#scale(resize, always);
    if (booleanMember(objectMember(this.#deployment, 'spec'), 'paused') === true) this.#forgetOldSets();
    this.#writeStatus(countedStatus(this.#rollout(current), this.#now));
  }

  #roll(): void {
    const current = this.#foundOrMade();
    const wanted = wantedReplicas(this.#deployment);
    const own = wantedReplicas(current);
    const size = own >= wanted ? wanted : nextSize(this.#deployment, this.#all(current), own);
    const grown = this.#scale({ set: current, replicas: size }, false);
    const shrunk =
      !grown && this.#shrink(shrunkSets(this.#deployment, this.#old.filter(isActiveSet), current));
    if (!grown && !shrunk && isComplete(this.#deployment, statusOf(this.#deployment))) this.#forgetOldSets();
    this.#writeProgress(current);
  }

  /** Source: kubernetes pkg/controller/deployment/recreate.go. */
  #recreate(): void {
    const found = this.#found();
    const emptied = this.#old.filter(isActiveSet).map((set) => ({ set, replicas: 0 }));
    const shrunk = this.#shrink(emptied);
    if (shrunk || this.#oldPodsRun()) {
      this.#writeProgress(found);
      return;
    }
    const current = found ?? this.#make();
    this.#scale({ set: current, replicas: wantedReplicas(this.#deployment) }, false);
    if (isComplete(this.#deployment, statusOf(this.#deployment))) this.#forgetOldSets();
    this.#writeProgress(current);
  }

  #oldPodsRun(): boolean {
    return this.#old.some(
      (set) => statusNumber(set, 'replicas') > 0 || this.#parts.podsOf(set).some((pod) => !isFinished(pod)),
    );
  }

  #writeProgress(current: ApiObject | undefined): void {
    const status = rolloutStatus(this.#rollout(current), this.#nowMs, this.#now);
    if (!this.#writeStatus(status)) this.#awaitDeadline(status);
  }

  /** A rollout that stands still is looked at again when it is overdue. */
  #awaitDeadline(status: JsonObject): void {
    const due = dueAtMs(this.#deployment, status);
    const reason = stringMember(conditionOf(status, PROGRESSING), 'reason');
    if (due === undefined || reason === TIMED_OUT || isComplete(this.#deployment, status)) return;
    const left = due - this.#nowMs;
    this.#parts.lookAgain(left < 1000 ? Math.max(left, 0) + 1 : left + 1000);
  }

  /** Errors of one resize leave the others for the next look. Shape: whether anything changed. */
  #shrink(resizes: readonly Resize[]): boolean {
    let shrunk = false;
    for (const resize of resizes) shrunk = this.#scale(resize, false) || shrunk;
    return shrunk;
  }

  /**
   * @param always a set that keeps its size is told the deployment's, too
   * Shape: whether the size changed.
   */
  #scale({ set, replicas }: Resize, always: boolean): boolean {
    const { frame, events } = this.#parts;
    const before = wantedReplicas(set);
    if (before === replicas && !always) return false;
    const next = withSize(set, this.#deployment);
    const told = jsonEqual(annotationsOf(next), annotationsOf(set));
    if (before === replicas && told) return false;
    frame.client.update(SETS, { ...next, spec: { ...objectMember(next, 'spec'), replicas } });
    if (before === replicas) return false;
    events.record(this.#deployment, {
      type: 'Normal',
      reason: 'ScalingReplicaSet',
      message: `Scaled ${before < replicas ? 'up' : 'down'} replica set ${nameOf(set)} from ${before} to ${replicas}`,
    });
    return true;
  }

  /** Old sets beyond the history limit go, the lowest revisions first. */
  #forgetOldSets(): void {
    const limit = historyLimit(this.#deployment);
    if (limit === undefined) return;
    const alive = this.#old.filter((set) => deletionTimestampOf(set) === undefined);
    const order = [...alive].sort((a, b) => revisionOf(a) - revisionOf(b) || byAge(a, b));
    for (const set of order.slice(0, Math.max(0, alive.length - limit))) {
      const unused = statusNumber(set, 'replicas') === 0 && wantedReplicas(set) === 0;
      if (!unused || generationOf(set) > statusNumber(set, 'observedGeneration')) continue;
      try {
        this.#parts.frame.client.delete({ of: SETS, namespace: namespaceOf(set), name: nameOf(set) });
      } catch (error) {
        if (!isRefusal(error, 'NotFound')) throw error;
      }
    }
  }

  /** The older way of going back, by an annotation. Source: kubernetes pkg/controller/deployment/rollback.go. */
  #rollBack(): void {
    const all = this.#all(this.#foundOrMade());
    const asked = rollbackRevision(this.#deployment) ?? 0;
    const known = all.map(revisionOf).filter((one) => !Number.isNaN(one));
    const revision = asked === 0 ? (known.sort((a, b) => b - a)[1] ?? 0) : asked;
    const target = revision === 0 ? undefined : all.find((set) => revisionOf(set) === revision);
    if (target === undefined) {
      const which =
        asked === 0 ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
      this.#warn('DeploymentRollbackRevisionNotFound', which);
      this.#endRollback(this.#deployment);
    } else if (sameTemplate(templateOf(target), templateOf(this.#deployment))) {
      this.#warn(
        'DeploymentRollbackTemplateUnchanged',
        `The rollback revision contains the same template as current deployment ${JSON.stringify(nameOf(this.#deployment))}`,
      );
      this.#endRollback(this.#deployment);
    } else {
      this.#endRollback(withTemplateOf(this.#deployment, target));
      this.#parts.events.record(this.#deployment, {
        type: 'Normal',
        reason: 'DeploymentRollback',
        message: `Rolled back deployment ${JSON.stringify(nameOf(this.#deployment))} to revision ${revision}`,
      });
    }
  }

  #warn(reason: string, message: string): void {
    this.#parts.events.record(this.#deployment, { type: 'Warning', reason, message });
  }

  #endRollback(deployment: ApiObject): void {
    const annotations = without(annotationsOf(deployment), ROLLBACK_TO);
    this.#parts.frame.client.update(DEPLOYMENTS, withAnnotations(deployment, annotations));
  }
}

/** Undefined: none is asked for; 0: the one before. */
function rollbackRevision(deployment: ApiObject): number | undefined {
  const text = stringMember(annotationsOf(deployment), ROLLBACK_TO) ?? '';
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

function withTemplateOf(deployment: ApiObject, set: ApiObject): ApiObject {
  const shared = Object.entries(annotationsOf(set)).filter(([name]) => isShared(name));
  const own = Object.entries(annotationsOf(deployment)).filter(([name]) => !isShared(name));
  const annotations = Object.fromEntries([...own, ...shared]);
  return {
    ...withMetadata(deployment, editMetadata(deployment.metadata, { annotations })),
    spec: { ...objectMember(deployment, 'spec'), template: withoutHash(templateOf(set)) },
  };
}
