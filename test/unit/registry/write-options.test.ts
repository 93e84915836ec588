import {
  decodeCreateOptions,
  decodePatchOptions,
  decodeUpdateOptions,
} from '../../../mockserver/registry/write-options.js';
import {
  deleteOptionsFromBody,
  deleteOptionsFromQuery,
} from '../../../mockserver/registry/delete-options.js';
import { Float, type JsonValue } from '../../../mockserver/ground/json.js';
import { parseQuery } from '../../../mockserver/registry/query.js';
import { refusal } from '../refusal.js';

const message = (run: () => unknown): string => refusal(run).message;

test('a write that says nothing is carried out, with warnings for unknown fields', () => {
  const plain = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };
  expect(decodeCreateOptions(parseQuery('force=true&fieldValidation='))).toEqual(plain);
  expect(decodeUpdateOptions(parseQuery(''))).toEqual(plain);
  expect(decodePatchOptions(parseQuery('fieldManager=m&force=1'), true)).toEqual({
    ...plain,
    fieldManager: 'm',
    force: true,
  });
});

test('a dry run may be asked for twice', () => {
  expect(decodeCreateOptions(parseQuery('dryRun=All&dryRun=All&fieldValidation=Strict'))).toMatchObject({
    dryRun: true,
    fieldValidation: 'Strict',
  });
});

// Texts seen on kube-apiserver 1.36.3.
describe('the options of a write are refused', () => {
  const create = (text: string) => () => decodeCreateOptions(parseQuery(text));
  const apply = (text: string) => () => decodePatchOptions(parseQuery(text), true);
  const merge = (text: string) => () => decodePatchOptions(parseQuery(text), false);
  const dryRun = (values: string): string => `dryRun: Unsupported value: ${values}: supported values: "All"`;
  const manager = (shown: string, code: string, at: number): string =>
    `fieldManager: Invalid value: "${shown}": invalid character U+${code} (at position ${at})`;
  const notForMerge = 'force: Forbidden: may not be specified for non-apply patch';
  test.each([
    ['an empty dryRun', create('dryRun='), 'CreateOptions', [dryRun('[""]')]],
    ['any value of dryRun', create('dryRun=All&dryRun=Foo'), 'CreateOptions', [dryRun('["All","Foo"]')]],
    [
      'all at once, in order',
      create('fieldValidation=warn&dryRun=x&fieldManager=%01'),
      'CreateOptions',
      [
        manager('\\x01', '0001', 0),
        dryRun('["x"]'),
        'fieldValidation: Unsupported value: "warn": supported values: "", "Ignore", "Strict", "Warn"',
      ],
    ],
    [
      'each unprintable character, by its byte',
      create('fieldManager=a%00%C3%A9%E2%80%A8%F0%9F%98%80%C2%A0'),
      'CreateOptions',
      [
        manager('a\\x00é\\u2028😀\\u00a0', '0000', 1),
        manager('a\\x00é\\u2028😀\\u00a0', '2028', 4),
        manager('a\\x00é\\u2028😀\\u00a0', '00A0', 11),
      ],
    ],
    [
      'a manager of 129 bytes',
      create(`fieldManager=${'x'.repeat(129)}`),
      'CreateOptions',
      ['fieldManager: Too long: may not be more than 128 bytes'],
    ],
    [
      'an apply without a manager',
      apply('force=true'),
      'PatchOptions',
      ['fieldManager: Required value: is required for apply patch'],
    ],
    ['another patch with force', merge('force=false'), 'PatchOptions', [notForMerge]],
    [
      'another patch with force, first',
      merge('force=0&dryRun=x'),
      'PatchOptions',
      [notForMerge, dryRun('["x"]')],
    ],
  ])('%s', (_name, run, kind, errors) => {
    const list = errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`;
    expect(message(run)).toBe(`${kind}.meta.k8s.io "" is invalid: ${list}`);
  });

  test('an update by its own name', () => {
    expect(message(() => decodeUpdateOptions(parseQuery('dryRun=x')))).toBe(
      `UpdateOptions.meta.k8s.io "" is invalid: ${dryRun('["x"]')}`,
    );
  });
});

const NOTHING = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  preconditions: {},
};

describe('the options of a delete come from the query', () => {
  test.each([
    ['', {}],
    ['preconditions.uid=z&uid=&resourceVersion=', {}],
    ['uid=z&resourceVersion=abc', { preconditions: { uid: 'z', resourceVersion: 'abc' } }],
    ['gracePeriodSeconds=-5', { gracePeriodSeconds: 1 }],
    ['gracePeriodSeconds=0', { gracePeriodSeconds: 0 }],
    ['orphanDependents', { orphanDependents: true }],
    ['orphanDependents=0&dryRun=All', { orphanDependents: false, dryRun: true }],
    ['propagationPolicy=Foreground', { propagationPolicy: 'Foreground' }],
  ])('%s', (text, expected) => {
    expect(deleteOptionsFromQuery(parseQuery(text))).toEqual({ ...NOTHING, ...expected });
  });

  test.each([
    ['gracePeriodSeconds=', 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      'propagationPolicy',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      'orphanDependents=false&propagationPolicy=Orphan',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
  ])('%s is refused', (text, expected) => {
    expect(message(() => deleteOptionsFromQuery(parseQuery(text)))).toBe(expected);
  });
});

describe('the options of a delete come from the body', () => {
  const read = (value: JsonValue) => deleteOptionsFromBody({ ok: true, value });

  test.each<[string, JsonValue, object]>([
    ['null', null, {}],
    ['of no kind', { apiVersion: 'zz/v1' }, {}],
    ['of any version', { kind: 'DeleteOptions', apiVersion: 'zz/v1', unknown: 1, dryRun: [] }, {}],
    [
      'with nulls',
      { gracePeriodSeconds: null, dryRun: null, preconditions: null, orphanDependents: null },
      {},
    ],
    [
      'in full',
      {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        gracePeriodSeconds: -1,
        propagationPolicy: 'Background',
        dryRun: ['All'],
        preconditions: { uid: '', resourceVersion: '7' },
      },
      {
        dryRun: true,
        gracePeriodSeconds: 1,
        propagationPolicy: 'Background',
        preconditions: { uid: '', resourceVersion: '7' },
      },
    ],
    ['with names in another case', { GracePeriodSeconds: 'x' }, {}],
  ])('%s', (_name, value, expected) => {
    expect(read(value)).toEqual({ ...NOTHING, ...expected });
  });

  const noKind = (kind: string, version: string): string =>
    `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;
  const field = (what: string, name: string, type: string): string =>
    `json: cannot unmarshal ${what} into Go struct field DeleteOptions.${name} of type ${type}`;
  test.each<[string, JsonValue, string]>([
    ['another kind', { kind: 'Pod', apiVersion: 'v1' }, noKind('Pod', 'v1')],
    ['another kind without a version', { kind: 'Foo' }, noKind('Foo', 'meta.k8s.io/v1')],
    [
      'a kind of the core that is none there',
      { kind: 'ListOptions', apiVersion: 'v1' },
      noKind('ListOptions', 'v1'),
    ],
    [
      'a kind that has other options',
      { kind: 'ListOptions', apiVersion: 'meta.k8s.io/v1' },
      'converting (v1.ListOptions) to (v1.DeleteOptions): unknown conversion',
    ],
    [
      'a version with two slashes',
      { kind: 'DeleteOptions', apiVersion: 'a/b/c' },
      'unexpected GroupVersion string: a/b/c',
    ],
    ['a grace period in text', { gracePeriodSeconds: 'x' }, field('string', 'gracePeriodSeconds', 'int64')],
    [
      'a grace period with a fraction',
      { gracePeriodSeconds: 1.5 },
      field('number 1.5', 'gracePeriodSeconds', 'int64'),
    ],
    [
      'a grace period that is a float',
      { gracePeriodSeconds: new Float(100) },
      field('number 100', 'gracePeriodSeconds', 'int64'),
    ],
    ['a dryRun that is no list', { dryRun: 'All' }, field('string', 'dryRun', '[]string')],
    ['a dryRun of numbers', { dryRun: [1] }, field('number', 'dryRun', 'string')],
    [
      'a policy that is no text',
      { propagationPolicy: 5 },
      field('number', 'propagationPolicy', 'v1.DeletionPropagation'),
    ],
    [
      'an orphanDependents that is no boolean',
      { orphanDependents: 1 },
      field('number', 'orphanDependents', 'bool'),
    ],
    [
      'preconditions that are a list',
      { preconditions: [] },
      field('array', 'preconditions', 'v1.Preconditions'),
    ],
    [
      'a uid that is no text',
      { preconditions: { uid: 5 } },
      'json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID',
    ],
    [
      'a kind that is no text',
      { kind: 5 },
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [
      'what is no object',
      [],
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ],
    [
      'a dryRun with null',
      { dryRun: [null] },
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
    ],
    [
      'all that is invalid',
      { propagationPolicy: 'x', orphanDependents: false, dryRun: ['y'] },
      'DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "x": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil", dryRun: Unsupported value: ["y"]: supported values: "All"]',
    ],
  ])('and are refused for %s', (_name, value, expected) => {
    expect(message(() => read(value))).toBe(expected);
  });

  test('and are refused when they are not JSON', () => {
    expect(message(() => deleteOptionsFromBody({ ok: false, error: 'unexpected end of JSON input' }))).toBe(
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    );
  });
});
