/** The tables of service address ranges and of the addresses taken from them. */
import { qualifiedName } from '../../ground/kind.js';
import { type ApiObject } from '../../ground/object.js';
import { ageCell, objectAt, textAt, textsAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const group = 'networking.k8s.io';

export const serviceCidrTable: KindTable = {
  group,
  kind: 'ServiceCIDR',
  cells: { CIDRs: (object) => textsAt(object, 'spec', 'cidrs').join(',') },
};

/** Its rows have an age, for which there is no column. */
export const ipAddressTable: KindTable = {
  group,
  kind: 'IPAddress',
  cells: { ParentRef: parentOf },
  further: [ageCell],
};

function parentOf(object: ApiObject): string {
  const parent = objectAt(object, 'spec', 'parentRef');
  if (parent === undefined) return '<none>';
  const resource = qualifiedName({ group: textAt(parent, 'group'), resource: textAt(parent, 'resource') });
  const namespace = textAt(parent, 'namespace');
  return [resource.toLowerCase(), ...(namespace === '' ? [] : [namespace]), textAt(parent, 'name')].join('/');
}
