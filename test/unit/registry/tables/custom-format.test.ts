/** Columns of custom resources, as a real server evaluated them. */
import { readFileSync } from 'node:fs';
import { type JsonArray } from '../../../../mockserver/ground/json.js';
import { readJson } from '../../../../mockserver/ground/json-read.js';
import { writeJson } from '../../../../mockserver/ground/json-write.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { customFormat } from '../../../../mockserver/registry/tables/custom-format.js';
import { RowTemplate } from '../../../../mockserver/registry/tables/row-template.js';
import { type TableFormat, NO_PROSE } from '../../../../mockserver/registry/tables/table-format.js';

const bytes = readFileSync(
  new URL('../../../../fixtures/recorded/tables/custom-columns.json', import.meta.url),
);

interface Recorded {
  readonly object: ApiObject;
  readonly paths: readonly string[];
  readonly cells: Readonly<Record<string, { readonly nowMs: number; readonly cells: JsonArray }>>;
  readonly unread: readonly { path: string; columns: readonly string[]; cells: JsonArray }[];
}

const reading = readJson(bytes);
// The fixture's form is described in its README; it is read as a server reads JSON, so that 1.0 is not 1.
const recorded = (reading.ok ? reading.value : {}) as unknown as Recorded;
const { object } = recorded;

const cellsAt = (format: TableFormat, now: number): JsonArray =>
  new RowTemplate(format.cells(object), undefined).cells(now);

/** A real server takes the members of an object in any order, so the first of several is not the same twice. */
const ANY_ORDER_UNREAD = '...a';
const ANY_ORDER = ['.spec.*', '.spec.map.*', '..name', '..v'];

describe.each(['string', 'integer', 'number', 'boolean', 'date'])('columns of type %s', (type) => {
  const { nowMs = 0, cells = [] } = recorded.cells[type] ?? {};
  const rows = recorded.paths
    .map((path, i) => [path, i] as const)
    .filter(([path]) => !ANY_ORDER.includes(path));

  test.each(rows)('%s', (path, i) => {
    const format = customFormat([{ name: 'c', type, jsonPath: path }], NO_PROSE);
    expect(writeJson([cellsAt(format, nowMs)[1] ?? null])).toBe(writeJson([cells[i + 1] ?? null]));
  });
});

test.each(recorded.unread.map((row) => [row.path, row] as const))(
  'a column whose path is %j ends the columns, or has a cell',
  (path, row) => {
    const format = customFormat(
      [
        { name: 'a', type: 'string', jsonPath: '.spec.s' },
        { name: 'b', type: 'string', jsonPath: path },
        { name: 'c', type: 'string', jsonPath: '.spec.s' },
      ],
      NO_PROSE,
    );
    expect(format.columns.map(({ name }) => name)).toEqual(row.columns);
    const cells = cellsAt(format, 0);
    if (path === ANY_ORDER_UNREAD) expect(cells).toHaveLength(row.cells.length);
    else expect(cells).toEqual(row.cells);
  },
);
