/** Jobs: how many pods, how often they may fail, and labels from the template. */
import { type JsonObject, type MutableJsonObject, member, objectMember } from '../../ground/json.js';
import { withTemplateLabels } from './defaults-replication-controller.js';
import { type WrittenDefault } from './written-default.js';

/** Of a Job alone: a CronJob's template gets none of it. Source: kubernetes apis/batch/v1/defaults.go, SetDefaults_Job. */
export const jobDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.batch.v1.Job', fill: job, rules: ['d193', 'd195', 'd199', 'd201'] },
];

const ANY_NUMBER = 2_147_483_647;

function job(object: JsonObject): JsonObject {
  const spec = objectMember(object, 'spec') ?? {};
  const added: MutableJsonObject = {};
  const has = (name: string): boolean => member(spec, name) !== undefined;
  if (!has('completions') && !has('parallelism')) added['completions'] = 1;
  if (!has('backoffLimit')) added['backoffLimit'] = has('backoffLimitPerIndex') ? ANY_NUMBER : 6;
  if (!has('podReplacementPolicy')) {
    added['podReplacementPolicy'] = has('podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed';
  }
  const next = Object.keys(added).length === 0 ? object : { ...object, spec: { ...spec, ...added } };
  const labels = objectMember(objectMember(objectMember(spec, 'template'), 'metadata'), 'labels');
  return labels === undefined ? next : withTemplateLabels(next, labels);
}
