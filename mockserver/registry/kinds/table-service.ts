/** The table of services. */
import { type ApiObject } from '../../ground/object.js';
import { countAt, objectAt, objectsAt, textAt, textOr, textsAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';
import { labelsText } from '../tables/labels-text.js';
import { loadBalancerText } from './table-load-balancer.js';

export const serviceTable: KindTable = {
  group: '',
  kind: 'Service',
  cells: {
    'Cluster-IP': textOr('<none>', 'spec', 'clusterIPs', 0),
    'External-IP': externalAddress,
    'Port(s)': (service) => portsText(service) || '<none>',
    Selector: (service) => labelsText(objectAt(service, 'spec', 'selector')),
  },
};

function externalAddress(service: ApiObject): string {
  const external = textsAt(service, 'spec', 'externalIPs');
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerText(objectAt(service, 'status', 'loadBalancer'));
      return [...(balanced === '' ? [] : [balanced]), ...external].join(',') || '<pending>';
    }
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

const portsText = (service: ApiObject): string =>
  objectsAt(service, 'spec', 'ports')
    .map((port) => {
      const nodePort = countAt(port, 'nodePort');
      const number = `${countAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}`;
      return `${number}/${textAt(port, 'protocol')}`;
    })
    .join(',');
