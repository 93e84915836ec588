/** The table of resource quotas. */
import { compareUtf8 } from '../../ground/json.js';
import { type Cell, objectAt, shownAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const isLimit = (name: string): boolean => name.startsWith('limits.');

export const resourceQuotaTable: KindTable = {
  group: '',
  kind: 'ResourceQuota',
  cells: { Request: usage((name) => !isLimit(name)), Limit: usage(isLimit) },
};

/** `<resource>: <used>/<hard>` for each resource that has a limit in the status. */
function usage(shows: (name: string) => boolean): Cell {
  return (quota) =>
    Object.keys(objectAt(quota, 'status', 'hard') ?? {})
      .filter(shows)
      .sort(compareUtf8)
      .map((name) => {
        const used = shownAt(quota, 'status', 'used', name) ?? '0';
        return `${name}: ${used}/${shownAt(quota, 'status', 'hard', name) ?? '0'}`;
      })
      .join(', ');
}
