/** The tables of config maps and secrets: how many entries there are. */
import { lengthOf } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const entries = lengthOf('data');
const binaryEntries = lengthOf('binaryData');

export const configMapTable: KindTable = {
  group: '',
  kind: 'ConfigMap',
  cells: { Data: (object) => entries(object) + binaryEntries(object) },
};

export const secretTable: KindTable = { group: '', kind: 'Secret', cells: { Data: entries } };
