/** Validation of jobs. Source: kubernetes apis/batch/validation/validation.go. */
import { type FieldError } from '../../ground/field-error.js';
import { type JsonObject, type MutableJsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject, nameOf, uidOf } from '../../ground/object.js';
import { goQuote } from '../../ground/revision.js';
import { dns1123LabelProblems, labelKeyProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { domainPathProblems } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';
import { labelSelectorOf } from '../label-selector.js';
import { isUsableSelector, labelsIn, matchesTemplate } from './template-labels.js';
import { jobStatus } from './validate-job-status.js';
import { indexCount } from './validate-job-indexes.js';
import { podTemplate, unmatched } from './validate-pod-template.js';
import { jobSpecWarnings } from './warn-job.js';

const specOf = (job: ApiObject): JsonObject => partOrEmpty(job, 'spec');

/** The selector of a job that does not select by hand must be the one that it was given. */
function ownSelector(found: Findings, job: ApiObject): void {
  const spec = specOf(job);
  const selector = partAt(spec, 'selector');
  if (flagAt(spec, 'manualSelector') || selector === undefined) return;
  const labels = labelsIn(partOrEmpty(spec, 'template'));
  const expected: readonly (readonly [label: string, value: string])[] = [
    ['controller-uid', uidOf(job)],
    ['job-name', nameOf(job)],
    ['batch.kubernetes.io/controller-uid', uidOf(job)],
    ['batch.kubernetes.io/job-name', nameOf(job)],
  ];
  for (const [label, value] of expected) {
    const given = member(labels, label);
    const field = `spec.template.metadata.labels[${label}]`;
    if (given === undefined) found.required(field, `must be '${value}'`);
    else if (given !== value) found.invalid('spec.template.metadata.labels', labels, `must be '${value}'`);
  }
  if (isUsableSelector(selector) && labelSelectorOf(selector)?.matches(Object.fromEntries(expected)) !== true)
    found.invalid('spec.selector', selector, '`selector` not auto-generated');
}

function job(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  ownSelector(found, object);
  jobSpec(found, spec, 'spec');
  selectors(found, spec);
  const completions = integerAt(spec, 'completions');
  if (textAt(spec, 'completionMode') === 'Indexed' && completions > 0) {
    const host = `${nameOf(object)}-${completions - 1}`;
    if (dns1123LabelProblems(host).length > 0)
      found.invalid(
        'metadata.name',
        nameOf(object),
        `will not able to create pod with invalid DNS label: ${host}`,
      );
  }
}

function selectors(found: Findings, spec: JsonObject): void {
  const selector = partAt(spec, 'selector');
  if (selector === undefined) found.required('spec.selector');
  else labelSelector(found, selector, 'spec.selector');
  const template = partOrEmpty(spec, 'template');
  if (isUsableSelector(selector) && !matchesTemplate(selector, template))
    unmatched(found, template, 'spec.template');
}

const MAX_PARALLELISM = 100_000;
const SOFT_COMPLETIONS = 100_000;
const MAX_FAILED_HIGH = 10_000;
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed'];

/** @param at path of the spec */
export function jobSpec(found: Findings, spec: JsonObject, at: string): void {
  found.nonNegative(
    spec,
    at,
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  );
  if (isSet(spec, 'maxFailedIndexes') && !isSet(spec, 'backoffLimitPerIndex'))
    found.required(`${at}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  if (isSet(spec, 'managedBy')) {
    found.needsForm(spec, at, 'managedBy', domainPathProblems);
    if (textAt(spec, 'managedBy').length > 63) found.tooLong(`${at}.managedBy`, 63);
  }
  completionMode(found, spec, at);
  if (isSet(spec, 'podFailurePolicy')) failurePolicy(found, spec, `${at}.podFailurePolicy`);
  const success = partAt(spec, 'successPolicy');
  if (success !== undefined) {
    if (textAt(spec, 'completionMode') === 'Indexed')
      successPolicy(found, success, integerAt(spec, 'completions'), `${at}.successPolicy`);
    else found.invalid(`${at}.successPolicy`, success, 'requires indexed completion mode');
  }
  if (isSet(spec, 'podReplacementPolicy'))
    found.among(
      spec,
      at,
      'podReplacementPolicy',
      isSet(spec, 'podFailurePolicy') ? ['Failed'] : REPLACEMENTS,
      'bad',
    );
  const template = partOrEmpty(spec, 'template');
  podTemplate(found, template, `${at}.template`);
  restartPolicy(found, spec, partOrEmpty(template, 'spec'), `${at}.template.spec.restartPolicy`);
}

function restartPolicy(found: Findings, spec: JsonObject, pod: JsonObject, field: string): void {
  const policy = textAt(pod, 'restartPolicy');
  if (policy === 'Always' || policy === '') found.required(field, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never')
    found.notSupported(field, policy, ['OnFailure', 'Never']);
  else if (isSet(spec, 'podFailurePolicy') && policy !== 'Never')
    found.invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified');
}

function completionMode(found: Findings, spec: JsonObject, at: string): void {
  const mode = textAt(spec, 'completionMode');
  found.among(spec, at, 'completionMode', ['NonIndexed', 'Indexed']);
  if (mode === 'Indexed') indexed(found, spec, at);
  if (!isSet(spec, 'completionMode') || mode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (isSet(spec, name))
        found.invalid(`${at}.${name}`, integerAt(spec, name), 'requires indexed completion mode');
  }
}

function indexed(found: Findings, spec: JsonObject, at: string): void {
  const [completions, parallelism, failed] = ['completions', 'parallelism', 'maxFailedIndexes'].map((name) =>
    isSet(spec, name) ? integerAt(spec, name) : undefined,
  );
  if (completions === undefined) found.required(`${at}.completions`, 'when completion mode is Indexed');
  if (parallelism !== undefined && parallelism > MAX_PARALLELISM)
    found.invalid(
      `${at}.parallelism`,
      parallelism,
      `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`,
    );
  if (completions !== undefined && failed !== undefined && failed > completions)
    found.invalid(`${at}.maxFailedIndexes`, failed, 'must be less than or equal to completions');
  if (failed !== undefined && failed > MAX_PARALLELISM)
    found.invalid(`${at}.maxFailedIndexes`, failed, `must be less than or equal to ${MAX_PARALLELISM}`);
  if (completions === undefined || completions <= SOFT_COMPLETIONS || !isSet(spec, 'backoffLimitPerIndex'))
    return;
  const why = `must be less than or equal to ${MAX_FAILED_HIGH} when completions are above ${SOFT_COMPLETIONS} and used with backoff limit per index`;
  if (failed === undefined)
    found.required(
      `${at}.maxFailedIndexes`,
      `must be specified when completions is above ${SOFT_COMPLETIONS}`,
    );
  if (parallelism !== undefined && parallelism > MAX_FAILED_HIGH)
    found.invalid(`${at}.parallelism`, parallelism, why);
  if (failed !== undefined && failed > MAX_FAILED_HIGH) found.invalid(`${at}.maxFailedIndexes`, failed, why);
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const STATUSES = ['False', 'True', 'Unknown'];
const OPERATORS = ['In', 'NotIn'];
/** A Go list of quoted texts. */
const goList = (texts: readonly string[]): string => `[${texts.map(goQuote).join(' ')}]`;

function failurePolicy(found: Findings, spec: JsonObject, at: string): void {
  const rules = itemsAt(partAt(spec, 'podFailurePolicy'), 'rules');
  if (rules.length > 20) found.tooMany(`${at}.rules`, rules.length, 20);
  const pod = partAt(partAt(spec, 'template'), 'spec');
  const names = [...itemsAt(pod, 'containers'), ...itemsAt(pod, 'initContainers')].map((one) =>
    textAt(one, 'name'),
  );
  rules.forEach((rule, i) => {
    const place = `${at}.rules[${i}]`;
    const action = textAt(rule, 'action');
    if (action === '') found.required(`${place}.action`, `valid values: ${goList(ACTIONS)}`);
    else if (action === 'FailIndex') {
      if (!isSet(spec, 'backoffLimitPerIndex'))
        found.invalid(`${place}.action`, action, 'requires the backoffLimitPerIndex to be set');
    } else found.among(rule, place, 'action', ACTIONS);
    const codes = partAt(rule, 'onExitCodes');
    const conditions = itemsAt(rule, 'onPodConditions');
    if (codes !== undefined) exitCodes(found, codes, `${place}.onExitCodes`, names);
    podConditions(found, conditions, `${place}.onPodConditions`);
    if (codes !== undefined && conditions.length > 0)
      found.add(withoutValue(place, 'specifying both OnExitCodes and OnPodConditions is not supported'));
    if (codes === undefined && conditions.length === 0)
      found.add(withoutValue(place, 'specifying one of OnExitCodes and OnPodConditions is required'));
  });
}

/** An invalid value that is not shown. */
const withoutValue = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  detail,
  omitsValue: true,
});

function podConditions(found: Findings, list: readonly JsonObject[], at: string): void {
  if (list.length > 20) found.tooMany(at, list.length, 20);
  list.forEach((pattern, i) => {
    const place = `${at}[${i}]`;
    found.problems(`${place}.type`, textAt(pattern, 'type'), labelKeyProblems);
    if (textAt(pattern, 'status') === '')
      found.required(`${place}.status`, `valid values: ${goList(STATUSES)}`);
    else found.among(pattern, place, 'status', STATUSES);
  });
}

function exitCodes(found: Findings, codes: JsonObject, at: string, names: readonly string[]): void {
  const operator = textAt(codes, 'operator');
  if (operator === '') found.required(`${at}.operator`, `valid values: ${goList(OPERATORS)}`);
  else found.among(codes, at, 'operator', OPERATORS);
  if (isSet(codes, 'containerName') && !names.includes(textAt(codes, 'containerName')))
    found.invalid(
      `${at}.containerName`,
      textAt(codes, 'containerName'),
      'must be one of the container or initContainer names in the pod template',
    );
  const values = listAt(codes, 'values');
  if (values.length === 0)
    found.invalid(`${at}.values`, member(codes, 'values') ?? null, 'at least one value is required');
  else if (values.length > 255) found.tooMany(`${at}.values`, values.length, 255);
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0)
      found.invalid(`${at}.values[${i}]`, 0, 'must not be 0 for the In operator');
    if (values.indexOf(value) < i) found.duplicate(`${at}.values[${i}]`, value);
  });
  if (values.some((value, i) => i > 0 && Number(values[i - 1]) > Number(value)))
    found.invalid(`${at}.values`, values, 'must be ordered');
}

function successPolicy(found: Findings, policy: JsonObject, completions: number, at: string): void {
  const rules = itemsAt(policy, 'rules');
  if (rules.length === 0)
    found.required(`${at}.rules`, 'at least one rules must be specified when the successPolicy is specified');
  if (rules.length > 20) found.tooMany(`${at}.rules`, rules.length, 20);
  rules.forEach((rule, i) => {
    const place = `${at}.rules[${i}]`;
    const [byCount, byIndex] = [isSet(rule, 'succeededCount'), isSet(rule, 'succeededIndexes')];
    if (!byCount && !byIndex)
      found.required(place, 'at least one of succeededCount or succeededIndexes must be specified');
    const indexes = textAt(rule, 'succeededIndexes');
    const reading = indexCount(indexes, completions);
    if (byIndex && !reading.ok)
      found.invalid(`${place}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${reading.error}`);
    if (!byCount) return;
    found.nonNegative(rule, place, 'succeededCount');
    const count = integerAt(rule, 'succeededCount');
    if (count > completions)
      found.invalid(
        `${place}.succeededCount`,
        count,
        `must be less than or equal to ${completions} (the number of specified completions)`,
      );
    const total = reading.ok ? reading.count : 0;
    if (byIndex && count > total)
      found.invalid(
        `${place}.succeededCount`,
        count,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      );
  });
}

const isTrue = (object: ApiObject, type: string): boolean =>
  itemsAt(partAt(object, 'status'), 'conditions').some(
    (one) => textAt(one, 'type') === type && textAt(one, 'status') === 'True',
  );

/** Whether what its pods are made of may change: while it is suspended and nothing runs. */
function isMutable(old: ApiObject): boolean {
  const status = partAt(old, 'status');
  return (
    flagAt(specOf(old), 'suspend') &&
    (!isSet(status, 'startTime') || isTrue(old, 'Suspended')) &&
    integerAt(status, 'active') === 0
  );
}

function updates(found: Findings, next: ApiObject, previous: ApiObject): void {
  const [spec, before] = [specOf(next), specOf(previous)];
  const frozen = (name: string): void => {
    const [now, old] = [member(spec, name) ?? null, member(before, name) ?? null];
    if (!jsonEqual(now, old)) found.invalid(`spec.${name}`, now, IMMUTABLE);
  };
  if (textAt(spec, 'completionMode') !== 'Indexed') frozen('completions');
  else if (
    isSet(spec, 'completions') &&
    !jsonEqual(member(spec, 'completions'), member(before, 'completions')) &&
    integerAt(spec, 'completions') !== integerAt(spec, 'parallelism')
  )
    found.invalid(
      'spec.completions',
      integerAt(spec, 'completions'),
      'can only be modified in tandem with spec.parallelism',
    );
  frozen('selector');
  template(found, next, previous);
  for (const name of [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ])
    frozen(name);
}

function template(found: Findings, next: ApiObject, previous: ApiObject): void {
  const [now, old] = [partOrEmpty(specOf(next), 'template'), partOrEmpty(specOf(previous), 'template')];
  if (!isMutable(previous)) {
    if (!jsonEqual(now, old)) found.invalid('spec.template', now, IMMUTABLE);
    return;
  }
  const [spec, before] = [partOrEmpty(now, 'spec'), partOrEmpty(old, 'spec')];
  if (!jsonEqual(placeless(spec), placeless(before))) found.invalid('spec.template.spec', spec, IMMUTABLE);
}

/** The spec of pods without what says where they run, and what they ask for. */
function placeless(given: JsonObject): JsonObject {
  const spec: MutableJsonObject = { ...given };
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates']) Reflect.deleteProperty(spec, name);
  const affinity: MutableJsonObject = { ...partOrEmpty(spec, 'affinity') };
  Reflect.deleteProperty(affinity, 'nodeAffinity');
  if (Object.keys(affinity).length === 0) Reflect.deleteProperty(spec, 'affinity');
  else spec['affinity'] = affinity;
  for (const name of ['containers', 'initContainers'])
    if (isSet(spec, name)) spec[name] = itemsAt(spec, name).map((one) => ({ ...one, resources: {} }));
  return spec;
}

export const jobValidation: KindValidation = {
  group: 'batch',
  resource: 'jobs',
  create: job,
  update(found, next, previous) {
    job(found, next);
    jobSpec(found, specOf(next), 'spec');
    selectors(found, specOf(next));
    updates(found, next, previous);
  },
  status: jobStatus,
  warnings(next, previous) {
    const problems = dns1123LabelProblems(nameOf(next));
    return [
      ...(previous === undefined && problems.length > 0
        ? [
            `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
          ]
        : []),
      ...jobSpecWarnings('spec', next, previous),
    ];
  },
};
