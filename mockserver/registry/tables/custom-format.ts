/** Tables of custom resources: the columns that a version declares, as the server evaluates them. */
import { goFloat } from '../../ground/go-float.js';
import {
  type JsonObject,
  type JsonValue,
  Float,
  isJsonArray,
  isJsonObject,
  numberMember,
  stringMember,
} from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { instantOf } from '../../schema/go-time.js';
import { type PathValue, PathNumber, readJsonPath } from '../../schema/json-path.js';
import { sortedMembers } from '../../schema/member-order.js';
import { type Cell, type CellValue, nameCell } from './cell.js';
import { timeSince } from './elapsed.js';
import { type FieldProse, type TableColumn, type TableFormat } from './table-format.js';

/**
 * The format of a custom resource.
 *
 * Shape: the column of the name, then those declared; without any, the age. When a path cannot be parsed, its column and
 * those behind it are left out. Cells are read from the version that is shown.
 *
 * @param printerColumns `additionalPrinterColumns` of the version.
 * Source: apiextensions-apiserver registry/customresource/tableconvertor; apiserver/helpers.go.
 */
export function customFormat(printerColumns: readonly JsonObject[], prose: FieldProse): TableFormat {
  return declaredFormat(printerColumns.length > 0 ? printerColumns : [ageColumn(prose)], prose);
}

/** The format of the scale subresource of a custom resource; it has both replica counts. */
export function customScaleFormat(prose: FieldProse): TableFormat {
  return declaredFormat(
    [
      {
        name: 'Desired',
        type: 'integer',
        description: 'Number of desired replicas',
        jsonPath: '.spec.replicas',
      },
      {
        name: 'Available',
        type: 'integer',
        description: 'Number of actual replicas',
        jsonPath: '.status.replicas',
      },
      ageColumn(prose),
    ],
    prose,
  );
}

const ageColumn = (prose: FieldProse): JsonObject => ({
  name: 'Age',
  type: 'date',
  description: prose('ObjectMeta', 'creationTimestamp'),
  jsonPath: '.metadata.creationTimestamp',
  /** Of the server itself: nothing is put in place of an empty description. */
  own: true,
});

function declaredFormat(declared: readonly JsonObject[], prose: FieldProse): TableFormat {
  const columns: TableColumn[] = [
    { name: 'Name', type: 'string', format: 'name', description: prose('ObjectMeta', 'name'), priority: 0 },
  ];
  const cells: Cell[] = [];
  for (const column of declared) {
    const path = stringMember(column, 'jsonPath') ?? '';
    const reading = readJsonPath(path);
    if (!reading.ok) break;
    const type = stringMember(column, 'type') ?? '';
    const described = stringMember(column, 'description') ?? '';
    columns.push({
      name: stringMember(column, 'name') ?? '',
      type,
      format: stringMember(column, 'format') ?? '',
      description:
        described === '' && column['own'] !== true
          ? `Custom resource definition column (in JSONPath format): ${path}`
          : described,
      priority: numberMember(column, 'priority') ?? 0,
    });
    const show = SHOWN[type] ?? (() => null);
    cells.push((object) => {
      const found = reading.first(object);
      return found === undefined ? null : show(found);
    });
  }
  return {
    columns,
    reads: 'presented',
    cells: (object) => [nameCell(object), ...cells.map((cell) => cell(object))],
    noRows: [],
    templates: new WeakMap(),
    wireAnnotations: [],
    headedAlways: false,
  };
}

/** How a column of each type shows a value; null for one that does not fit. */
const SHOWN: Readonly<Record<string, (value: PathValue) => CellValue>> = {
  string: (value) => textOf(value),
  integer: (value) => {
    if (value instanceof Float) return truncated(value.value);
    if (typeof value === 'number') return truncated(value);
    return typeof value === 'bigint' ? value : null;
  },
  number: (value) => {
    if (value instanceof Float || typeof value === 'number') return value;
    return typeof value === 'bigint' ? new Float(Number(value)) : null;
  },
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value) => {
    if (typeof value !== 'string') return null;
    if (value === '' || value === 'null') return '<unknown>';
    return instantOf(value) === undefined ? '<invalid>' : timeSince(value);
  },
};

const MIN_INT64 = -(1n << 63n);

/** A float64 as Go turns it into an int64; what does not fit becomes the smallest one. */
function truncated(value: number): JsonValue {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole;
  const exact = BigInt(whole);
  return exact >= MIN_INT64 && exact < -MIN_INT64 ? exact : MIN_INT64;
}

/** Objects and lists as JSON, the rest as Go's fmt prints it. */
function textOf(value: PathValue): string {
  if (value === null) return '<no value>';
  if (value instanceof PathNumber) return String(value.value);
  if (value instanceof Float) return goFloat(value.value);
  if (isJsonArray(value) || isJsonObject(value)) return writeJson(sortedMembers(value));
  return typeof value === 'number' && !Number.isInteger(value) ? goFloat(value) : String(value);
}
