/** What the facts' words about the columns of a kind cannot say: small pure functions, under kinds/. */
import { type JsonArray } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type Cell, type CellValue } from './cell.js';

export interface KindTable {
  readonly group: string;
  readonly kind: string;
  /** By the name of the column; the others follow from the words of the facts. Asked with the stored form. */
  readonly cells?: Readonly<Record<string, Cell>>;
  /** All cells of a row at once, where they come out of one walk through the object; then `cells` is not asked. */
  readonly row?: (object: ApiObject) => readonly CellValue[];
  /** Cells behind those that have a column. */
  readonly further?: readonly Cell[];
  /** Conditions of the row; undefined when there are none. */
  readonly conditions?: (object: ApiObject) => JsonArray | undefined;
  /** The order of the rows of a list, where it is not that of the list. */
  readonly order?: (a: ApiObject, b: ApiObject) => number;
  /** Annotations that stand for a field of the server's own form: metadata without the object does not have them. */
  readonly wireAnnotations?: readonly string[];
  /** Whether every frame of a watch has the columns, and not the first one alone. */
  readonly headedAlways?: true;
}
