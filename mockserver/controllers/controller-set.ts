/** The controllers of a cluster: which there are, and their turns. */
import { type Timer } from '../ground/clock.js';
import { type Cluster } from '../registry/cluster.js';
import { type Controller } from './controller.js';
import { ControllerLoop } from './controller-loop.js';

/** Milliseconds of real time that the controllers may take before everybody else gets a turn. */
const TURN_MS = 5;

export interface ControllerSetParts {
  readonly cluster: Cluster;
  readonly controllers: readonly Controller[];
  /** Told of what goes wrong inside a controller, which then goes on. */
  readonly onError: (message: string, cause: unknown) => void;
}

/**
 * All controllers of a cluster take turns, each one step at a time and always in the same order, so that the same
 * requests have the same outcome. They work in turns of the event loop of their own, after the answer to the request
 * that gave them something to do, also while the cluster's clock stands still; what they put off waits for that clock.
 */
export class ControllerSet {
  readonly #cluster: Cluster;
  readonly #loops: readonly ControllerLoop[];
  #turn: Timer | undefined;
  readonly #waiting: (() => void)[] = [];
  #stopped = false;

  constructor({ cluster, controllers, onError }: ControllerSetParts) {
    this.#cluster = cluster;
    this.#loops = controllers.map(
      (controller) =>
        new ControllerLoop({
          cluster,
          controller,
          wake: () => this.#wake(),
          onError: (error) => onError(`controller ${controller.name}`, error),
        }),
    );
  }

  /** Resolves when there is nothing to do but what waits for the clock. */
  settled(): Promise<void> {
    if (this.#idle) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Nothing runs any more after it. Idempotent. */
  stop(): void {
    this.#stopped = true;
    this.#turn?.cancel();
    this.#turn = undefined;
    for (const loop of this.#loops) loop.stop();
    this.#tellSettled();
  }

  get #idle(): boolean {
    return this.#turn === undefined && !this.#loops.some(({ busy }) => busy && !this.#stopped);
  }

  #tellSettled(): void {
    if (this.#idle) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #wake(): void {
    if (this.#stopped || this.#turn !== undefined) return;
    this.#turn = this.#cluster.pace.soon(() => {
      this.#turn = undefined;
      this.#run();
    });
  }

  #run(): void {
    const { pace } = this.#cluster;
    const began = pace.elapsed();
    for (;;) {
      let worked = false;
      for (const loop of this.#loops) worked = loop.step() || worked;
      if (!worked) {
        this.#tellSettled();
        return;
      }
      if (pace.elapsed() - began >= TURN_MS) break;
    }
    this.#wake();
  }
}
