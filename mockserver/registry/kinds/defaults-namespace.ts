/** Namespaces: their name as a label, their first phase. */
import { type JsonObject, compareUtf8, objectMember, stringMember } from '../../ground/json.js';
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
  const all = Object.entries({ ...labels, [NAME_LABEL]: name }).sort(([a], [b]) => compareUtf8(a, b));
  return { ...namespace, metadata: { ...metadata, labels: Object.fromEntries(all) } };
}

/** Makes the function that gives a status its first phase. */
export function withPhase(phase: string): (status: JsonObject) => JsonObject {
  return (status) => ((stringMember(status, 'phase') ?? '') === '' ? { ...status, phase } : status);
}
