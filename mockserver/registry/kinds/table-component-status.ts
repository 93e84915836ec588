/** The table of component statuses. */
import { conditionOf, textAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

export const componentStatusTable: KindTable = {
  group: '',
  kind: 'ComponentStatus',
  cells: {
    Status: (object) => {
      const healthy = conditionOf(object, 'Healthy');
      if (healthy === undefined) return 'Unknown';
      return textAt(healthy, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
    },
    Message: (object) => textAt(conditionOf(object, 'Healthy'), 'message'),
    Error: (object) => textAt(conditionOf(object, 'Healthy'), 'error'),
  },
};
