/** Each rule that is known of the validation of built-in kinds is exercised by a recorded write, or is on a list. */
import { readFileSync } from 'node:fs';

interface Rule {
  readonly id: string;
  readonly gvk: string;
  readonly field: string;
  readonly examples: readonly string[];
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'));

// The files say what they hold.
const rules = read('openapi/1.36/validation-1.36.json') as readonly Rule[];
const replayed = new Set(
  (read('fixtures/recorded/validation/writes.json') as readonly { readonly id: string }[]).map(
    ({ id }) => id,
  ),
);

/** Rules whose one example is answered in another way, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  v183: 'the refusal is the same; a real server adds a warning to it',
  v251: 'the cause is the same; its text shows the pod as a real server has it in memory',
};

test('there are 460 rules', () => {
  expect(rules).toHaveLength(460);
});

test('every rule is exercised, but for those that are listed with a reason', () => {
  const open = rules.filter(({ examples }) => !examples.some((id) => replayed.has(id)));
  expect(open.map(({ id }) => id)).toEqual(Object.keys(OTHERWISE));
});

test('no rule is listed that is exercised', () => {
  const listed = rules.filter(({ id }) => Object.hasOwn(OTHERWISE, id));
  expect(listed.flatMap(({ examples }) => examples.filter((id) => replayed.has(id)))).toEqual([]);
});
