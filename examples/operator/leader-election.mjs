// Leader election with a Lease, as client-go does it: whoever holds the Lease renews it; who finds that nobody has
// renewed it for as long as it lasts takes it over.
import { CoordinationV1Api, V1MicroTime } from '@kubernetes/client-node';

/**
 * @typedef {object} Election
 * @property {string} namespace
 * @property {string} name of the Lease
 * @property {string} identity of this contender
 * @property {number} [leaseSeconds] how long others wait for a renewal
 * @property {number} [retryMs] pause between two tries
 * @property {() => void} onStarted told when this contender leads
 * @property {() => void} [onStopped] told when it leads no more
 */

export class LeaderElector {
  #api;
  /** @type {Required<Election>} */
  #election;
  #timer;
  #running = false;
  #leads = false;
  // When the Lease was last seen to change, on this contender's own clock: the clocks of others do not count.
  #seen = { renewal: '', atMs: 0 };

  /** @param {import('@kubernetes/client-node').KubeConfig} config @param {Election} election */
  constructor(config, election) {
    this.#api = config.makeApiClient(CoordinationV1Api);
    this.#election = { leaseSeconds: 15, retryMs: 2000, onStopped: () => undefined, ...election };
  }

  get leads() {
    return this.#leads;
  }

  start() {
    this.#running = true;
    void this.#round();
  }

  /** Gives the Lease back, so that others need not wait. */
  async stop() {
    this.#running = false;
    clearTimeout(this.#timer);
    if (!this.#leads) return;
    this.#lead(false);
    const lease = await this.#read();
    if (lease?.spec?.holderIdentity !== this.#election.identity) return;
    await this.#write(lease, { ...lease.spec, holderIdentity: '' });
  }

  async #round() {
    const leads = await this.#acquireOrRenew().catch(() => false);
    if (!this.#running) return;
    this.#lead(leads);
    this.#timer = setTimeout(() => void this.#round(), this.#election.retryMs);
  }

  #lead(leads) {
    if (leads === this.#leads) return;
    this.#leads = leads;
    if (leads) this.#election.onStarted();
    else this.#election.onStopped();
  }

  async #acquireOrRenew() {
    const { namespace, name, identity, leaseSeconds } = this.#election;
    const now = new V1MicroTime();
    const own = { holderIdentity: identity, leaseDurationSeconds: leaseSeconds, renewTime: now };
    const lease = await this.#read();
    if (lease === undefined) {
      const spec = { ...own, acquireTime: now, leaseTransitions: 0 };
      await this.#api.createNamespacedLease({ namespace, body: { metadata: { name }, spec } });
      return true;
    }
    const { holderIdentity = '', renewTime, acquireTime, leaseTransitions = 0 } = lease.spec ?? {};
    const renewal = `${holderIdentity} ${renewTime ?? ''}`;
    if (renewal !== this.#seen.renewal) this.#seen = { renewal, atMs: Date.now() };
    const mine = holderIdentity === identity;
    const held = holderIdentity !== '' && Date.now() - this.#seen.atMs < leaseSeconds * 1000;
    if (!mine && held) return false;
    // The version that was read goes along: of two who take over at once, one is refused.
    const taken = mine
      ? { acquireTime, leaseTransitions }
      : { acquireTime: now, leaseTransitions: leaseTransitions + 1 };
    await this.#write(lease, { ...own, ...taken });
    return true;
  }

  async #read() {
    const { namespace, name } = this.#election;
    try {
      return await this.#api.readNamespacedLease({ namespace, name });
    } catch (error) {
      if (error.code === 404) return undefined;
      throw error;
    }
  }

  #write(lease, spec) {
    const { namespace, name } = this.#election;
    // Times are read as texts, but are written as times.
    const times = { acquireTime: microTime(spec.acquireTime), renewTime: microTime(spec.renewTime) };
    const body = { ...lease, spec: { ...spec, ...times } };
    return this.#api.replaceNamespacedLease({ namespace, name, body });
  }
}

const microTime = (time) => (time === undefined ? undefined : new V1MicroTime(time));
