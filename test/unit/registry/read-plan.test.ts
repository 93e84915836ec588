import * as fc from 'fast-check';
import { DEFAULT_FEATURES } from '../../../mockserver/ground/features.js';
import { type JsonValue } from '../../../mockserver/ground/json.js';
import { revision } from '../../../mockserver/ground/revision.js';
import {
  type ReadJson,
  continueExpired,
  decodeContinueToken,
  encodeContinueToken,
  nextPageToken,
} from '../../../mockserver/registry/continue-token.js';
import { decodeListOptions } from '../../../mockserver/registry/list-options.js';
import { parseQuery } from '../../../mockserver/registry/query.js';
import { narrowScope, planGet, planList, planWatch } from '../../../mockserver/registry/read-plan.js';
import { METADATA_FIELDS } from '../../../mockserver/watch/field-selector.js';
import { refusal } from '../refusal.js';

const readJson: ReadJson = (bytes) => {
  try {
    // JSON.parse answers `any`; JSON text holds nothing but JSON values.
    return { ok: true, value: JSON.parse(bytes.toString()) as JsonValue };
  } catch {
    return { ok: false, error: 'not JSON' };
  }
};
const options = (text: string) =>
  decodeListOptions({ query: parseQuery(text), selectable: METADATA_FIELDS, features: DEFAULT_FEATURES });
const plan = (text: string, single = false) => planList(options(text), { single, readJson });
const token = (text: string): string => Buffer.from(text).toString('base64url');

const AT_7 = encodeContinueToken({ revision: revision(7), startKey: 'w1\0', fromCache: true });
const NOW = encodeContinueToken({ revision: undefined, startKey: 'w1\0', fromCache: false });

describe('a list', () => {
  const older = (n: number) => ({ kind: 'not-older', revision: n, asked: String(n), wait: true });
  const exact = (n: number) => ({ kind: 'exact', revision: n, asked: String(n), from: 'cache' });
  const rest = { ...exact(7), startKey: 'w1\0' };
  test.each([
    ['', { kind: 'consistent', from: 'cache' }],
    ['limit=2', { kind: 'consistent', from: 'cache', limit: 2 }],
    ['limit=-1', { kind: 'consistent', from: 'cache' }],
    ['resourceVersion=0', { kind: 'cache-now' }],
    ['resourceVersion=0&limit=2', { kind: 'cache-now' }],
    ['resourceVersion=0&limit=2&resourceVersionMatch=NotOlderThan', { kind: 'cache-now' }],
    ['resourceVersion=5', older(5)],
    ['resourceVersion=05', older(5)],
    ['resourceVersion=5&limit=2', { ...exact(5), limit: 2 }],
    ['resourceVersion=5&resourceVersionMatch=NotOlderThan', older(5)],
    ['resourceVersion=5&limit=2&resourceVersionMatch=NotOlderThan', { ...older(5), limit: 2 }],
    ['resourceVersion=5&resourceVersionMatch=Exact', exact(5)],
    ['resourceVersion=5&limit=2&resourceVersionMatch=Exact', { ...exact(5), limit: 2 }],
    [`continue=${AT_7}`, rest],
    [`continue=${AT_7}&limit=2`, { ...rest, limit: 2 }],
    [`continue=${AT_7}&limit=2&resourceVersion=0`, rest],
    [`continue=${NOW}&limit=2`, { kind: 'consistent-continue', startKey: 'w1\0', limit: 2 }],
    ['continue=&resourceVersion=5', older(5)],
    // A zero that is not written "0" is a version of its own kind.
    ['resourceVersion=00', { kind: 'cache-now' }],
    ['resourceVersion=00&limit=1&resourceVersionMatch=NotOlderThan', { kind: 'cache-now', limit: 1 }],
    ['resourceVersion=00&limit=1', { kind: 'consistent', from: 'store', limit: 1 }],
    ['resourceVersion=00&resourceVersionMatch=Exact', { kind: 'consistent', from: 'store' }],
    // Reached by a delete of a collection with `watch`: its defaults are those of a watch.
    ['watch=1', { kind: 'cache-now' }],
    ['watch=1&limit=1', { kind: 'cache-now', limit: 1 }],
  ])('%s', (text, expected) => {
    expect(plan(text)).toEqual({ limit: undefined, ...expected });
  });

  test.each([
    ['resourceVersion=5&limit=2', { kind: 'not-older', revision: 5, asked: '5', wait: false, limit: 2 }],
    ['resourceVersion=5', { ...older(5), limit: undefined }],
    ['resourceVersion=5&resourceVersionMatch=Exact', { ...exact(5), from: 'store', limit: undefined }],
  ])('of one name: %s', (text, expected) => {
    expect(plan(text, true)).toEqual(expected);
  });

  test('keeps a version beyond 2^53 for the error', () => {
    expect(plan('resourceVersion=18446744073709551615')).toMatchObject({ asked: '18446744073709551615' });
  });

  const CONTINUE = 'specifying resource version is not allowed when using continue';
  const bad = (why: string): string => `invalid continue token: continue key is not valid: ${why}`;
  test.each([
    [
      'resourceVersion=abc',
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'resourceVersion=-1&resourceVersionMatch=Exact',
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [`continue=${AT_7}&resourceVersion=5`, CONTINUE],
    [`continue=${AT_7}&resourceVersion=abc`, CONTINUE],
    [`continue=${AT_7}&resourceVersion=00`, CONTINUE],
    ['continue=a&resourceVersion=5', bad('illegal base64 data at input byte 0')],
  ])('%s is refused', (text, message) => {
    expect(refusal(() => plan(text))).toMatchObject({ code: 400, message });
  });
});

describe('a read of one object', () => {
  test.each([
    ['', { kind: 'consistent', from: 'store' }],
    ['0', { kind: 'cache-now' }],
    ['00', { kind: 'cache-now' }],
    ['5', { kind: 'not-older', revision: 5, asked: '5', wait: true }],
  ])('at version %j', (resourceVersion, expected) => {
    expect(planGet({ resourceVersion })).toEqual(expected);
  });

  test('at what is no version is a 500 without a reason', () => {
    expect(refusal(() => planGet({ resourceVersion: '-1' }))).toMatchObject({
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
        code: 500,
      },
    });
  });
});

describe('a watch', () => {
  const initial = (notOlderThan: number | string, bookmark: boolean, asked = '0') => ({
    kind: 'initial-events',
    notOlderThan,
    asked,
    bookmark,
  });
  const off = 'sendInitialEvents=0&resourceVersionMatch=NotOlderThan&watch=1';
  const on = 'sendInitialEvents=1&resourceVersionMatch=NotOlderThan&watch=1';
  test.each([
    ['watch=1', initial('latest', false)],
    ['watch=1&allowWatchBookmarks=1', initial('latest', true)],
    ['watch=1&resourceVersion=0&allowWatchBookmarks=1', initial('any', true)],
    [`${on}&resourceVersion=5&allowWatchBookmarks=1`, initial(5, true, '5')],
    [`${on}&resourceVersion=5`, initial(5, false, '5')],
    [off, { kind: 'now', at: 'latest' }],
    [`${off}&resourceVersion=0`, { kind: 'now', at: 'any' }],
    [`${off}&resourceVersion=5`, { kind: 'from', afterRevision: 5 }],
    ['watch=1&resourceVersion=5&allowWatchBookmarks=1', { kind: 'from', afterRevision: 5 }],
    ['watch=1&resourceVersion=00&allowWatchBookmarks=1', initial('any', false)],
    // Under the /watch/ prefix there are no defaults.
    ['allowWatchBookmarks=1', initial('any', false)],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', initial('any', false)],
  ])('%s', (text, expected) => {
    expect(planWatch(options(text))).toEqual(expected);
  });

  test('from what is no version is a 500 without a reason', () => {
    expect(refusal(() => planWatch(options('watch=1&resourceVersion=abc')))).toMatchObject({
      code: 500,
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });
});

describe('a field selector narrows the key range', () => {
  const cluster = { namespace: undefined, namespaced: true };
  const inN = { namespace: 'n', namespaced: true };
  const clusterScoped = { namespace: undefined, namespaced: false };
  test.each([
    ['', inN, { namespace: 'n' }],
    ['fieldSelector=metadata.name=a', inN, { namespace: 'n', name: 'a' }],
    ['fieldSelector=metadata.name=a', clusterScoped, { name: 'a' }],
    ['fieldSelector=metadata.name=a', cluster, {}],
    ['fieldSelector=metadata.namespace=m', cluster, { namespace: 'm' }],
    ['fieldSelector=metadata.namespace=m,metadata.name=a', cluster, { namespace: 'm', name: 'a' }],
    ['fieldSelector=metadata.namespace=m', inN, { namespace: 'n' }],
    ['fieldSelector=metadata.namespace=Bad_NS', cluster, {}],
    ['fieldSelector=metadata.namespace=m', clusterScoped, {}],
    ['fieldSelector=metadata.name=..', inN, { namespace: 'n' }],
    ['fieldSelector=metadata.name=', inN, { namespace: 'n' }],
    ['fieldSelector=metadata.name!=a', inN, { namespace: 'n' }],
    [`fieldSelector=metadata.name=a&continue=${AT_7}`, inN, { namespace: 'n' }],
    [`fieldSelector=metadata.namespace=m&continue=${AT_7}`, cluster, {}],
  ])('%s', (text, path, expected) => {
    expect(narrowScope(options(text), path)).toEqual(expected);
  });
});

describe('a continue token', () => {
  test('has the form of a server', () => {
    expect(nextPageToken(revision(7), 'w1', true)).toBe(
      'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiIvdzFcdTAwMDAifQ',
    );
    expect(Buffer.from(NOW, 'base64url').toString()).toBe(
      '{"v":"meta.k8s.io/v1","rv":-1,"start":"w1\\u0000"}',
    );
  });

  test('that is written and read again is the same', () => {
    const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
    const parts = fc.record({
      revision: fc.option(fc.integer({ min: 1 }).map(revision), { nil: undefined }),
      startKey: fc.array(name, { minLength: 1, maxLength: 2 }).map((path) => `${path.join('/')}\0`),
      fromCache: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, ({ revision: at, startKey, fromCache }) => {
        const text = encodeContinueToken({ revision: at, startKey, fromCache });
        expect(text).toMatch(/^[-_A-Za-z0-9]+$/);
        expect(decodeContinueToken(text, readJson)).toEqual({ revision: at, startKey });
      }),
    );
  });

  const V = '"v":"meta.k8s.io/v1"';
  test.each([
    ['any negative version', `{${V},"rv":-7,"start":"a"}`, { revision: undefined, startKey: 'a' }],
    ['names in another case', '{"V":"meta.k8s.io/v1","RV":7,"Start":"a"}', { revision: 7, startKey: 'a' }],
    ['the root as key', `{${V},"rv":7,"start":"/"}`, { revision: 7, startKey: '' }],
    ['a key of two parts', `{${V},"rv":7,"start":"/n/a\\u0000"}`, { revision: 7, startKey: 'n/a\0' }],
  ])('may have %s', (_name, text, expected) => {
    expect(decodeContinueToken(token(text), readJson)).toEqual(expected);
  });

  test('may hold line ends', () => {
    expect(decodeContinueToken(`${AT_7.slice(0, 5)}\r\n${AT_7.slice(5)}`, readJson).startKey).toBe('w1\0');
  });

  // Texts seen on kube-apiserver 1.36.3.
  test.each([
    [token('{}'), 'server does not recognize this encoded version '],
    [token('null'), 'server does not recognize this encoded version '],
    [token('{"v":"x","rv":0}'), 'server does not recognize this encoded version x'],
    [token(`{${V}}`), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [token(`{${V},"rv":7}`), 'encoded start key empty (version meta.k8s.io/v1)'],
    [token(`{${V},"rv":7,"start":"c1/"}`), 'c1/'],
    [token(`{${V},"rv":7,"start":"//c1"}`), '//c1'],
    [token(`{${V},"rv":7,"start":"a/../c1"}`), 'a/../c1'],
    [token(`{${V},"rv":7,"start":"."}`), '.'],
    [token('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [
      token(`{${V},"rv":"5"}`),
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      token(`{${V},"rv":1.5}`),
      'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    [
      token(`{${V},"start":5}`),
      'json: cannot unmarshal number into Go struct field continueToken.start of type string',
    ],
    [token('x'), 'not JSON'],
    [' ', 'illegal base64 data at input byte 0'],
    ['a', 'illegal base64 data at input byte 0'],
    ['ab=', 'illegal base64 data at input byte 2'],
    ['abc+', 'illegal base64 data at input byte 3'],
    ['abcde', 'illegal base64 data at input byte 4'],
  ])('%j is refused', (text, why) => {
    expect(refusal(() => decodeContinueToken(text, readJson))).toMatchObject({
      code: 400,
      message: `invalid continue token: continue key is not valid: ${why}`,
    });
  });

  test('whose revision is compacted is answered with one for the rest', () => {
    const { status } = continueExpired('w1\0');
    expect(status).toMatchObject({ code: 410, reason: 'Expired', metadata: { continue: NOW } });
  });
});
