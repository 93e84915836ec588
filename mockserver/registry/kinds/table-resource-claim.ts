/** The table of resource claims. */
import { isTerminating, listAt, objectAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

export const resourceClaimTable: KindTable = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  cells: {
    State: (claim) => {
      const deleted = isTerminating(claim) ? ['deleted'] : [];
      if (objectAt(claim, 'status', 'allocation') === undefined) {
        return deleted.length > 0 ? 'deleted' : 'pending';
      }
      const reserved = listAt(claim, 'status', 'reservedFor').length > 0 ? ['reserved'] : [];
      return [...deleted, 'allocated', ...reserved].join(',');
    },
  },
};
