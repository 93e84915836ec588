/** What a controller is made of: what it follows, what it waits to work on, and whose hands it writes with. */
import { type Clock } from '../ground/clock.js';
import { type GroupResource } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type Cluster } from '../registry/cluster.js';
import { type ClientIdentity, type ControllerClient } from './client.js';
import { type EventRecorder } from './event-recorder.js';
import { type LocalView } from './local-view.js';
import { type WorkQueue } from './work-queue.js';

/** Told of one change, once the controller has taken it in. `next` is undefined for a deletion, `previous` for a new object. */
export type ChangeListener = (next: ApiObject | undefined, previous: ApiObject | undefined) => void;

/** Work in pieces: at each `yield` everybody else may get a turn, but its controller takes in nothing. */
export type Pieces = Generator<undefined, void>;

/** Works on one key. What it throws is logged, and the key is tried again later. */
export type Sync<Key> = (key: Key) => void | Promise<void> | Generator<undefined, void>;

/** What a controller is given to stand on. */
export interface ControllerFrame {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly client: ControllerClient;
  /** Follows a resource and keeps a view of it; objects that are there already come as new ones. */
  view(of: GroupResource, listener?: ChangeListener): LocalView;
  /** As `view`, for those who keep what they want to know themselves. Shape: what ends it. */
  follow(of: GroupResource, listener: ChangeListener): () => void;
  queue<Key>(sync: Sync<Key>): WorkQueue<Key>;
  /** Writes Events in the name of a component. */
  events(component: string): EventRecorder;
  /** A client with another identity. */
  clientAs(identity: ClientIdentity): ControllerClient;
  /** Run when the controller ends. */
  onStop(end: () => void): void;
}

export interface Controller {
  /** As kube-controller-manager names it. */
  readonly name: string;
  start(frame: ControllerFrame): void;
}
