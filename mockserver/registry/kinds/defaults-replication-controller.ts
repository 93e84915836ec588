/** ReplicationControllers: selector and labels are those of the template. */
import { type JsonObject, objectMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/core/v1/defaults.go, SetDefaults_ReplicationController. */
export const replicationControllerDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.ReplicationController', fill: fromTemplate, rules: ['d167', 'd168'] },
];

function fromTemplate(controller: JsonObject): JsonObject {
  const spec = objectMember(controller, 'spec');
  const labels = objectMember(objectMember(objectMember(spec, 'template'), 'metadata'), 'labels');
  if (labels === undefined) return controller;
  const selects = objectMember(spec, 'selector') !== undefined;
  const next = withTemplateLabels(controller, labels);
  if (selects) return next;
  const { template, ...rest } = spec ?? {};
  return { ...next, spec: { ...rest, selector: labels, ...(template === undefined ? {} : { template }) } };
}

/** The object with these labels, when it has none of its own. */
export function withTemplateLabels(object: JsonObject, labels: JsonObject): JsonObject {
  const metadata = objectMember(object, 'metadata');
  if (objectMember(metadata, 'labels') !== undefined) return object;
  return { ...object, metadata: withLabels(metadata ?? {}, labels) };
}

/** What stands behind labels in metadata. */
const AFTER_LABELS: ReadonlySet<string> = new Set([
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/** Metadata with these labels, in their place. */
export function withLabels(metadata: JsonObject, labels: JsonObject): JsonObject {
  const members = Object.entries(metadata).filter(([name]) => name !== 'labels');
  return Object.fromEntries([
    ...members.filter(([name]) => !AFTER_LABELS.has(name)),
    ['labels', labels],
    ...members.filter(([name]) => AFTER_LABELS.has(name)),
  ]);
}
