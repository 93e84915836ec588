/** The table of nodes. */
import { compareUtf8 } from '../../ground/json.js';
import { type ApiObject, labelsOf } from '../../ground/object.js';
import { type Cell, flagAt, objectsAt, textAt, textOr } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

export const nodeTable: KindTable = {
  group: '',
  kind: 'Node',
  cells: {
    Status: statusOf,
    Roles: (node) => rolesOf(node).join(',') || '<none>',
    'Internal-IP': firstAddress('InternalIP'),
    'External-IP': firstAddress('ExternalIP'),
    'OS-Image': textOr('<unknown>', 'status', 'nodeInfo', 'osImage'),
    'Kernel-Version': (node) => {
      const architecture = textAt(node, 'status', 'nodeInfo', 'architecture');
      const kernel = textAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>';
      return architecture === '' ? kernel : `${kernel} (${architecture})`;
    },
    'Container-Runtime': textOr('<unknown>', 'status', 'nodeInfo', 'containerRuntimeVersion'),
  },
};

/** The last condition of the type counts. */
function statusOf(node: ApiObject): string {
  const ready = objectsAt(node, 'status', 'conditions').findLast(
    (condition) => textAt(condition, 'type') === 'Ready',
  );
  const status = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return flagAt(node, 'spec', 'unschedulable') ? `${status},SchedulingDisabled` : status;
}

function rolesOf(node: ApiObject): readonly string[] {
  const roles = Object.entries(labelsOf(node)).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === ROLE_LABEL && typeof value === 'string' ? value : '';
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort(compareUtf8);
}

/** An address that is there but empty is shown as it is. */
function firstAddress(type: string): Cell {
  return (node) => {
    const found = objectsAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
    return found === undefined ? '<none>' : textAt(found, 'address');
  };
}
