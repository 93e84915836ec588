/** Cells about the containers of a template: their names and their images. */
import { type Cell, objectsAt, textAt } from '../tables/cell.js';

const joined =
  (part: string, path: readonly string[]): Cell =>
  (object) =>
    objectsAt(object, ...path, 'containers')
      .map((container) => textAt(container, part))
      .join(',');

/** @param path to the pod spec */
export const containerCells = (...path: readonly string[]): Readonly<Record<string, Cell>> => ({
  Containers: joined('name', path),
  Images: joined('image', path),
});

/** Those of a workload's template. */
export const TEMPLATE_CONTAINERS = containerCells('spec', 'template', 'spec');
