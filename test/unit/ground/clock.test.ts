import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { seededRandom } from '../../../mockserver/ground/random.js';

test('callbacks run in the order of their times, those of one time in the order of their making', () => {
  const clock = new VirtualClock(0);
  const random = seededRandom(7);
  const due: { at: number; made: number }[] = [];
  const seen: { at: number; made: number }[] = [];
  for (let made = 0; made < 500; made++) {
    const at = Math.floor(random.next() * 50);
    due.push({ at, made });
    clock.after(at, () => seen.push({ at: clock.now(), made }));
  }
  clock.advance(20);
  clock.advance(30);
  expect(seen).toEqual(due.sort((a, b) => a.at - b.at || a.made - b.made));
});

test('what a callback schedules runs in the same advance when it falls due, at its own time', () => {
  const clock = new VirtualClock(1000);
  const times: number[] = [];
  const again = (): void => {
    times.push(clock.now());
    clock.after(4, again);
  };
  again();
  clock.advance(10);
  expect(times).toEqual([1000, 1004, 1008]);
  expect(clock.now()).toBe(1010);
});

test('a cancelled callback does not run, also when it is cancelled by one of the same time', () => {
  const clock = new VirtualClock(0);
  const seen: string[] = [];
  clock.after(1, () => {
    seen.push('first');
    second.cancel();
  });
  const second = clock.after(1, () => seen.push('second'));
  clock.after(2, () => seen.push('third')).cancel();
  clock.advance(5);
  expect(seen).toEqual(['first']);
});

test('soon runs without time passing', () => {
  const clock = new VirtualClock(5);
  const times: number[] = [];
  clock.soon(() => times.push(clock.now()));
  clock.advance(0);
  expect(times).toEqual([5]);
});

test('many cancelled callbacks leave the others their order', () => {
  const clock = new VirtualClock(0);
  const seen: number[] = [];
  for (let i = 5000; i > 0; i--) {
    const timer = clock.after(i, () => seen.push(i));
    if (i % 1000 === 0) continue;
    timer.cancel();
    timer.cancel();
  }
  clock.advance(5000);
  expect(seen).toEqual([1000, 2000, 3000, 4000, 5000]);
});
