/** The table of controller revisions. */
import { parseApiVersion, qualifiedName } from '../../ground/kind.js';
import { type ApiObject } from '../../ground/object.js';
import { count, flagAt, objectsAt, textAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

export const controllerRevisionTable: KindTable = {
  group: 'apps',
  kind: 'ControllerRevision',
  cells: { Controller: controllerOf, Revision: count('revision') },
};

function controllerOf(object: ApiObject): string {
  const owner = objectsAt(object.metadata, 'ownerReferences').find((one) => flagAt(one, 'controller'));
  if (owner === undefined) return '<none>';
  const { group } = parseApiVersion(textAt(owner, 'apiVersion')) ?? { group: '' };
  const kind = textAt(owner, 'kind');
  const name = textAt(owner, 'name');
  if (group === '' && kind === '') return name;
  return `${qualifiedName({ group, resource: kind }).toLowerCase()}/${name}`;
}
