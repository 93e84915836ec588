import { useCluster } from 'kube-mockserver/jest';
import { LeaderElector } from '../src/leader-election.js';
import { PATIENT } from './sites.js';

const cluster = useCluster();

describe('of two contenders', () => {
  const leading: string[] = [];
  const contenders: LeaderElector[] = [];

  /** @param leaseSeconds how long the other one would have to wait */
  async function contender(identity: string, leaseSeconds: number): Promise<LeaderElector> {
    const elector = new LeaderElector(await cluster.kubeConfig(), {
      namespace: 'default',
      name: 'site-operator',
      identity,
      leaseSeconds,
      retryMs: 20,
      onStarted: () => leading.push(identity),
    });
    contenders.push(elector);
    elector.start();
    return elector;
  }

  beforeEach(() => leading.splice(0));
  afterEach(async () => {
    for (const one of contenders.splice(0)) await one.stop();
  });

  const leads = (one: LeaderElector): Promise<void> =>
    cluster.eventually(() => expect(one.leads).toBe(true), PATIENT);

  /** Waits until each of them has come round so many times more. */
  async function rounds(count: number): Promise<void> {
    const asked = async (): Promise<number> =>
      (await cluster.journal()).where({ resource: 'leases' }).requests.length;
    const before = await asked();
    await cluster.eventually(async () => expect(await asked()).toBeGreaterThan(before + 3 * count), PATIENT);
  }

  test('one leads, and the other takes over as soon as it stops', async () => {
    const first = await contender('first', 15);
    await leads(first);
    const second = await contender('second', 15);
    await rounds(3);
    expect(leading).toEqual(['first']);
    await first.stop();
    await leads(second);
    expect(leading).toEqual(['first', 'second']);
  });

  test('the one that leads goes on leading when the answer to a renewal is lost', async () => {
    const first = await contender('first', 15);
    await leads(first);
    await contender('second', 15);
    await cluster.addFault({
      name: 'lost',
      match: { verb: 'update', resource: 'leases' },
      effect: { kind: 'lose-answer' },
      times: 1,
    });
    await cluster.eventually(async () => expect((await cluster.journal()).faults).toHaveLength(1), PATIENT);
    await rounds(3);
    await leads(first);
    expect(new Set(leading)).toEqual(new Set(['first']));
  });
});
