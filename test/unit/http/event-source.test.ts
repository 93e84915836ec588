import { type ApiObject } from '../../../mockserver/ground/object.js';
import { toResourceVersion } from '../../../mockserver/ground/revision.js';
import { type EventForm, eventSource } from '../../../mockserver/http/event-source.js';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { addressOf } from '../../../mockserver/store/key.js';
import { Bed, PREFIX } from '../watch/cluster-free.js';

const WATCHERS = 1000;

test('an event is encoded once for a thousand watchers, who are sent the same bytes', () => {
  const bed = new Bed();
  let presented = 0;
  const form: EventForm = {
    kind: 'shared',
    name: 'v1',
    present: (object) => {
      presented++;
      return object;
    },
    empty: () => {
      throw new Error('no bookmark is due');
    },
  };
  const sources = Array.from({ length: WATCHERS }, () =>
    eventSource(
      bed.cache.watch({
        start: { kind: 'after', revision: bed.store.revision },
        scope: {},
        bookmarks: false,
        timeoutMs: 600_000,
      }),
      form,
    ),
  );
  let reads = 0;
  // Frozen parts are kept as they are, so the store's copy has the getter too.
  const data = Object.freeze({
    get k() {
      reads++;
      return 'v';
    },
  });
  bed.store.create(addressOf(PREFIX, 'ns', 'a'), (at): ApiObject => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', resourceVersion: toResourceVersion(at) },
    data,
  }));
  const readBefore = reads;

  const frames = new Set(
    sources.flatMap((source) => source.take(10).map((frame) => frame.bytes(jsonFormat))),
  );

  expect([...frames].map((bytes) => bytes.toString())).toEqual([
    '{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"},"data":{"k":"v"}}}\n',
  ]);
  expect(presented).toBe(1);
  expect(reads - readBefore).toBe(1);
});
