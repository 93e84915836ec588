/** The tables of endpoints, in both forms that they have. */
import { type ApiObject } from '../../ground/object.js';
import { countAt, firstOf, objectsAt, shownAt, textAt, textsAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

/** How many addresses or ports are shown before the rest is counted. */
const SHOWN = 3;

export const endpointsTable: KindTable = {
  group: '',
  kind: 'Endpoints',
  cells: {
    Endpoints: (object) =>
      objectsAt(object, 'subsets').length === 0 ? '<none>' : firstOf(readyAddresses(object), SHOWN),
  },
};

function readyAddresses(object: ApiObject): readonly string[] {
  return objectsAt(object, 'subsets').flatMap((subset) => {
    const addresses = objectsAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
    const ports = objectsAt(subset, 'ports');
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => hostPort(ip, countAt(port, 'port'))));
  });
}

const hostPort = (host: string, port: number | bigint): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

export const endpointSliceTable: KindTable = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  cells: {
    Ports: (slice) =>
      firstOf(
        objectsAt(slice, 'ports').map((port) => shownAt(port, 'port') ?? shownAt(port, 'name') ?? '*'),
        SHOWN,
      ) || '<unset>',
    Endpoints: (slice) =>
      firstOf(
        objectsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses')),
        SHOWN,
      ) || '<unset>',
  },
};
