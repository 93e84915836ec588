/** The tables of the workloads that keep a number of copies running. */
import { type Cell, count, countAt, objectAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';
import { labelsText, selectorCell, selectorText } from '../tables/labels-text.js';
import { TEMPLATE_CONTAINERS } from './table-containers.js';

const group = 'apps';

const readyOfWanted: Cell = (object) =>
  `${countAt(object, 'status', 'readyReplicas')}/${countAt(object, 'spec', 'replicas')}`;

const workloadSelector: Cell = (object) => selectorCell(objectAt(object, 'spec', 'selector'));

export const deploymentTable: KindTable = {
  group,
  kind: 'Deployment',
  cells: {
    Ready: readyOfWanted,
    'Up-to-date': count('status', 'updatedReplicas'),
    Available: count('status', 'availableReplicas'),
    ...TEMPLATE_CONTAINERS,
    Selector: (object) => selectorText(objectAt(object, 'spec', 'selector')) ?? '<invalid>',
  },
  wireAnnotations: ['deprecated.deployment.rollback.to'],
};

export const replicaSetTable: KindTable = {
  group,
  kind: 'ReplicaSet',
  cells: { ...TEMPLATE_CONTAINERS, Selector: workloadSelector },
};

export const statefulSetTable: KindTable = {
  group,
  kind: 'StatefulSet',
  cells: { Ready: readyOfWanted, ...TEMPLATE_CONTAINERS },
};

export const daemonSetTable: KindTable = {
  group,
  kind: 'DaemonSet',
  cells: {
    'Node Selector': (object) => labelsText(objectAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
    ...TEMPLATE_CONTAINERS,
    Selector: workloadSelector,
  },
  wireAnnotations: ['deprecated.daemonset.template.generation'],
};
