/** Validation of cron jobs. Source: kubernetes apis/batch/validation/validation.go, validateCronJobSpec. */
import { type JsonObject, member } from '../../ground/json.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import { flagAt, isSet, partAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { type KindValidation } from '../kind-validation.js';
import { scheduleProblem } from './cron-schedule.js';
import { jobSpec } from './validate-job.js';
import { jobSpecWarnings } from './warn-job.js';

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

function cronJob(found: Findings, spec: JsonObject, before: JsonObject | undefined): void {
  const schedule = found.needs(spec, 'spec', 'schedule');
  if (schedule !== '') {
    const problem = scheduleProblem(schedule);
    if (problem !== undefined) found.invalid('spec.schedule', schedule, problem);
    const tolerated = textAt(before, 'schedule').includes('TZ');
    if (schedule.includes('TZ')) {
      if (!tolerated)
        found.invalid(
          'spec.schedule',
          schedule,
          'cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
        );
      else if (isSet(spec, 'timeZone'))
        found.invalid(
          'spec.schedule',
          schedule,
          'cannot use both timeZone field and TZ or CRON_TZ in schedule',
        );
    }
  }
  found.nonNegative(spec, 'spec', 'startingDeadlineSeconds');
  if (before === undefined || member(before, 'timeZone') !== member(spec, 'timeZone')) timeZone(found, spec);
  found.among(spec, 'spec', 'concurrencyPolicy', ['Allow', 'Forbid', 'Replace'], 'missing');
  const job = partOrEmpty(partAt(spec, 'jobTemplate'), 'spec');
  const at = 'spec.jobTemplate.spec';
  jobSpec(found, job, at);
  if (isSet(job, 'selector'))
    found.invalid(`${at}.selector`, member(job, 'selector') ?? null, '`selector` will be auto-generated');
  if (flagAt(job, 'manualSelector')) found.notSupported(`${at}.manualSelector`, true, ['nil', 'false']);
  found.nonNegative(spec, 'spec', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit');
}

const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

function timeZone(found: Findings, spec: JsonObject): void {
  if (!isSet(spec, 'timeZone')) return;
  const field = 'spec.timeZone';
  const zone = textAt(spec, 'timeZone');
  if (zone === '') {
    found.invalid(field, zone, 'timeZone must be nil or non-empty string');
    return;
  }
  const odd = zone
    .split('/')
    .some((part) => part === '.' || part === '..' || part.startsWith('-') || !ZONE_PART.test(part));
  if (zone.toLowerCase() === 'local')
    found.invalid(
      field,
      zone,
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    );
  else if (odd || !isKnownZone(zone)) found.invalid(field, zone, `unknown time zone ${zone}`);
}

/** Names of zones begin with a capital, and a server tells capitals from small letters. */
function isKnownZone(zone: string): boolean {
  if (!/^[A-Z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

export const cronJobValidation: KindValidation = {
  group: 'batch',
  resource: 'cronjobs',
  create(found, object) {
    cronJob(found, specOf(object), undefined);
    if (nameOf(object).length > 52)
      found.invalid('metadata.name', nameOf(object), 'must be no more than 52 characters');
  },
  update(found, next, previous) {
    cronJob(found, specOf(next), specOf(previous));
  },
  warnings(next, previous) {
    const problems = dns1123LabelProblems(nameOf(next));
    const texts = [...jobSpecWarnings('spec.jobTemplate.spec', next, previous)];
    if (previous === undefined && problems.length > 0)
      texts.unshift(
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      );
    if (previous !== undefined && textAt(specOf(next), 'schedule').includes('TZ'))
      texts.push(
        'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      );
    return texts;
  },
};
