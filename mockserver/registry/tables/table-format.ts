/** How the objects of one resource, in one version, become the rows of a table. */
import { type JsonArray, type JsonValue } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type StoredObject } from '../../ground/stored-object.js';
import { type CellValue } from './cell.js';
import { type RowTemplate } from './row-template.js';

/** In wire order. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; above: only in wide output. */
  readonly priority: number;
}

export interface TableFormat {
  readonly columns: readonly TableColumn[];
  /** Which form of an object `cells`, `conditions` and `order` read, and metadata is taken from. */
  readonly reads: 'stored' | 'presented';
  readonly cells: (object: ApiObject) => readonly CellValue[];
  readonly conditions?: (object: ApiObject) => JsonArray | undefined;
  /** The order of a list's rows; absent: that of the list. */
  readonly order?: (a: ApiObject, b: ApiObject) => number;
  /** The rows of an empty list. */
  readonly noRows: readonly [] | null;
  /** Annotations that metadata without the object does not have. */
  readonly wireAnnotations: readonly string[];
  /** Whether every frame of a watch has the columns, and not the first one alone. */
  readonly headedAlways: boolean;
  /** What has been made of an object is kept as long as the object is. */
  readonly templates: WeakMap<StoredObject, RowTemplate>;
}

export const columnValue = ({ name, type, format, description, priority }: TableColumn): JsonValue => ({
  name,
  type,
  format,
  description,
  priority,
});

/**
 * The documentation of a field, such as `metadata` and `name`, for descriptions that repeat it; `''` where there is none.
 *
 * @param message an OpenAPI schema name without its package: `ObjectMeta`.
 */
export type FieldProse = (message: string, field: string) => string;

export const NO_PROSE: FieldProse = () => '';
