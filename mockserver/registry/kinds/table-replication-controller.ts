/** The table of replication controllers. */
import { objectAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';
import { labelsText } from '../tables/labels-text.js';
import { TEMPLATE_CONTAINERS } from './table-containers.js';

export const replicationControllerTable: KindTable = {
  group: '',
  kind: 'ReplicationController',
  cells: {
    ...TEMPLATE_CONTAINERS,
    Selector: (object) => labelsText(objectAt(object, 'spec', 'selector')),
  },
};
