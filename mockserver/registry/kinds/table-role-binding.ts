/** The tables of role bindings. */
import { type JsonObject } from '../../ground/json.js';
import { type Cell, objectAt, objectsAt, textAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const group = 'rbac.authorization.k8s.io';

const subjects =
  (kind: string, show: (subject: JsonObject) => string): Cell =>
  (binding) =>
    objectsAt(binding, 'subjects')
      .filter((subject) => textAt(subject, 'kind') === kind)
      .map(show)
      .join(', ');

const nameOfSubject = (subject: JsonObject): string => textAt(subject, 'name');

const cells: Readonly<Record<string, Cell>> = {
  Role: (binding) => {
    const role = objectAt(binding, 'roleRef');
    return `${textAt(role, 'kind')}/${textAt(role, 'name')}`;
  },
  Users: subjects('User', nameOfSubject),
  Groups: subjects('Group', nameOfSubject),
  ServiceAccounts: subjects(
    'ServiceAccount',
    (subject) => `${textAt(subject, 'namespace')}/${nameOfSubject(subject)}`,
  ),
};

export const roleBindingTable: KindTable = { group, kind: 'RoleBinding', cells };
export const clusterRoleBindingTable: KindTable = { group, kind: 'ClusterRoleBinding', cells };
