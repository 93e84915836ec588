/** Lists, pages and watches of a random history tell one story. */
import fc from 'fast-check';
import { type Doc, type WatchEvent, versionOf } from './documents.js';
import { OWN_SERVER, useTarget } from './target.js';

const target = useTarget('isolation');

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
type Step =
  | { readonly kind: 'write'; readonly name: string; readonly label: string; readonly value: number }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'page' };

const name = fc.constantFrom(...NAMES);
const label = fc.constantFrom('x', 'y');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      name,
      label,
      value: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'list' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'page' } as const) },
);

/** Objects by name, without the kind that a list leaves out. */
type State = ReadonlyMap<string, Doc>;
const stateOf = (list: Doc): State => new Map(list.items.map((item) => [item.metadata.name, item]));
function itemOf(object: Doc): Doc {
  const { metadata, data } = object;
  return { metadata, data } as Doc; // all that a ConfigMap of these tests has in a list
}

function after(state: State, { type, object }: WatchEvent): State {
  const next = new Map(state);
  if (type === 'DELETED') next.delete(object.metadata.name);
  else next.set(object.metadata.name, itemOf(object));
  return new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function apply(
  path: string,
  one: Extract<Step, { kind: 'write' | 'delete' }>,
  present: Set<string>,
): Promise<void> {
  if (one.kind === 'delete') {
    if (present.delete(one.name)) await target.done('DELETE', `${path}/${one.name}`);
    return;
  }
  const body = { metadata: { name: one.name, labels: { l: one.label } }, data: { v: String(one.value) } };
  if (present.has(one.name)) await target.done('PUT', `${path}/${one.name}`, body);
  else await target.done('POST', path, body);
  present.add(one.name);
}

interface Paging {
  /** What the list of all showed when the first page was read. */
  readonly whole: Doc;
  readonly items: Doc[];
  readonly versions: Set<string>;
  next: string;
}

let run = 0;

test('a watch from a list reconstructs every later list, and the pages of a list show one revision', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.boolean(),
      async (steps, selecting) => {
        const namespace = await target.namespaceNamed(target.unique(`isolation-${run++}`));
        const path = `/api/v1/namespaces/${namespace}/configmaps`;
        const selector = selecting ? 'labelSelector=l%3Dx' : '';
        const read = (query: string): Promise<Doc> => target.done('GET', `${path}?${selector}&${query}`);
        const present = new Set<string>();
        const first = await read('');
        const lists: Doc[] = [];
        let paging: Paging | undefined;

        const turnPage = async (pages: Paging): Promise<void> => {
          const page = await read(`limit=2&continue=${pages.next}`);
          pages.items.push(...page.items);
          pages.versions.add(page.metadata.resourceVersion);
          pages.next = page.metadata.continue;
        };
        const finish = async (pages: Paging): Promise<void> => {
          while (pages.next) await turnPage(pages);
          expect(pages.items).toEqual(pages.whole.items);
          expect(pages.versions.size).toBe(1);
        };

        const live = await target.watch(
          `${path}?watch=1&${selector}&resourceVersion=${first.metadata.resourceVersion}`,
        );
        for (const one of steps) {
          if (one.kind === 'list') lists.push(await read(''));
          else if (one.kind !== 'page') await apply(path, one, present);
          else if (paging?.next) await turnPage(paging);
          else {
            if (paging !== undefined) await finish(paging);
            const whole = await read('');
            const page = await read('limit=2');
            paging = {
              whole,
              items: [...page.items],
              versions: new Set([page.metadata.resourceVersion]),
              next: page.metadata.continue,
            };
          }
        }
        if (paging !== undefined) await finish(paging);
        lists.push(await read(''));

        // The end of the story is a write that both watches must come to.
        const last = await target.done('POST', path, { metadata: { name: 'z', labels: { l: 'x' } } });
        const replayed = await target.watch(
          `${path}?watch=1&${selector}&resourceVersion=${first.metadata.resourceVersion}`,
        );
        const told: WatchEvent[][] = [];
        for (const watch of [live, replayed]) {
          const events: WatchEvent[] = [];
          do events.push(await watch.next());
          while (events.at(-1)?.object.metadata.name !== 'z');
          watch.close();
          told.push(events);
        }
        const [events = []] = told;
        expect(told[1]).toEqual(events);
        expect(events.at(-1)?.object).toEqual(last);
        const versions = events.map(({ object }) => versionOf(object));
        expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));

        for (const list of lists) {
          const seen = events
            .filter(({ object }) => versionOf(object) <= versionOf(list))
            .reduce(after, stateOf(first));
          expect([...seen.values()]).toEqual(list.items);
        }
      },
    ),
    { numRuns: OWN_SERVER ? 25 : 8 },
  );
}, 60_000);
