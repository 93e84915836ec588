/** Events: expectations recorded from kube-apiserver 1.36.3. */
import { fieldErrorText, type FieldError } from '../../../../mockserver/ground/field-error.js';
import { eventRules } from '../../../../mockserver/registry/kinds/event.js';
import { main, object } from './objects.js';

const NEW = 'events.k8s.io/v1';
const core = object(
  'v1',
  'Event',
  { name: 'e', namespace: 'ns' },
  {
    involvedObject: { kind: 'Pod', namespace: 'ns' },
    reason: 'r',
    message: 'm',
    source: { component: 'c' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: null,
    count: 2,
    type: 'Normal',
    eventTime: null,
    series: { count: 3 },
    action: 'a',
    related: { kind: 'Node' },
    reportingComponent: 'k',
    reportingInstance: 'i',
  },
);
const other = object(
  NEW,
  'Event',
  { name: 'e', namespace: 'ns' },
  {
    eventTime: null,
    series: { count: 3 },
    reportingController: 'k',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    regarding: { kind: 'Pod', namespace: 'ns' },
    related: { kind: 'Node' },
    note: 'm',
    type: 'Normal',
    deprecatedSource: { component: 'c' },
    deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
    deprecatedLastTimestamp: null,
    deprecatedCount: 2,
  },
);
const texts = (errors: readonly FieldError[] = []): readonly string[] =>
  errors.map((error) => `${error.field}: ${fieldErrorText(error)}`);

test('both forms say the same', () => {
  const conversion = eventRules.conversions?.[0];
  expect(conversion?.apiVersion).toBe(NEW);
  expect(conversion?.fromStorage(core)).toEqual(other);
  expect(conversion?.toStorage(other)).toEqual(core);
});

test.each([
  ['source', core, 'c'],
  ['source', { ...core, source: {} }, 'k'],
  ['reportingController', core, 'k'],
  ['regarding.kind', core, 'Pod'],
  ['regarding.fieldPath', core, ''],
])('the field %s', (field, event, value) => {
  expect(eventRules.fields?.[field]?.(event)).toBe(value);
});

test('core checks little', () => {
  expect(eventRules.validateCreate?.({ ...core, type: 'Bogus' }, main('v1'))).toEqual([]);
  const cluster = object(
    'v1',
    'Event',
    { name: 'e', namespace: 'default' },
    { involvedObject: { kind: 'Node' } },
  );
  expect(eventRules.validateCreate?.(cluster, main('v1'))).toEqual([]);
  const elsewhere = { ...core, involvedObject: { namespace: 'other' } };
  expect(texts(eventRules.validateCreate?.(elsewhere, main('v1')))).toEqual([
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ]);
});

test('core checks an Event with an eventTime', () => {
  const event = object(
    'v1',
    'Event',
    { name: 'e', namespace: 'ns' },
    {
      eventTime: '2026-01-01T00:00:00.000000Z',
      series: { count: 1 },
    },
  );
  expect(texts(eventRules.validateCreate?.(event, main('v1')))).toEqual([
    'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    'reportingComponent: Required value',
    'reportingComponent: Invalid value: "": name part must be non-empty',
    `reportingComponent: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    'reportingInstance: Required value',
    'action: Required value',
    'reason: Required value',
  ]);
});

test('an empty Event through events.k8s.io lacks its time and its type', () => {
  const event = object('v1', 'Event', { name: 'e', namespace: 'default' });
  expect(texts(eventRules.validateCreate?.(event, main(NEW)))).toEqual([
    'eventTime: Required value',
    'type: Invalid value: "": has invalid value: ',
  ]);
});

test('events.k8s.io refuses the deprecated fields', () => {
  const errors = texts(eventRules.validateCreate?.({ ...core, type: 'Bogus' }, main(NEW)));
  expect(errors).toEqual([
    'series.lastObservedTime: Required value',
    'eventTime: Required value',
    'type: Invalid value: "": has invalid value: Bogus',
    'firstTimestamp: Invalid value: "": needs to be unset',
    'count: Invalid value: "": needs to be unset',
    'source: Invalid value: "": needs to be unset',
  ]);
});

describe('an update', () => {
  const changed = {
    ...core,
    involvedObject: { kind: 'Pod', namespace: 'ns', name: 'x' },
    reason: 'r2',
    source: { host: 'h' },
    reportingComponent: 'k2',
  };

  test('through core changes anything', () => {
    expect(eventRules.validateUpdate?.(changed, core, main('v1'))).toEqual([]);
  });

  test('through events.k8s.io changes nothing but the series', () => {
    expect(texts(eventRules.validateUpdate?.(changed, core, main(NEW)))).toEqual([
      'involvedObject: Invalid value: {"kind":"Pod","namespace":"ns","name":"x"}: field is immutable',
      'reason: Invalid value: "r2": field is immutable',
      'source: Invalid value: {"host":"h"}: field is immutable',
      'reason: Invalid value: "r2": field is immutable',
      'reportingController: Invalid value: "k2": field is immutable',
    ]);
    const series = { count: 4, lastObservedTime: '2026-01-01T00:00:00.000000Z' };
    expect(eventRules.validateUpdate?.({ ...core, series }, core, main(NEW))).toEqual([]);
  });
});
