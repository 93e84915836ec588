/** What is checked of Events: little through core, much through events.k8s.io. Fields are named the core way. */
import { type FieldError, invalid, required } from '../../ground/field-error.js';
import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, namespaceOf } from '../../ground/object.js';
import { type WriteRequest } from '../kind-rules.js';
import { labelKeyProblems } from '../../ground/name-syntax.js';

const MAX_SHORT_BYTES = 128;
const MAX_NOTE_BYTES = 1024;
const IMMUTABLE = 'field is immutable';

const isCore = (request: WriteRequest): boolean => request.apiVersion === 'v1';

/**
 * Through core a real server looks at metadata only where all else is well.
 * @param metadata its errors
 * Source: kubernetes apis/core/validation/events.go, ValidateEventCreate.
 */
export function eventCreateErrors(
  event: ApiObject,
  request: WriteRequest,
  metadata: readonly FieldError[] = [],
): readonly FieldError[] {
  const errors = basicErrors(event, request);
  if (isCore(request)) return errors.length > 0 ? errors : metadata;
  errors.push(...metadata, ...seriesErrors(event));
  if (!isSet(event, 'eventTime')) errors.push(required('eventTime'));
  const type = stringMember(event, 'type') ?? '';
  if (type !== 'Normal' && type !== 'Warning') {
    errors.push(invalid('type', '', `has invalid value: ${type}`));
  }
  for (const name of ['firstTimestamp', 'lastTimestamp', 'count']) {
    if (isSet(event, name)) errors.push(invalid(name, '', 'needs to be unset'));
  }
  const source = objectMember(event, 'source');
  if (stringMember(source, 'component') || stringMember(source, 'host')) {
    errors.push(invalid('source', '', 'needs to be unset'));
  }
  return errors;
}

/** Source: the same, ValidateEventUpdate. */
export function eventUpdateErrors(
  next: ApiObject,
  previous: ApiObject,
  request: WriteRequest,
  metadata: readonly FieldError[] = [],
): readonly FieldError[] {
  const errors = basicErrors(next, request);
  if (isCore(request)) return errors;
  errors.push(...metadata);
  if (!same(next, previous, 'series')) errors.push(...seriesErrors(next));
  // reason stands here twice, as it does in the source: its cause appears twice.
  for (const name of [
    'involvedObject',
    'reason',
    'message',
    'source',
    'firstTimestamp',
    'lastTimestamp',
    'count',
    'reason',
    'type',
    'eventTime',
    'action',
    'related',
  ]) {
    if (!same(next, previous, name)) errors.push(invalid(name, shown(next, name), IMMUTABLE));
  }
  if (!same(next, previous, 'reportingComponent')) {
    errors.push(invalid('reportingController', shown(next, 'reportingComponent'), IMMUTABLE));
  }
  if (!same(next, previous, 'reportingInstance')) {
    errors.push(invalid('reportingInstance', shown(next, 'reportingInstance'), IMMUTABLE));
  }
  return errors;
}

function basicErrors(event: ApiObject, request: WriteRequest): FieldError[] {
  const errors: FieldError[] = [];
  const about = stringMember(objectMember(event, 'involvedObject'), 'namespace') ?? '';
  const namespace = namespaceOf(event);
  const mismatch = invalid('involvedObject.namespace', about, 'does not match event.namespace');
  if (!isSet(event, 'eventTime')) {
    // An Event about a cluster-scoped object lives in `default`.
    if (about === '' ? namespace !== '' && namespace !== 'default' : namespace !== about) {
      errors.push(mismatch);
    }
    return errors;
  }
  if (about === '' && namespace !== 'default' && namespace !== 'kube-system') errors.push(mismatch);
  const reporter = stringMember(event, 'reportingComponent') ?? '';
  const reporterField = isCore(request) ? 'reportingComponent' : 'reportingController';
  if (reporter === '') errors.push(required(reporterField));
  for (const problem of labelKeyProblems(reporter)) {
    errors.push(invalid(reporterField, reporter, problem));
  }
  for (const [name, maxBytes] of [
    ['reportingInstance', MAX_SHORT_BYTES],
    ['action', MAX_SHORT_BYTES],
    ['reason', MAX_SHORT_BYTES],
    ['message', MAX_NOTE_BYTES],
  ] as const) {
    const text = stringMember(event, name) ?? '';
    if (text === '' && name !== 'message') errors.push(required(name));
    if (Buffer.byteLength(text) > maxBytes) {
      errors.push(invalid(name, '', `can have at most ${maxBytes} characters`));
    }
  }
  return errors;
}

function seriesErrors(event: ApiObject): readonly FieldError[] {
  const series = objectMember(event, 'series');
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((numberMember(series, 'count') ?? 0) < 2) {
    errors.push(invalid('series.count', '', 'should be at least 2'));
  }
  if (!isSet(series, 'lastObservedTime')) errors.push(required('series.lastObservedTime'));
  return errors;
}

function isSet(object: Parameters<typeof member>[0], name: string): boolean {
  return !isEmpty(member(object, name));
}

/** What Go keeps as a zero value: it makes no difference whether such a member is there. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

function same(next: ApiObject, previous: ApiObject, name: string): boolean {
  const [a, b] = [member(next, name), member(previous, name)];
  return (isEmpty(a) && isEmpty(b)) || jsonEqual(a, b);
}

/** What members are that are absent, where that is no empty text. */
const ABSENT: Readonly<Record<string, JsonValue>> = {
  related: null,
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  count: 0,
};

const shown = (event: ApiObject, name: string): JsonValue =>
  member(event, name) ?? (Object.hasOwn(ABSENT, name) ? (ABSENT[name] ?? null) : '');
