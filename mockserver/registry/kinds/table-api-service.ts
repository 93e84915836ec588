/** The table of API services. Source: kube-aggregator registry/apiservice/etcd/etcd.go. */
import { conditionOf, objectAt, textAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

export const apiServiceTable: KindTable = {
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  cells: {
    Service: (object) => {
      const service = objectAt(object, 'spec', 'service');
      return service === undefined ? 'Local' : `${textAt(service, 'namespace')}/${textAt(service, 'name')}`;
    },
    Available: (object) => {
      const available = conditionOf(objectAt(object, 'status'), 'Available');
      if (available === undefined) return 'Unknown';
      const status = textAt(available, 'status');
      const reason = textAt(available, 'reason');
      return status === 'True' || reason === '' ? status : `${status} (${reason})`;
    },
  },
  headedAlways: true,
};
