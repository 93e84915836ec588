/** What watchers of a real cluster saw while its garbage collector worked, replayed. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MockCluster, startMockServer, type MockServer } from '../../mockserver/index.js';
import { type ApiObject, nameOf, namespaceOf, uidOf } from '../../mockserver/ground/object.js';

interface Step {
  /** Method and path. */
  readonly request: string;
  readonly body?: object;
  readonly contentType?: 'strategic' | 'apply';
  readonly status: number;
  readonly note: string;
  /** `TYPE Kind namespace/name`, in the order of the writes. */
  readonly events: readonly string[];
  /** Objects of which only the first and the last event are the same in each run. */
  readonly variesBetweenRuns?: readonly string[];
}

interface Story {
  readonly story: string;
  readonly what: string;
  readonly steps: readonly Step[];
}

const RECORDED = fileURLToPath(
  new URL('../../fixtures/recorded/timelines/garbage-collection.json', import.meta.url),
);
const { stories } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { readonly stories: readonly Story[] };

const MEDIA_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
/** What controllers say of their work beside it; its names are made by chance. */
const BESIDE = 'Event';

let server: MockServer;
beforeAll(async () => {
  server = await startMockServer();
});
afterAll(() => server.stop());

/** `Kind namespace/name` */
const placeOf = (object: ApiObject): string =>
  `${object.kind} ${namespaceOf(object) === '' ? '' : `${namespaceOf(object)}/`}${nameOf(object)}`;

/** A cluster that is watched. */
class Watched {
  readonly #cluster: MockCluster;
  readonly #uids = new Map<string, string>();
  #events: string[] = [];

  constructor(cluster: MockCluster) {
    this.#cluster = cluster;
    const { store, resources } = cluster.served.cluster;
    for (const prefix of new Set([...resources].map((one) => one.store.prefix)))
      store.subscribe(prefix, ({ current, previous }) => {
        const object = current?.object ?? previous?.object;
        if (object === undefined || object.kind === BESIDE) return;
        this.#uids.set(placeOf(object), uidOf(object));
        const type = current === undefined ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
        this.#events.push(`${type} ${placeOf(object)}`);
      });
  }

  /** Sends the request of a step. Shape: the answer's status, and all that then happens until nothing does. */
  async play({ request, body, contentType }: Step): Promise<{ status: number; events: readonly string[] }> {
    this.#events = [];
    const [method = '', path = ''] = request.split(' ');
    const type = method === 'PATCH' ? MEDIA_TYPES[contentType ?? 'merge'] : 'application/json';
    const answer = await fetch(`${this.#cluster.url}${path}`, {
      method,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body: this.#filled(JSON.stringify(body)) }),
    });
    await this.#cluster.settled();
    return { status: answer.status, events: this.#events };
  }

  /** With the uids of this run. */
  #filled(text: string): string {
    return text.replace(/<uid of ([^>]+)>/g, (_, place: string) => this.#uids.get(place) ?? place);
  }
}

/** What happened to each object, in its order: that of different objects is seldom fixed. */
function byObject(events: readonly string[], varies: readonly string[] = []): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const event of events.filter((one) => !one.split(' ')[1]?.startsWith(BESIDE))) {
    const [type = '', ...place] = event.split(' ');
    const object = place.join(' ');
    if (varies.includes(object) && type === 'MODIFIED') continue;
    (found[object] ??= []).push(type);
  }
  return found;
}

test.each(stories)('$story: $what', async ({ steps }) => {
  using cluster = server.createCluster({ controllers: ['garbage-collector-controller'] });
  const watched = new Watched(cluster);
  await watched.play({
    request: 'POST /api/v1/namespaces',
    body: { metadata: { name: 'ns' } },
    status: 201,
    note: 'the namespace of the story',
    events: [],
  });
  for (const step of steps) {
    const { status, events } = await watched.play(step);
    expect({ note: step.note, status, events: byObject(events, step.variesBetweenRuns) }).toEqual({
      note: step.note,
      status: step.status,
      events: byObject(step.events, step.variesBetweenRuns),
    });
  }
});
