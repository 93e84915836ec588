/** The tables of ingresses and their classes. */
import { type ApiObject } from '../../ground/object.js';
import { listAt, nameOrDefault, objectAt, objectsAt, shownAt, textAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';
import { loadBalancerText } from './table-load-balancer.js';

const group = 'networking.k8s.io';
const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';
/** How many hosts are shown before the rest is counted. */
const SHOWN = 3;

export const ingressTable: KindTable = {
  group,
  kind: 'Ingress',
  cells: {
    Hosts: hostsText,
    Address: (ingress) => loadBalancerText(objectAt(ingress, 'status', 'loadBalancer')),
    Ports: (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80'),
  },
};

/** What is counted behind the first hosts are rules, with or without a host. */
function hostsText(ingress: ApiObject): string {
  const rules = objectsAt(ingress, 'spec', 'rules');
  const hosts: string[] = [];
  for (const rule of rules) {
    if (hosts.length === SHOWN) return `${hosts.join(',')} + ${rules.length - SHOWN} more...`;
    const host = textAt(rule, 'host');
    if (host !== '') hosts.push(host);
  }
  return hosts.join(',') || '*';
}

export const ingressClassTable: KindTable = {
  group,
  kind: 'IngressClass',
  cells: {
    Name: nameOrDefault(({ metadata }) => textAt(metadata, 'annotations', DEFAULT_CLASS) === 'true'),
    Parameters: (object) => {
      const parameters = objectAt(object, 'spec', 'parameters');
      if (parameters === undefined) return '<none>';
      const apiGroup = shownAt(parameters, 'apiGroup');
      const kind = `${textAt(parameters, 'kind')}${apiGroup === undefined ? '' : `.${apiGroup}`}`;
      return `${kind}/${textAt(parameters, 'name')}`;
    },
  },
};
