/** Many watchers that catch up together: encodings per event, the share of the time, and who waits how long. */
import { VirtualClock } from '../../../dist/mockserver/ground/clock.js';
import { Watcher } from '../../../dist/mockserver/watch/watcher.js';
import { loopDelay, pause, reading, watchBed } from './bed.mjs';

const WATCHERS = 1000;
const EVENTS = 1000;

/** 1000 watchers fall behind by 1000 events each, then all read again. */
export async function together() {
  const bed = watchBed({ stallResume: true });
  const watchers = Array.from({ length: WATCHERS }, () => bed.open());
  for (let i = 0; i < EVENTS; i++) bed.write(`w${i}`);
  let received = 0;
  const begun = performance.now();
  const passMs = bed.counts.passMs;
  const delay = await loopDelay(async () => {
    for (const watcher of watchers) reading(watcher, () => received++, bed.counts);
    while (received < WATCHERS * EVENTS) await pause(5);
  });
  const ms = performance.now() - begun;
  const row = {
    watchers: WATCHERS,
    'events each': EVENTS,
    'encodings per event': bed.counts.encodings / EVENTS,
    'seconds until all are synced': ms / 1000,
    passes: bed.counts.passes,
    'passes % of time': (100 * (bed.counts.passMs - passMs)) / ms,
    'loop delay p99 ms': delay,
  };
  bed.close();
  return [row];
}

/** Passes between two services of a watcher that has room, at worst. */
export function starvation() {
  return [100, 512, 1000, 5000].map((count) => {
    const clock = new VirtualClock();
    const bed = watchBed({ stallResume: true, clock });
    const watchers = Array.from({ length: count }, () => bed.open());
    for (let i = 0; i < 100; i++) bed.write(`w${i}`);
    const lastServed = new Map(watchers.map((watcher) => [watcher, 0]));
    let longest = 0;
    let pass = 0;
    let servedLeast = Infinity;
    bed.onPass = ({ served }) => {
      pass++;
      if (bed.cache.unsyncedCount > 0 && served > 0) servedLeast = Math.min(servedLeast, served);
    };
    const { served } = Watcher.prototype;
    Watcher.prototype.served = function (pushed, turn) {
      longest = Math.max(longest, pass - (lastServed.get(this) ?? pass));
      lastServed.set(this, pass);
      served.call(this, pushed, turn);
    };
    try {
      // Everybody always has room: what a pass gives is read before the next one.
      for (let i = 0; i < 20_000 && bed.cache.unsyncedCount > 0; i++) {
        for (const watcher of watchers) while (watcher.take() !== undefined);
        clock.advance(1);
      }
    } finally {
      Watcher.prototype.served = served;
    }
    const bound = Math.ceil(count / servedLeast) + 1;
    bed.close();
    return {
      unsynced: count,
      passes: pass,
      'served per pass, least': servedLeast,
      'passes between services, most': longest,
      bound,
      holds: longest <= bound ? 'yes' : 'NO',
    };
  });
}

/** Time until a watcher that is 5000 events behind is synced again, by how fast it reads and others write. */
export function resync() {
  const rows = [];
  for (const write of [50, 100, 500]) {
    for (const factor of [0.5, 1, 1.1, 2, 10]) {
      const clock = new VirtualClock();
      const bed = watchBed({
        stallResume: true,
        clock,
        options: { window: { minCapacity: 10_000, maxCapacity: 10_000, freshMs: 75_000 } },
      });
      const watcher = bed.open();
      for (let i = 0; i < 5000; i++) bed.write(`w${i}`);
      const read = write * factor;
      let at = 0;
      let seconds;
      let ended = '';
      let readSoFar = 0;
      let written = 0;
      while (at < 600 && seconds === undefined && ended === '') {
        clock.advance(10);
        at += 0.01;
        for (; readSoFar < at * read; readSoFar++) {
          const event = watcher.take();
          if (event === undefined) break;
          if (event.kind === 'error') ended = `410 after ${at.toFixed(0)} s`;
        }
        for (; written < at * write; written++) bed.write(`x${written}`);
        if (watcher.state.kind === 'synced') seconds = at;
      }
      const behind = bed.store.revision - watcher.position;
      bed.close();
      rows.push({
        'written per second': write,
        'read per second': read,
        'synced after s': seconds === undefined ? (ended === '' ? 'not within 600 s' : ended) : seconds,
        'events behind then': seconds === undefined ? behind : 0,
        'lag / (read - write) s': read > write ? 5000 / (read - write) : '',
      });
    }
  }
  return rows;
}
