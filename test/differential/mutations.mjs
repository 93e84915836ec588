/** Spoils an object in one way a client might: a wrong type, a missing, unknown, doubled, empty, null or huge field, a bad name. */
import { edited, pathsOf, valueAt } from './edits.mjs';

const WRONG = ['x', '', 'x'.repeat(300), 0, -1, 1.5, 99999999999, true, null, [], {}, ['x'], { x: 1 }];
const BAD_NAMES = [
  'Bad',
  '-x',
  'a_b',
  'a/b',
  '',
  'x'.repeat(64),
  'x'.repeat(254),
  'a..b',
  '日本',
  'a%b',
  '.',
];
const BAD_LABELS = [
  { 'a b': 'x' },
  { a: '-x' },
  { a: 'x'.repeat(64) },
  { '/a': 'x' },
  { 'x/y/z': '' },
  { a: null },
];

/**
 * @param {import('./random.mjs').Random} random
 * @param {unknown} object
 * @returns {{ json: unknown } | { raw: string }} a request's body
 */
export function spoiled(random, object) {
  const paths = pathsOf(object).filter((path) => path[0] !== 'metadata' || path.length > 2);
  const path = random.pick(paths.length > 0 ? paths : pathsOf(object));
  const inner = random.pick(paths.filter((one) => isObject(valueAt(object, one)))) ?? [];
  switch (
    random.weighted({
      wrong: 6,
      missing: 4,
      unknown: 4,
      doubled: 2,
      name: 3,
      labels: 2,
      meta: 3,
      kind: 1,
      text: 1,
      huge: 1,
      repeated: 1,
    })
  ) {
    case 'missing':
      return { json: edited(object, path, undefined) };
    case 'unknown':
      return {
        json: edited(
          object,
          [...inner, random.pick(['zzz', 'Spec', 'apiversion'])],
          random.pick([1, 'x', {}, null]),
        ),
      };
    case 'doubled': {
      const text = JSON.stringify(object);
      return {
        raw: text.replace(/^\{/, random.pick(['{"kind":"X",', '{"metadata":{},', '{"zz":1,"zz":2,'])),
      };
    }
    case 'name':
      return { json: edited(object, ['metadata', 'name'], random.pick(BAD_NAMES)) };
    case 'labels':
      return {
        json: edited(object, ['metadata', random.pick(['labels', 'annotations'])], random.pick(BAD_LABELS)),
      };
    case 'meta':
      return {
        json: edited(
          object,
          ...random.pick([
            [['metadata', 'finalizers'], ['x']],
            [
              ['metadata', 'finalizers'],
              ['a.io/x', 'a.io/x'],
            ],
            [['metadata', 'finalizers'], ['orphan']],
            [['metadata', 'ownerReferences'], [{ apiVersion: 'v1', kind: 'X', name: 'n' }]],
            [['metadata', 'ownerReferences'], [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u' }]],
            [
              ['metadata', 'ownerReferences'],
              [
                { apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u', controller: true },
                { apiVersion: 'v1', kind: 'Y', name: 'm', uid: 'v', controller: true },
              ],
            ],
            [['metadata', 'namespace'], 'elsewhere'],
            [['metadata', 'resourceVersion'], '1'],
            [['metadata', 'uid'], 'u'],
            [['metadata', 'generation'], 7],
            [['metadata', 'creationTimestamp'], random.pick(['x', null, '2020-01-01T00:00:00Z'])],
            [['metadata', 'deletionTimestamp'], '2020-01-01T00:00:00Z'],
            [['metadata', 'managedFields'], [{ manager: 'm' }]],
            [['metadata', 'annotations'], { 'a b': '' }],
            [['metadata'], random.pick([null, 'x', []])],
          ]),
        ),
      };
    case 'kind':
      return {
        json: edited(
          object,
          ...random.pick([
            [['kind'], 'Other'],
            [['apiVersion'], 'v9'],
            [['kind'], undefined],
            [['apiVersion'], undefined],
          ]),
        ),
      };
    case 'text':
      return {
        raw: random.pick([
          '',
          '{',
          '[]',
          'null',
          '"x"',
          '{"a":1}}',
          '\u0000',
          JSON.stringify(object).slice(0, -1),
        ]),
      };
    case 'huge':
      return {
        json: edited(object, ['metadata', 'annotations'], {
          big: 'x'.repeat(random.pick([262_140, 262_145, 300_000])),
        }),
      };
    case 'repeated': {
      const lists = paths.filter((one) => Array.isArray(valueAt(object, one)));
      const list = random.pick(lists);
      if (list === undefined) return { json: edited(object, path, random.pick(WRONG)) };
      const items = valueAt(object, list);
      return { json: edited(object, list, random.pick([[...items, ...items], [...items, null], [null]])) };
    }
    default:
      return { json: edited(object, path, random.pick(WRONG)) };
  }
}

/**
 * As `spoiled`, in one to three places.
 * @param {import('./random.mjs').Random} random
 * @param {unknown} object
 */
export function spoiledMore(random, object) {
  let body = { json: object };
  for (let i = 1 + random.below(3); i > 0 && 'json' in body; i -= 1) body = spoiled(random, body.json);
  return body;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
