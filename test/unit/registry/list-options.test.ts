import { DEFAULT_FEATURES } from '../../../mockserver/ground/features.js';
import { StatusError } from '../../../mockserver/ground/status.js';
import { decodeGetOptions } from '../../../mockserver/registry/get-options.js';
import { type ListOptions, decodeListOptions } from '../../../mockserver/registry/list-options.js';
import { parseQuery } from '../../../mockserver/registry/query.js';
import { METADATA_FIELDS } from '../../../mockserver/watch/field-selector.js';
import { refusal } from '../refusal.js';

const WITHOUT_WATCH_LIST = { ...DEFAULT_FEATURES, WatchList: false };

const decode = (text: string, features = DEFAULT_FEATURES, name?: string): ListOptions =>
  decodeListOptions({ query: parseQuery(text), selectable: METADATA_FIELDS, features, name });

test('options that are not given have no effect', () => {
  expect(decode('')).toMatchObject({
    watch: false,
    allowWatchBookmarks: false,
    resourceVersion: '',
    resourceVersionMatch: '',
    timeoutSeconds: undefined,
    limit: 0,
    continueToken: '',
    sendInitialEvents: undefined,
  });
  expect(decode('').labels.isEmpty && decode('').fields.isEmpty).toBe(true);
});

const FORBIDDEN = {
  withoutVersion:
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  withContinue:
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
  exactZero:
    'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  initialEvents: 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  needsNotOlderThan:
    'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  gate: 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  needsInitialEvents:
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
};
const unsupported = (value: string, supported: string): string =>
  `resourceVersionMatch: Unsupported value: "${value}": supported values: ${supported}`;

// Seen on kube-apiserver 1.36.3 but for the rows without the WatchList gate, which follow its source.
describe('options that contradict each other are a 422', () => {
  test.each([
    ['resourceVersionMatch=Exact', [FORBIDDEN.withoutVersion]],
    [
      'resourceVersionMatch=Foo',
      [FORBIDDEN.withoutVersion, unsupported('Foo', '"Exact", "NotOlderThan", ""')],
    ],
    ['resourceVersion=0&resourceVersionMatch=Exact', [FORBIDDEN.exactZero]],
    ['resourceVersion=5&continue=x&resourceVersionMatch=Exact', [FORBIDDEN.withContinue]],
    ['sendInitialEvents=false', [FORBIDDEN.initialEvents]],
    [
      'resourceVersionMatch=x&continue=x&sendInitialEvents',
      [
        FORBIDDEN.withoutVersion,
        FORBIDDEN.withContinue,
        unsupported('x', '"Exact", "NotOlderThan", ""'),
        FORBIDDEN.initialEvents,
      ],
    ],
    ['watch=1&sendInitialEvents=0', [FORBIDDEN.needsNotOlderThan]],
    ['watch=1&resourceVersion=5&resourceVersionMatch=NotOlderThan', [FORBIDDEN.needsInitialEvents]],
    [
      'watch&resourceVersionMatch=Exact',
      [FORBIDDEN.needsInitialEvents, unsupported('Exact', '"NotOlderThan"')],
    ],
    [
      'watch=1&sendInitialEvents=true&resourceVersionMatch=Exact',
      [FORBIDDEN.needsNotOlderThan, unsupported('Exact', '"NotOlderThan"')],
    ],
    ['watch=1&continue=abc', [FORBIDDEN.withContinue]],
  ])('%s', (text, errors) => {
    const error = refusal(() => decode(text));
    if (!(error instanceof StatusError)) throw error;
    const { status } = error;
    const list = errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`;
    expect(status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `ListOptions.meta.k8s.io "" is invalid: ${list}`,
      details: { group: 'meta.k8s.io', kind: 'ListOptions' },
    });
    expect(status.details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)).toEqual(
      errors,
    );
  });

  test('a watch-list without its gate', () => {
    const error = refusal(() =>
      decode('watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', WITHOUT_WATCH_LIST),
    );
    expect(error.message).toBe(`ListOptions.meta.k8s.io "" is invalid: ${FORBIDDEN.gate}`);
  });

  test('the same options on a list and with the version of a watch pass', () => {
    expect(() => decode('watch=1&continue=abc&resourceVersion=5&limit=1')).not.toThrow();
    expect(() => decode('continue=abc&limit=-1')).not.toThrow();
  });
});

describe('errors come in the order of a server', () => {
  const FIELD = '"zz" is not a known field selector: only "metadata.name", "metadata.namespace"';
  test.each([
    ['timeoutSeconds=y&limit=x&labelSelector==', 400, 'strconv.ParseInt: parsing "y": invalid syntax'],
    ['limit=x&labelSelector==&fieldSelector=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['labelSelector==&fieldSelector=x', 400, "found '=', expected: !, identifier, or 'end of string'"],
    ['fieldSelector=x&resourceVersionMatch=Foo', 400, "invalid selector: 'x'; can't understand 'x'"],
    [
      'fieldSelector=zz=1&sendInitialEvents=1',
      422,
      `ListOptions.meta.k8s.io "" is invalid: ${FORBIDDEN.initialEvents}`,
    ],
    ['fieldSelector=zz=1&continue=bad&resourceVersion=bad', 400, FIELD],
  ])('%s', (text, code, message) => {
    expect(refusal(() => decode(text))).toMatchObject({ code, message });
  });
});

describe('a watch that names no version', () => {
  test.each([
    ['watch=1', true, 'NotOlderThan'],
    ['watch=1&resourceVersion=0', true, 'NotOlderThan'],
    ['watch=1&resourceVersion=00', undefined, ''],
    ['watch=1&resourceVersion=5', undefined, ''],
    ['watch=1&sendInitialEvents=0&resourceVersionMatch=NotOlderThan', false, 'NotOlderThan'],
    ['', undefined, ''],
  ])('%s: initial events %s', (text, sendInitialEvents, resourceVersionMatch) => {
    expect(decode(text)).toMatchObject({ sendInitialEvents, resourceVersionMatch });
  });

  test('gets no defaults without the WatchList gate', () => {
    expect(decode('watch=1', WITHOUT_WATCH_LIST)).toMatchObject({
      sendInitialEvents: undefined,
      resourceVersionMatch: '',
    });
  });
});

describe('a name in the path', () => {
  test.each([
    ['', 'metadata.name=c0'],
    ['fieldSelector=,', 'metadata.name=c0'],
    ['fieldSelector=metadata.name=c0,metadata.namespace=x', 'metadata.name=c0,metadata.namespace=x'],
  ])('beside %j selects that object', (text, fields) => {
    expect(decode(text, DEFAULT_FEATURES, 'c0').fields.toString()).toBe(fields);
  });

  test.each(['metadata.name=c1', 'metadata.name!=c1', 'metadata.namespace=n'])(
    'beside %s is a 400',
    (selector) => {
      expect(refusal(() => decode(`fieldSelector=${selector}`, DEFAULT_FEATURES, 'c0'))).toMatchObject({
        code: 400,
        message: "fieldSelector metadata.name doesn't match requested name",
      });
    },
  );
});

describe('a read of one object', () => {
  test.each(['export', 'export=true', 'export=1&resourceVersion=abc'])('with %s is refused', (text) => {
    expect(refusal(() => decodeGetOptions(parseQuery(text)))).toMatchObject({
      code: 400,
      message: 'the export parameter, deprecated since v1.14, is no longer supported',
    });
  });

  test('takes any other export, and the version as it is', () => {
    expect(decodeGetOptions(parseQuery('export=0&resourceVersion=abc'))).toEqual({ resourceVersion: 'abc' });
  });
});
