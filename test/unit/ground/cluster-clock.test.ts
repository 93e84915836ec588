import { LAST_MS, VirtualClock, type Clock } from '../../../mockserver/ground/clock.js';
import { ClusterClock } from '../../../mockserver/ground/cluster-clock.js';

const START = Date.UTC(2026, 0, 1);

/** Real time for these tests: it moves when they say so, but turns of the event loop come by themselves. */
class Pace extends VirtualClock {
  override soon(callback: () => void): { cancel: () => void } {
    const turn = setImmediate(callback);
    return { cancel: () => clearImmediate(turn) };
  }
}

const clockOn = (real: Clock, frozenAt?: number): ClusterClock => new ClusterClock({ real, frozenAt });

test('it runs with real time until it is frozen', () => {
  const real = new Pace(START);
  const clock = clockOn(real);
  real.advance(10);
  expect(clock.now()).toBe(START + 10);
  clock.freeze();
  real.advance(10);
  expect(clock.now()).toBe(START + 10);
});

test('what it was asked for before it was frozen comes when it is moved there', async () => {
  const real = new Pace(START);
  const clock = clockOn(real);
  const rung: string[] = [];
  clock.after(50, () => rung.push('a'));
  clock.freeze();
  real.advance(1000);
  expect(rung).toEqual([]);
  await clock.advance(50);
  expect(rung).toEqual(['a']);
});

test('what falls due comes in the order of its times, with what follows from it before the next', async () => {
  const clock = clockOn(new Pace(START), START);
  const rung: string[] = [];
  clock.after(20, () => rung.push(`late ${clock.now() - START}`));
  clock.after(10, () => {
    void Promise.resolve().then(() =>
      setImmediate(() => {
        clock.after(5, () => rung.push(`follows ${clock.now() - START}`));
      }),
    );
  });
  await clock.advance(30);
  expect(rung).toEqual(['follows 15', 'late 20']);
  expect(clock.now()).toBe(START + 30);
});

test('it runs on from where it stands', () => {
  const real = new Pace(START);
  const clock = clockOn(real, START + 1000);
  const rung: number[] = [];
  clock.after(10, () => rung.push(clock.now() - START));
  real.advance(500);
  clock.run();
  real.advance(10);
  expect(rung).toEqual([1010]);
});

test('running until nothing is left to do does not wait for upkeep', async () => {
  const clock = clockOn(new Pace(START), START);
  const rung: string[] = [];
  const again = (): void => {
    rung.push('upkeep');
    clock.after(40, again, 'upkeep');
  };
  clock.after(40, again, 'upkeep');
  clock.after(60, () => {
    rung.push('first');
    clock.after(60, () => rung.push('second'));
  });
  expect(await clock.runToIdle()).toBe(120);
  expect(rung).toEqual(['upkeep', 'first', 'upkeep', 'second', 'upkeep']);
});

test('running until nothing is left to do goes no further than it may', async () => {
  const clock = clockOn(new Pace(START), START);
  const rung: number[] = [];
  const again = (): void => {
    clock.after(1000, () => {
      rung.push(clock.now() - START);
      again();
    });
  };
  again();
  expect(await clock.runToIdle({ withinMs: 3500 })).toBe(3000);
  expect(rung).toEqual([1000, 2000, 3000]);
});

test('begun again it shows its first time, and what it still owes comes after the delay that was left', async () => {
  const clock = clockOn(new Pace(START), START);
  const rung: number[] = [];
  clock.after(100, () => rung.push(clock.now() - START));
  await clock.advance(60);
  clock.restart();
  expect(clock.now()).toBe(START);
  await clock.advance(40);
  expect(rung).toEqual([40]);
});

test('let go while it is moved, it runs on and stays so', async () => {
  const clock = clockOn(new Pace(START), START);
  const rung: number[] = [];
  clock.after(10, () => clock.run());
  clock.after(20, () => rung.push(clock.now()));
  await clock.advance(30);
  expect(clock.frozen).toBe(false);
  expect(clock.now()).toBe(START + 10);
  expect(rung).toEqual([]);
});

test('what was cancelled does not come, nor anything after the clock is closed', async () => {
  const real = new Pace(START);
  const clock = clockOn(real);
  const rung: string[] = [];
  clock.after(10, () => rung.push('cancelled')).cancel();
  clock.after(10, () => rung.push('closed'));
  clock.close();
  clock.after(10, () => rung.push('too late'));
  real.advance(100);
  await clock.advance(100);
  expect(rung).toEqual([]);
});

test.each([
  [
    'backwards',
    (clock: ClusterClock) => Promise.resolve().then(() => clock.freeze(START - 1)),
    'lies before',
  ],
  ['by a negative time', (clock: ClusterClock) => clock.advance(-1), 'at least 0'],
  ['beyond what a time can say', (clock: ClusterClock) => clock.advance(1e300), 'year 9999'],
  [
    'to a moment beyond what a time can say',
    (clock: ClusterClock) => Promise.resolve().then(() => clock.freeze(LAST_MS + 1)),
    'year 9999',
  ],
])('it does not move %s', async (_name, move, message) => {
  await expect(move(clockOn(new Pace(START), START))).rejects.toThrow(message);
});
