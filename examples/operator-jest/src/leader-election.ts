// Leader election with a Lease, as client-go does it: whoever holds the Lease renews it; who finds that nobody has
// renewed it for as long as it lasts takes it over.
import {
  CoordinationV1Api,
  type KubeConfig,
  type V1Lease,
  type V1LeaseSpec,
  V1MicroTime,
} from '@kubernetes/client-node';
import { orAbsent } from './errors.js';

export interface Election {
  readonly namespace: string;
  /** Of the Lease. */
  readonly name: string;
  /** Of this contender. */
  readonly identity: string;
  /** How long others wait for a renewal. @default 15 */
  readonly leaseSeconds?: number;
  /** Pause between two tries. @default 2000 */
  readonly retryMs?: number;
  /** What it goes by: the server's `clock` in tests that move the time. @default real time */
  readonly clock?: Time;
  /** Told when this contender leads. */
  readonly onStarted: () => void;
  /** Told when it leads no more. */
  readonly onStopped?: () => void;
}

export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  after(ms: number, work: () => void): { cancel(): void };
}

const REAL_TIME: Time = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

export class LeaderElector {
  readonly #api: CoordinationV1Api;
  readonly #election: Required<Election>;
  #timer: { cancel(): void } | undefined;
  #round: Promise<void> = Promise.resolve();
  #running = false;
  #leads = false;
  // When the Lease was last seen to change, on this contender's own clock: the clocks of others do not count.
  #seen = { renewal: '', atMs: 0 };

  constructor(config: KubeConfig, election: Election) {
    this.#api = config.makeApiClient(CoordinationV1Api);
    this.#election = {
      leaseSeconds: 15,
      retryMs: 2000,
      clock: REAL_TIME,
      onStopped: () => undefined,
      ...election,
    };
  }

  get leads(): boolean {
    return this.#leads;
  }

  start(): void {
    this.#running = true;
    this.#begin();
  }

  /** Resolves when the round that goes on is over. */
  get atRest(): Promise<void> {
    return this.#round;
  }

  /** Renews no more and tells nobody, as if its program had crashed. */
  abandon(): void {
    this.#running = false;
    this.#timer?.cancel();
  }

  /** Gives the Lease back, so that others need not wait. */
  async stop(): Promise<void> {
    this.abandon();
    await this.#round;
    if (!this.#leads) return;
    this.#lead(false);
    const lease = await this.#read();
    if (lease?.spec?.holderIdentity !== this.#election.identity) return;
    await this.#write(lease, { ...lease.spec, holderIdentity: '' });
  }

  #begin(): void {
    this.#round = this.#try();
  }

  async #try(): Promise<void> {
    this.#lead(await this.#acquireOrRenew().catch(() => false));
    const { clock, retryMs } = this.#election;
    if (this.#running) this.#timer = clock.after(retryMs, () => this.#begin());
  }

  #lead(leads: boolean): void {
    if (leads === this.#leads) return;
    this.#leads = leads;
    if (leads) this.#election.onStarted();
    else this.#election.onStopped();
  }

  async #acquireOrRenew(): Promise<boolean> {
    const { namespace, name, identity, leaseSeconds, clock } = this.#election;
    const now = new V1MicroTime(clock.now());
    const own = { holderIdentity: identity, leaseDurationSeconds: leaseSeconds, renewTime: now };
    const lease = await this.#read();
    if (lease === undefined) {
      const spec = { ...own, acquireTime: now, leaseTransitions: 0 };
      await this.#api.createNamespacedLease({ namespace, body: { metadata: { name }, spec } });
      return true;
    }
    const { holderIdentity = '', renewTime, leaseTransitions = 0 } = lease.spec ?? {};
    const renewal = `${holderIdentity} ${String(renewTime)}`;
    if (renewal !== this.#seen.renewal) this.#seen = { renewal, atMs: clock.now() };
    const mine = holderIdentity === identity;
    const held = holderIdentity !== '' && clock.now() - this.#seen.atMs < leaseSeconds * 1000;
    if (!mine && held) return false;
    // The version that was read goes along: of two who take over at once, one is refused.
    const taken = mine ? {} : { acquireTime: now, leaseTransitions: leaseTransitions + 1 };
    await this.#write(lease, { ...lease.spec, ...own, ...taken });
    return true;
  }

  #read(): Promise<V1Lease | undefined> {
    const { namespace, name } = this.#election;
    return orAbsent(this.#api.readNamespacedLease({ namespace, name }));
  }

  #write(lease: V1Lease, spec: V1LeaseSpec): Promise<V1Lease> {
    const { namespace, name } = this.#election;
    // Times are read as texts, but are written as times.
    const { acquireTime, renewTime } = spec;
    const times = {
      ...(acquireTime && { acquireTime: new V1MicroTime(acquireTime) }),
      ...(renewTime && { renewTime: new V1MicroTime(renewTime) }),
    };
    return this.#api.replaceNamespacedLease({
      namespace,
      name,
      body: { ...lease, spec: { ...spec, ...times } },
    });
  }
}
