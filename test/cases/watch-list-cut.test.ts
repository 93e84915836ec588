/** Case 05: a watch-list that ends before its marker. What client-go does about it is in test/clients. */
import { fault } from '../../mockserver/index.js';
import { EventStream } from '../behaviour/event-stream.js';
import { given, MAPS, WATCH_LIST } from './given.js';

const at = given();
const OBJECTS = 50;
const AT_21 = { verb: 'watch', resource: 'configmaps', userAgent: 'victim*', event: { number: 21 } } as const;

const open = (userAgent = 'victim/1'): Promise<EventStream> =>
  EventStream.open(at().place, WATCH_LIST, { headers: { 'User-Agent': userAgent } });
const versionsOf = (events: Awaited<ReturnType<EventStream['take']>>): string[] =>
  events.map(({ object }) => object.metadata.resourceVersion);

let written: string[];
beforeEach(async () => {
  written = [];
  for (let i = 0; i < OBJECTS; i++) written.push(await at().create(`m-${String(i).padStart(2, '0')}`));
});

/** E: as if there had never been a rule. */
async function expectWhole(watch: EventStream): Promise<void> {
  const events = await watch.take(OBJECTS + 1);
  expect(versionsOf(events.slice(0, OBJECTS))).toEqual(written);
  expect(events.at(-1)).toMatchObject({
    type: 'BOOKMARK',
    object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  });
  watch.close();
}

test('A: it ends in good order after 20 events, of their own versions, again and again', async () => {
  using cut = at().server.faults.add(
    fault.endAfterInitialEvents({ resource: 'configmaps', userAgent: 'victim*' }, 20),
  );
  for (let time = 0; time < 3; time++) {
    const events = await (await open()).rest();
    expect(events.every(({ type }) => type === 'ADDED')).toBe(true);
    expect(versionsOf(events)).toEqual(written.slice(0, 20));
  }
  expect(cut.fired).toBe(3);
  const victim = at().server.journal.client('victim*');
  expect([victim.watches.length, victim.lists.length]).toEqual([3, 0]);
  await expectWhole(await open('bystander/1'));
  cut.remove();
  await expectWhole(await open());
});

test('B: the connection is reset after 20 events', async () => {
  using reset = at().server.faults.add({ match: AT_21, effect: { kind: 'reset' } });
  const watch = await open();
  expect(versionsOf(await watch.take(20))).toEqual(written.slice(0, 20));
  await expect(watch.rest()).rejects.toThrow();
  reset.remove();
  await expectWhole(await open());
});

test('C: an ERROR event 410 after 20 events, then the end', async () => {
  using failing = at().server.faults.add({ match: AT_21, effect: { kind: 'error', code: 410 } });
  const events = await (await open()).rest();
  expect(versionsOf(events.slice(0, -1))).toEqual(written.slice(0, 20));
  expect(events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  failing.remove();
  await expectWhole(await open());
});

test('D: the marker never comes, live events do', async () => {
  using withheld = at().server.faults.add(fault.withholdMarker({ userAgent: 'victim*' }));
  const watch = await open();
  expect(versionsOf(await watch.take(OBJECTS))).toEqual(written);
  const { doc } = await at().ask('PUT', `${MAPS}/m-00`, { metadata: { name: 'm-00' }, data: { k: '2' } });
  expect(await watch.next()).toMatchObject({
    type: 'MODIFIED',
    object: { metadata: { resourceVersion: doc.metadata.resourceVersion } },
  });
  watch.close();
  expect(withheld.fired).toBe(1);
});
