/** The addresses that a load balancer has been given, in one line. */
import { type JsonValue, compareUtf8 } from '../../ground/json.js';
import { objectsAt, textAt } from '../tables/cell.js';

/** Each once, by the order of their bytes: the IP of an entry, or its host name. `''` for none. */
export function loadBalancerText(loadBalancer: JsonValue | undefined): string {
  const addresses = objectsAt(loadBalancer, 'ingress')
    .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
    .filter((address) => address !== '');
  return [...new Set(addresses)].sort(compareUtf8).join(',');
}
