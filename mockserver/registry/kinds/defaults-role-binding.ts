/** Subjects of role bindings: of which API group they are. */
import { type JsonObject, stringMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/rbac/v1/defaults.go, SetDefaults_Subject. */
export const roleBindingDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.rbac.v1.Subject', fill: withApiGroup, rules: ['d218', 'd219'] },
];

function withApiGroup(subject: JsonObject): JsonObject {
  const kind = stringMember(subject, 'kind');
  if (kind !== 'User' && kind !== 'Group') return subject;
  if ((stringMember(subject, 'apiGroup') ?? '') !== '') return subject;
  return { ...subject, apiGroup: 'rbac.authorization.k8s.io' };
}
