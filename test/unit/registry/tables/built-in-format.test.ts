/** Rows of built-in kinds, as a real server showed them. */
import { readFileSync } from 'node:fs';
import { loadBuiltInApi } from '../../../../openapi/built-in-api.js';
import { type JsonArray } from '../../../../mockserver/ground/json.js';
import { apiVersionOf, parseApiVersion } from '../../../../mockserver/ground/kind.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { builtInFormat } from '../../../../mockserver/registry/tables/built-in-format.js';
import { RowTemplate } from '../../../../mockserver/registry/tables/row-template.js';
import { NO_PROSE } from '../../../../mockserver/registry/tables/table-format.js';

const api = loadBuiltInApi();

interface RecordedRow {
  /** `apps/v1/Deployment`: the version whose table was asked for. */
  readonly of: string;
  /** The server's time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** As stored. */
  readonly object: ApiObject;
  readonly cells: JsonArray;
  readonly conditions?: JsonArray;
}

function formatOf(of: string): ReturnType<typeof builtInFormat> {
  const slash = of.lastIndexOf('/');
  const groupVersion = parseApiVersion(of.slice(0, slash));
  if (groupVersion === undefined) throw new Error(of);
  return builtInFormat(api, { ...groupVersion, kind: of.slice(slash + 1) }, NO_PROSE);
}

// The fixture's form is described in its README.
const rowsOf = (file: string): readonly RecordedRow[] =>
  JSON.parse(
    readFileSync(new URL(`../../../../fixtures/recorded/tables/${file}`, import.meta.url), 'utf8'),
  ) as readonly RecordedRow[];

describe.each(['rows.json', 'more-rows.json'])('%s', (file) => {
  test.each(rowsOf(file).map((row, i) => [`${i} ${row.of}`, row] as const))(
    'row %s is as recorded',
    (_name, row) => {
      const format = formatOf(row.of);
      const template = new RowTemplate(format.cells(row.object), format.conditions?.(row.object));
      expect(template.cells(row.nowMs)).toEqual(row.cells);
      expect(template.conditions).toEqual(row.conditions);
    },
  );
});

test('every kind that can be listed has a rule for each of its cells', () => {
  for (const resource of api.resources.filter(({ verbs }) => verbs.includes('list'))) {
    const { columns } = formatOf(`${apiVersionOf(resource)}/${resource.kind}`);
    expect(columns[0]?.name).toBe(resource.kind === 'Event' ? 'Last Seen' : 'Name');
  }
});

test('columns repeat the documentation of their fields, without the values of enums', () => {
  const { columns } = builtInFormat(
    api,
    { group: '', version: 'v1', kind: 'Service' },
    (message, field) => `${message} ${field}\n\nPossible enum values:\n - x`,
  );
  expect(columns.slice(0, 3).map(({ description }) => description)).toEqual([
    'ObjectMeta name',
    'ServiceSpec type',
    'ServiceSpec clusterIP',
  ]);
});
