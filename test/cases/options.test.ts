/** Case 04: options of lists and watches are checked before anything streams. */
import { DEFAULT_FEATURES } from '../../mockserver/ground/features.js';
import { type Doc } from '../behaviour/documents.js';
import { given, MAPS } from './given.js';

const at = given();

const invalid = (field: string, message: RegExp): object => ({
  code: 422,
  reason: 'Invalid',
  details: {
    group: 'meta.k8s.io',
    kind: 'ListOptions',
    causes: expect.arrayContaining([
      expect.objectContaining({ field, message: expect.stringMatching(message) as unknown }),
    ]) as unknown,
  },
});

test.each([
  ['watch=1&sendInitialEvents=true', 'resourceVersionMatch', /NotOlderThan/],
  ['watch=1&sendInitialEvents=true&resourceVersionMatch=Exact', 'resourceVersionMatch', /supported values/],
  [
    'watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=5',
    'resourceVersionMatch',
    /forbidden for watch unless/,
  ],
  [
    'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x',
    'resourceVersionMatch',
    /continue/,
  ],
  ['sendInitialEvents=true', 'sendInitialEvents', /forbidden for list/],
  ['resourceVersionMatch=Exact', 'resourceVersionMatch', /unless resourceVersion is provided/],
  ['resourceVersionMatch=Exact&resourceVersion=0', 'resourceVersionMatch', /resourceVersion "0"/],
  ['resourceVersionMatch=Sometimes&resourceVersion=5', 'resourceVersionMatch', /supported values/],
  ['continue=x&resourceVersionMatch=NotOlderThan&resourceVersion=5', 'resourceVersionMatch', /continue/],
] as const)('%s is answered 422 and names %s', async (query, field, message) => {
  expect((await at().ask('GET', `${MAPS}?${query}`)).doc).toMatchObject(invalid(field, message));
});

test('a list of a version that is no number is answered 400, a watch 500 without a reason', async () => {
  const list = (await at().ask('GET', `${MAPS}?resourceVersion=abc`)).doc;
  expect(list).toMatchObject({ code: 400, reason: 'BadRequest' });
  expect(list.message).toContain('invalid resource version');
  for (const version of ['abc', 'None', 'undefined']) {
    const watch: Doc = (await at().ask('GET', `${MAPS}?watch=1&resourceVersion=${version}`)).doc;
    expect(watch).toMatchObject({ kind: 'Status', code: 500 });
    expect(watch.reason).toBeUndefined();
    expect(watch.message).toContain(version);
  }
});

test.each([
  ['pods', 'fieldSelector=spec.foo=bar', 'field label not supported'],
  ['configmaps', 'fieldSelector=spec.foo=bar', '"spec.foo" is not a known field selector'],
  ['configmaps', 'labelSelector==bad', "found '=', expected: !, identifier, or 'end of string'"],
])('a list of %s with %s is answered 400', async (resource, query, message) => {
  const { doc } = await at().ask('GET', `/api/v1/namespaces/default/${resource}?${query}`);
  expect(doc).toMatchObject({ code: 400, reason: 'BadRequest' });
  expect(doc.message).toContain(message);
});

test('with a name in the path, watch and selector are not looked at; the old form of a watch looks', async () => {
  await at().create('a');
  const selector = 'fieldSelector=metadata.name=b';
  expect((await at().ask('GET', `${MAPS}/a?watch=1&${selector}`)).doc).toMatchObject({
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  const old = MAPS.replace('/v1/', '/v1/watch/');
  const { doc } = await at().ask('GET', `${old}/a?${selector}`);
  expect(doc).toMatchObject({ code: 400 });
  expect(doc.message).toContain("fieldSelector metadata.name doesn't match requested name");
});

describe('with the gate WatchList off', () => {
  const off = given({ cluster: { features: { ...DEFAULT_FEATURES, WatchList: false } } });

  test.each(['true', 'false'])('a watch with sendInitialEvents=%s is answered 422', async (value) => {
    const query = `watch=1&sendInitialEvents=${value}&resourceVersionMatch=NotOlderThan`;
    expect((await off().ask('GET', `${MAPS}?${query}`)).doc).toMatchObject(
      invalid('sendInitialEvents', /forbidden for watch unless the WatchList feature gate is enabled/),
    );
  });
});
