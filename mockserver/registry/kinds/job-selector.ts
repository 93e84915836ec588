/** The selector that a job gets for its own pods, and the labels by which it finds them. */
import { type JsonObject, member, objectMember } from '../../ground/json.js';
import { type ApiObject, nameOf, uidOf } from '../../ground/object.js';
import { sortedByName } from './members.js';

const UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const;
const NAME_LABELS = ['job-name', 'batch.kubernetes.io/job-name'] as const;

/**
 * The job with its uid in the selector, and uid and name among the labels of the template; what is there already stays,
 * for validation to refuse.
 *
 * Labels of the job that are the template's own, as defaulting leaves them, get the same. Shape: the job itself when it says that it selects by hand.
 * Source: kubernetes registry/batch/job/strategy.go, generateSelector.
 */
export function withOwnSelector(job: ApiObject): ApiObject {
  const spec = objectMember(job, 'spec') ?? {};
  if (member(spec, 'manualSelector') === true) return job;
  const template = objectMember(spec, 'template') ?? {};
  const metadata = objectMember(template, 'metadata') ?? {};
  const selector = objectMember(spec, 'selector') ?? {};
  const given = objectMember(metadata, 'labels');
  const labels = completed(given, [
    ...NAME_LABELS.map((label) => [label, nameOf(job)] as const),
    ...UID_LABELS.map((label) => [label, uidOf(job)] as const),
  ]);
  const matchLabels = completed(objectMember(selector, 'matchLabels'), [[UID_LABELS[1], uidOf(job)]]);
  // A real server has one map for both where defaulting took the job's labels from the template: they grow together.
  const shared = given !== undefined && objectMember(job.metadata, 'labels') === given;
  return {
    ...job,
    metadata: shared ? { ...job.metadata, labels } : job.metadata,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}

function completed(
  given: JsonObject | undefined,
  labels: readonly (readonly [label: string, value: string])[],
): JsonObject {
  return sortedByName({ ...Object.fromEntries(labels), ...given });
}
