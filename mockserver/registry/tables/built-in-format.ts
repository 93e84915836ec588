/** Tables of built-in kinds, from the facts about their columns and the code under kinds/. */
import { type BuiltInApi, type ColumnDefinition } from '../../../openapi/built-in-api.js';
import { type GroupVersionKind } from '../../ground/kind.js';
import { ALL_KIND_TABLES } from '../kinds/all-tables.js';
import { type Cell, createdCell, nameCell } from './cell.js';
import { cellOfWords } from './cell-words.js';
import { type KindTable } from './kind-table.js';
import { type FieldProse, type TableColumn, type TableFormat } from './table-format.js';

/**
 * The format of a built-in kind.
 *
 * Shape: cells are read from the stored form, whatever version the table is of.
 * Errors: throws when nothing says how a column's cell is made; the facts and kinds/ cover all kinds of this package.
 */
export function builtInFormat(api: BuiltInApi, kind: GroupVersionKind, prose: FieldProse): TableFormat {
  const definitions = api.columnsOf(kind);
  if (definitions === undefined || isDefault(definitions)) return defaultFormat(prose);
  const own = ALL_KIND_TABLES.find((table) => table.group === kind.group && table.kind === kind.kind);
  const columns = definitions.map((definition) => columnOf(definition, prose));
  const cells = own?.row === undefined ? cellsOf(definitions, own) : [];
  const row = own?.row ?? ((object) => cells.map((cell) => cell(object)));
  return {
    columns,
    reads: 'stored',
    cells: row,
    ...(own?.conditions === undefined ? {} : { conditions: own.conditions }),
    ...(own?.order === undefined ? {} : { order: own.order }),
    noRows: [],
    templates: new WeakMap(),
    wireAnnotations: own?.wireAnnotations ?? [],
    headedAlways: own?.headedAlways ?? false,
  };
}

function cellsOf(definitions: readonly ColumnDefinition[], own: KindTable | undefined): readonly Cell[] {
  const cells = definitions.map(({ name, type, cell: words }) => {
    const cell = own?.cells?.[name] ?? cellOfWords(words, type);
    if (cell === undefined) throw new Error(`no rule makes the cell ${name}: ${words}`);
    return cell;
  });
  return [...cells, ...(own?.further ?? [])];
}

const ENUM_SENTENCES = '\n\nPossible enum values:';

/** The sentences that some columns have of their own are not known here. */
function columnOf(definition: ColumnDefinition, prose: FieldProse): TableColumn {
  const { name, type, format, priority, describes = '' } = definition;
  const [message = '', field = ''] = describes.split('.');
  // The sentences about enum values are put in when the documents are made, after the columns.
  const [description = ''] = describes === '' ? [''] : prose(message, field).split(ENUM_SENTENCES);
  return { name, type, format, description, priority };
}

const isDefault = (definitions: readonly ColumnDefinition[]): boolean =>
  definitions.length === 2 && definitions[1]?.name === 'Created At';

/**
 * The table of a kind that has none of its own.
 *
 * Shape: an empty list has null rows here. Source: apiserver registry/rest/table.go.
 */
function defaultFormat(prose: FieldProse): TableFormat {
  return {
    columns: [
      {
        name: 'Name',
        type: 'string',
        format: 'name',
        description: prose('ObjectMeta', 'name'),
        priority: 0,
      },
      {
        name: 'Created At',
        type: 'date',
        format: '',
        description: prose('ObjectMeta', 'creationTimestamp'),
        priority: 0,
      },
    ],
    reads: 'stored',
    cells: (object) => [nameCell(object), createdCell(object)],
    noRows: null,
    templates: new WeakMap(),
    wireAnnotations: [],
    headedAlways: false,
  };
}
