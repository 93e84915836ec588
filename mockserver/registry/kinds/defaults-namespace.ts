/** Namespaces: their name as a label, their first phase. */
import { type JsonObject, objectMember, stringMember } from '../../ground/json.js';
import { withLabels } from './defaults-replication-controller.js';
import { sortedByName } from './members.js';
import { type WrittenDefault } from './written-default.js';

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Source: kubernetes apis/core/v1/defaults.go. A name that is still to be generated is no label yet. */
export const namespaceDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.Namespace', fill: withNameLabel, rules: ['d148'] },
  { message: 'k8s.io.api.core.v1.NamespaceStatus', fill: withPhase('Active'), rules: ['d150'] },
];

function withNameLabel(namespace: JsonObject): JsonObject {
  const metadata = objectMember(namespace, 'metadata');
  const name = stringMember(metadata, 'name') ?? '';
  const labels = objectMember(metadata, 'labels');
  if (name === '' || stringMember(labels, NAME_LABEL) === name) return namespace;
  const all = sortedByName({ ...labels, [NAME_LABEL]: name });
  return { ...namespace, metadata: withLabels(metadata ?? {}, all) };
}

/** Makes the function that gives a status its first phase. */
export function withPhase(phase: string): (status: JsonObject) => JsonObject {
  return (status) => ((stringMember(status, 'phase') ?? '') === '' ? { ...status, phase } : status);
}
