/** The table of network policies. */
import { objectAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';
import { selectorCell } from '../tables/labels-text.js';

export const networkPolicyTable: KindTable = {
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  cells: { 'Pod-Selector': (object) => selectorCell(objectAt(object, 'spec', 'podSelector')) },
};
