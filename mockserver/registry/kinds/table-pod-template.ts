/** The table of pod templates. */
import { objectAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';
import { labelsText } from '../tables/labels-text.js';
import { containerCells } from './table-containers.js';

export const podTemplateTable: KindTable = {
  group: '',
  kind: 'PodTemplate',
  cells: {
    ...containerCells('template', 'spec'),
    'Pod Labels': (object) => labelsText(objectAt(object, 'template', 'metadata', 'labels')),
  },
};
