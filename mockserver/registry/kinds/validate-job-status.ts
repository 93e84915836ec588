/** Validation of the status of jobs. Source: kubernetes apis/batch/validation/validation.go, validateJobStatus; registry/batch/job/strategy.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { indexCount } from './validate-job-indexes.js';

const isTrue = (object: ApiObject, type: string): boolean =>
  itemsAt(partAt(object, 'status'), 'conditions').some(
    (one) => textAt(one, 'type') === type && textAt(one, 'status') === 'True',
  );

/** What was so before may stay so: most checks are asked only for what an update changes. */
export function jobStatus(found: Findings, next: ApiObject, previous: ApiObject): void {
  const status = partOrEmpty(next, 'status');
  const before = partOrEmpty(previous, 'status');
  const spec = partOrEmpty(next, 'spec');
  const now = (type: string): boolean => isTrue(next, type);
  const was = (type: string): boolean => isTrue(previous, type);
  const turned = (type: string): boolean => now(type) !== was(type);
  const moved = (name: string): boolean =>
    !jsonEqual(member(status, name) ?? null, member(before, name) ?? null);
  const conditions = (detail: string): void => {
    found.add({ reason: 'FieldValueInvalid', field: 'status.conditions', detail, omitsValue: true });
  };
  const finished = now('Complete') || now('Failed');
  const finishedTurned = finished !== (was('Complete') || was('Failed'));

  found.nonNegative(status, 'status', 'active', 'succeeded', 'failed', 'ready', 'terminating');
  uncounted(found, status);
  if (now('Complete') && now('Failed') && (turned('Complete') || turned('Failed')))
    conditions('cannot set Complete=True and Failed=true conditions');
  if (now('Complete') && now('FailureTarget') && (turned('Complete') || turned('FailureTarget')))
    conditions('cannot set Complete=True and FailureTarget=true conditions');
  if (isSet(status, 'completionTime') && !now('Complete') && (turned('Complete') || moved('completionTime')))
    found.invalid(
      'status.completionTime',
      member(status, 'completionTime') ?? null,
      'cannot set completionTime when there is no Complete=True condition',
    );
  if (!isSet(status, 'completionTime') && now('Complete') && (turned('Complete') || moved('completionTime')))
    found.required('status.completionTime', 'completionTime is required for Complete jobs');
  if (
    isSet(status, 'startTime') &&
    isSet(status, 'completionTime') &&
    textAt(status, 'completionTime') < textAt(status, 'startTime') &&
    (moved('startTime') || moved('completionTime'))
  )
    found.invalid(
      'status.completionTime',
      member(status, 'completionTime') ?? null,
      'must be equal to or after `startTime`',
    );
  if (now('Failed') && !now('FailureTarget') && (turned('Failed') || turned('FailureTarget')))
    conditions('cannot set Failed=True condition without the FailureTarget=true condition');
  if (now('Complete') && !now('SuccessCriteriaMet') && (turned('Complete') || turned('SuccessCriteriaMet')))
    conditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (integerAt(status, 'active') > 0 && finished && (finishedTurned || moved('active')))
    found.invalid('status.active', integerAt(status, 'active'), 'active>0 is invalid for finished job');
  if (!isSet(status, 'startTime') && finished && (finishedTurned || moved('startTime')))
    found.required('status.startTime', 'startTime is required for finished job');
  indexes(found, spec, status, moved);
  if (integerAt(status, 'terminating') > 0 && finished && (finishedTurned || moved('terminating')))
    found.invalid(
      'status.terminating',
      integerAt(status, 'terminating'),
      'terminating>0 is invalid for finished job',
    );
  if (
    isSet(status, 'ready') &&
    integerAt(status, 'ready') > integerAt(status, 'active') &&
    (moved('ready') || moved('active'))
  )
    found.invalid('status.ready', integerAt(status, 'ready'), 'cannot set more ready pods than active');
  if (now('SuccessCriteriaMet') && now('Failed'))
    conditions('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (now('SuccessCriteriaMet') && now('FailureTarget'))
    conditions('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (isSet(spec, 'successPolicy') && !now('SuccessCriteriaMet') && now('Complete'))
    conditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (was(type) && !now(type)) conditions(`cannot disable the terminal ${type}=True condition`);
  if (textAt(spec, 'completionMode') !== 'Indexed')
    for (const name of ['failed', 'succeeded'])
      if (integerAt(status, name) < integerAt(before, name))
        found.invalid(`status.${name}`, integerAt(status, name), `cannot decrease the ${name} counter`);
  if (isSet(status, 'completionTime') && isSet(before, 'completionTime') && moved('completionTime'))
    found.invalid('status.completionTime', member(status, 'completionTime') ?? null, 'field is immutable');
  if (isSet(before, 'startTime') && moved('startTime') && !flagAt(spec, 'suspend'))
    found.invalid(
      'status.startTime',
      member(status, 'startTime') ?? null,
      'field is immutable for unsuspended job once set',
    );
  if (was('SuccessCriteriaMet') && !now('SuccessCriteriaMet'))
    conditions('cannot disable the SuccessCriteriaMet=True condition');
  if (was('Complete') && !was('SuccessCriteriaMet') && now('SuccessCriteriaMet'))
    conditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
}

function uncounted(found: Findings, status: JsonObject): void {
  const pods = partAt(status, 'uncountedTerminatedPods');
  if (pods === undefined) return;
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed']) {
    textsAt(pods, list).forEach((uid, i) => {
      const field = `status.uncountedTerminatedPods.${list}[${i}]`;
      if (uid === '') found.invalid(field, uid, 'must not be empty');
      else if (seen.has(uid)) found.duplicate(field, uid);
      seen.add(uid);
    });
  }
}

function indexes(
  found: Findings,
  spec: JsonObject,
  status: JsonObject,
  moved: (name: string) => boolean,
): void {
  const [completed, failed] = [textAt(status, 'completedIndexes'), textAt(status, 'failedIndexes')];
  const most = integerAt(spec, 'completions');
  const read = (name: string, text: string): void => {
    const reading = indexCount(text, most);
    if (!reading.ok) found.invalid(`status.${name}`, text, `error parsing ${name}: ${reading.error}`);
  };
  if (isSet(spec, 'completions') && moved('completedIndexes')) read('completedIndexes', completed);
  if (
    isSet(spec, 'completions') &&
    isSet(spec, 'backoffLimitPerIndex') &&
    isSet(status, 'failedIndexes') &&
    moved('failedIndexes')
  )
    read('failedIndexes', failed);
  if (completed !== '' && textAt(spec, 'completionMode') !== 'Indexed' && moved('completedIndexes'))
    found.invalid(
      'status.completedIndexes',
      completed,
      'cannot set non-empty completedIndexes when non-indexed completion mode',
    );
  if (!isSet(spec, 'backoffLimitPerIndex') && isSet(status, 'failedIndexes') && moved('failedIndexes'))
    found.invalid(
      'status.failedIndexes',
      failed,
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
}
