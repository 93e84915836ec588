/** Lists in pages, and lists at a version: limit, continue, resourceVersion, resourceVersionMatch. */
import { type Doc, names, versionOf } from './documents.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('pages');

/** A namespace of its own with `c0` … `c9`, so that tests may write. Shape: path of its configmaps. */
async function tenOf(prefix: string): Promise<string> {
  const namespace = await target.namespaceNamed(target.unique(prefix));
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (let i = 0; i < 10; i++) {
    await target.done('POST', path, { metadata: { name: `c${i}`, labels: { parity: String(i % 2) } } });
  }
  return path;
}

const page = (path: string, query: string): Promise<Doc> => target.done('GET', `${path}?${query}`);
const next = (path: string, list: Doc, limit = 4): Promise<Doc> =>
  page(path, `limit=${limit}&continue=${list.metadata.continue}`);

interface Token {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

const readToken = (list: Doc): Token =>
  JSON.parse(Buffer.from(list.metadata.continue, 'base64url').toString()) as Token;
const writeToken = (token: object): string => Buffer.from(JSON.stringify(token)).toString('base64url');

let path = '';
beforeAll(async () => {
  path = await tenOf('pages-still');
});

describe('pages of one list', () => {
  test('hold every object once, in order, and say how many are left', async () => {
    const first = await page(path, 'limit=4');
    const second = await next(path, first);
    const third = await next(path, second);
    expect([first, second, third].map(names)).toEqual([
      ['c0', 'c1', 'c2', 'c3'],
      ['c4', 'c5', 'c6', 'c7'],
      ['c8', 'c9'],
    ]);
    expect([first, second].map(({ metadata }) => metadata.remainingItemCount)).toEqual([6, 2]);
    expect(third.metadata).not.toHaveProperty('remainingItemCount');
    expect(third.metadata).not.toHaveProperty('continue');
  });

  test('show the state of the first one, whatever is written in between', async () => {
    const changing = await tenOf('pages-moving');
    const first = await page(changing, 'limit=4');
    await target.done('DELETE', `${changing}/c7`);
    await target.done('PUT', `${changing}/c9`, { metadata: { name: 'c9' }, data: { changed: 'yes' } });
    await target.done('POST', changing, { metadata: { name: 'c55' } });
    const second = await next(changing, first);
    const third = await next(changing, second);
    expect(names(second)).toEqual(['c4', 'c5', 'c6', 'c7']);
    expect(names(third)).toEqual(['c8', 'c9']);
    expect(third.items[1]).not.toHaveProperty('data');
    expect(new Set([first, second, third].map(versionOf)).size).toBe(1);
    const now = await page(changing, 'limit=10');
    expect(names(now)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c55', 'c6', 'c8', 'c9']);
  });

  test('may change their size on the way', async () => {
    const first = await page(path, 'limit=3');
    expect(names(await next(path, first, 1))).toEqual(['c3']);
    expect(names(await page(path, `continue=${first.metadata.continue}`))).toHaveLength(7);
  });

  test('fill up with what a selector selects, and do not count the rest', async () => {
    const first = await page(path, 'limit=3&labelSelector=parity%3D1');
    expect(names(first)).toEqual(['c1', 'c3', 'c5']);
    expect(first.metadata).not.toHaveProperty('remainingItemCount');
    const rest = await page(path, `limit=3&labelSelector=parity%3D1&continue=${first.metadata.continue}`);
    expect(names(rest)).toEqual(['c7', 'c9']);
  });

  test('name the version and the next key in their token', async () => {
    const first = await page(path, 'limit=2');
    expect(readToken(first)).toEqual({
      v: 'meta.k8s.io/v1',
      rv: versionOf(first),
      start: expect.stringMatching(/^\/?c1\0$/) as unknown,
    });
  });

  test('go on at a key that is no longer there', async () => {
    const first = await page(path, 'limit=2');
    const token = writeToken({ ...readToken(first), start: 'c45\u0000' });
    expect(names(await page(path, `limit=2&continue=${token}`))).toEqual(['c5', 'c6']);
  });
});

test.each([0, -5])('limit=%j is no limit', async (limit) => {
  expect(names(await page(path, `limit=${limit}`))).toHaveLength(10);
});

test('a list of exactly as many as the limit has no next page', async () => {
  const list = await page(path, 'limit=10');
  expect(list.items).toHaveLength(10);
  expect(list.metadata).not.toHaveProperty('continue');
});

test('an empty continue counts as none', async () => {
  expect(names(await page(path, 'limit=2&continue='))).toEqual(['c0', 'c1']);
});

test.each([
  ['limit=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
  ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
  [
    'continue=%3F%3F',
    'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
  ],
  [
    `continue=${writeToken({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' })}`,
    'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  ],
  [
    `continue=${writeToken({ v: 'meta.k8s.io/v1', rv: 5, start: '' })}`,
    'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
  ],
  [
    `continue=${writeToken({ v: 'v9', rv: 5, start: 'a' })}`,
    'invalid continue token: continue key is not valid: server does not recognize this encoded version v9',
  ],
  [
    `continue=${writeToken({ v: 'meta.k8s.io/v1', rv: 5, start: '../secrets' })}`,
    'invalid continue token: continue key is not valid: ../secrets',
  ],
  [
    `resourceVersion=5&continue=${writeToken({ v: 'meta.k8s.io/v1', rv: 5, start: 'a' })}`,
    'specifying resource version is not allowed when using continue',
  ],
  [
    'resourceVersion=abc',
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    'resourceVersion=-1',
    'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
  ],
])('%s is a BadRequest', async (query, message) => {
  const { status, doc } = await target.get(`${path}?${query}`);
  expect(status).toBe(400);
  expect(doc).toMatchObject({ reason: 'BadRequest', message });
  expect(doc).not.toHaveProperty('details');
});

describe('a version', () => {
  let at = 0;
  let later: Doc;
  let collection = '';
  beforeAll(async () => {
    collection = await tenOf('pages-at');
    at = versionOf(await page(collection, ''));
    await target.done('DELETE', `${collection}/c0`);
    later = await target.done('POST', collection, { metadata: { name: 'd' } });
  });
  const past = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9'];
  const present = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'd'];

  test('with Exact shows the state at that version and names it', async () => {
    const list = await page(collection, `resourceVersion=${at}&resourceVersionMatch=Exact`);
    expect(names(list)).toEqual(past);
    expect(versionOf(list)).toBe(at);
  });

  test('with Exact can be read in pages', async () => {
    const first = await page(collection, `resourceVersion=${at}&resourceVersionMatch=Exact&limit=9`);
    expect(names(first)).toEqual(past.slice(0, 9));
    const last = await next(collection, first);
    expect(names(last)).toEqual(['c9']);
    expect(versionOf(last)).toBe(at);
  });

  test('with a limit and no match is exact too', async () => {
    const first = await page(collection, `resourceVersion=${at}&limit=2`);
    expect(names(first)).toEqual(['c0', 'c1']);
    expect(versionOf(first)).toBe(at);
  });

  test('with NotOlderThan shows the latest state', async () => {
    const list = await page(collection, `resourceVersion=${at}&resourceVersionMatch=NotOlderThan`);
    expect(names(list)).toEqual(present);
    expect(versionOf(list)).toBeGreaterThanOrEqual(versionOf(later));
  });

  test('with NotOlderThan and a limit shows pages of the latest state', async () => {
    const first = await page(collection, `resourceVersion=${at}&resourceVersionMatch=NotOlderThan&limit=2`);
    expect(names(first)).toEqual(['c1', 'c2']);
    expect(names(await next(collection, first, 20))).toEqual(present.slice(2));
  });

  test('without match and limit is a version that the answer must have reached', async () => {
    expect(names(await page(collection, `resourceVersion=${at}`))).toEqual(present);
  });

  test('0 ignores the limit and takes any state', async () => {
    const list = await page(collection, 'resourceVersion=0&limit=2');
    expect(list.items).toHaveLength(10);
    expect(list.metadata).not.toHaveProperty('continue');
  });

  test('0 beside a continue token goes on at its version, without a limit', async () => {
    const first = await page(collection, 'limit=2');
    const second = await page(collection, `resourceVersion=0&limit=2&continue=${first.metadata.continue}`);
    expect(names(second)).toEqual(present.slice(2));
    expect(versionOf(second)).toBe(versionOf(first));
  });

  test('of the future is waited for and then refused', async () => {
    const { status, headers, doc } = await target.whileWaiting(3000, () =>
      target.get(`${collection}?resourceVersion=99999999`),
    );
    expect(status).toBe(504);
    expect(headers['retry-after']).toBe('1');
    expect(doc).toMatchObject({
      status: 'Failure',
      reason: 'Timeout',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    });
    expect(doc.message).toMatch(/^Timeout: Too large resource version: 99999999, current: \d+$/);
  });

  test('that is reached while a list waits for it is answered', async () => {
    const wanted = versionOf(await page(collection, '')) + 3;
    const waiting = target.get(`${collection}?resourceVersion=${wanted}`);
    for (let i = 0; i < 3; i++)
      await target.done('PUT', `${collection}/d`, { metadata: { name: 'd' }, data: { i: String(i) } });
    const { status, doc } = await waiting;
    expect(status).toBe(200);
    expect(versionOf(doc)).toBeGreaterThanOrEqual(wanted);
  });
});

const INVALID = 'ListOptions.meta.k8s.io "" is invalid: ';
test.each([
  [
    'resourceVersionMatch=Exact',
    ['resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'],
  ],
  [
    'resourceVersionMatch=Exact&resourceVersion=0',
    ['resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
  ],
  [
    'resourceVersionMatch=Sometimes&resourceVersion=5',
    ['resourceVersionMatch: Unsupported value: "Sometimes": supported values: "Exact", "NotOlderThan", ""'],
  ],
  [
    'resourceVersionMatch=NotOlderThan&resourceVersion=5&continue=x',
    ['resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'],
  ],
  ['sendInitialEvents=true', ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
  ['sendInitialEvents=false', ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
  [
    'resourceVersionMatch=Foo&continue=x&sendInitialEvents=1',
    [
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
      'resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ],
])('a list with %s is an Invalid of ListOptions', async (query, errors) => {
  const { status, doc } = await target.get(`${path}?${query}`);
  expect(status).toBe(422);
  expect(doc.reason).toBe('Invalid');
  expect(doc.details).toMatchObject({ group: 'meta.k8s.io', kind: 'ListOptions' });
  expect(doc.message).toBe(INVALID + (errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`));
  expect(doc.details.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(errors);
});

test('resourceVersion=0 does not move with writes of other resources; a consistent list does', async () => {
  const before = versionOf(await page(path, ''));
  await target.done('POST', target.path('secrets'), { metadata: { generateName: 'elsewhere-' } });
  const consistent = versionOf(await page(path, ''));
  expect(consistent).toBeGreaterThan(before);
  expect(versionOf(await page(path, 'resourceVersion=0'))).toBeGreaterThanOrEqual(consistent);
});

describe('when history has been compacted', () => {
  ownTest('a page whose version is gone is a 410 with a token for the remainder as it is now', async () => {
    const changing = await tenOf('pages-compacted');
    const first = await page(changing, 'limit=4');
    await target.done('DELETE', `${changing}/c7`);
    const last = await target.done('POST', changing, { metadata: { name: 'c55' } });
    // Compaction goes to where the store stood at the round before.
    target.own.clock.advance(600_000);

    const { status, doc } = await target.get(`${changing}?limit=4&continue=${first.metadata.continue}`);
    expect(status).toBe(410);
    expect(doc).toMatchObject({ status: 'Failure', reason: 'Expired', code: 410 });
    expect(doc.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
    expect(readToken(doc)).toEqual({ v: 'meta.k8s.io/v1', rv: -1, start: 'c3\0' });

    const rest = await next(changing, doc);
    expect(names(rest)).toEqual(['c4', 'c5', 'c55', 'c6']);
    expect(versionOf(rest)).toBeGreaterThanOrEqual(versionOf(last));
    expect(names(await next(changing, rest))).toEqual(['c8', 'c9']);
  });

  ownTest('an exact version below the compaction is a 410, at and above it is served', async () => {
    const collection = await tenOf('pages-boundary');
    const old = versionOf(await page(collection, ''));
    await target.done('DELETE', `${collection}/c0`);
    const boundary = versionOf(await page(collection, ''));
    target.own.clock.advance(600_000);
    await target.done('DELETE', `${collection}/c1`);
    const above = versionOf(await page(collection, ''));

    const exact = (at: number, limit = '') =>
      target.get(`${collection}?resourceVersion=${at}&resourceVersionMatch=Exact${limit}`);
    for (const limit of ['', '&limit=4']) {
      const { status, doc } = await exact(old, limit);
      expect(status).toBe(410);
      expect(doc).toMatchObject({
        reason: 'Expired',
        message: 'The resourceVersion for the provided list is too old.',
        metadata: {},
      });
      expect(doc.metadata).not.toHaveProperty('continue');
    }
    expect(names((await exact(boundary)).doc)).toHaveLength(9);
    expect(names((await exact(above)).doc)).toHaveLength(8);
    expect(names(await page(collection, ''))).toHaveLength(8);
  });
});
