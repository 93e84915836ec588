/** Tables: what a client that asks for `as=Table` gets in the place of objects. */
import { copyObject, objectMember, type JsonObject, type JsonValue } from '../../ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../../ground/object.js';
import { type StoredObject } from '../../ground/stored-object.js';
import { RowTemplate } from './row-template.js';
import { type IncludeObject } from './include-object.js';
import { type TableFormat, columnValue } from './table-format.js';

/** `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`: of the table, and of the metadata in its rows. */
export type TableApiVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';

/** How a client wants metadata, and of what. */
export interface MetadataView {
  readonly format: TableFormat;
  readonly apiVersion: TableApiVersion;
  /** Reduces an object to its metadata (schema/partial-metadata.ts). */
  readonly partialMetadata: (object: ApiObject) => ApiObject;
}

/** How a client wants its table. */
export interface TableView extends MetadataView {
  readonly includeObject: IncludeObject;
}

export interface TableRow {
  readonly template: RowTemplate;
  /** Null where none is included. */
  readonly object: StoredObject | null;
}

/** A table about to be written: its head (kind, apiVersion, metadata, columnDefinitions) and its rows, apart. */
export interface Table {
  readonly head: JsonObject;
  readonly rows: readonly TableRow[] | null;
  /** Milliseconds since 1970: ages are counted to it. */
  readonly now: number;
}

export interface TableRequest {
  /** As the verb answers them: in the version that was asked for. */
  readonly objects: readonly StoredObject[];
  /** Whether they are of a list, or one object by itself. */
  readonly list: boolean;
  /** Of the list: resourceVersion, continue, remainingItemCount; of one object: its resourceVersion. In wire order. */
  readonly metadata: JsonObject;
  /** Milliseconds since 1970: ages are counted to it. */
  readonly now: number;
  /** @default true. False for the later frames of a watch. */
  readonly withDefinitions?: boolean;
}

/**
 * The table of a list, of one object or of one event.
 *
 * Source: apiserver endpoints/handlers/response.go, asTable.
 */
export function tableOf(view: TableView, request: TableRequest): Table {
  const { format, apiVersion } = view;
  const shown = request.withDefinitions !== false || format.headedAlways;
  const head = {
    kind: 'Table',
    apiVersion,
    metadata: request.metadata,
    columnDefinitions: shown ? format.columns.map(columnValue) : null,
  };
  const objects = request.list ? inOrder(format, request.objects) : request.objects;
  if (request.list && objects.length === 0) return { head, rows: format.noRows, now: request.now };
  return { head, rows: objects.map((object) => rowOf(view, object)), now: request.now };
}

function inOrder(format: TableFormat, objects: readonly StoredObject[]): readonly StoredObject[] {
  const { order } = format;
  if (order === undefined) return objects;
  return [...objects].sort((a, b) => order(readForm(format, a).object, readForm(format, b).object));
}

const readForm = (format: TableFormat, object: StoredObject): StoredObject =>
  format.reads === 'stored' ? object.origin : object;

const rowOf = (view: TableView, object: StoredObject): TableRow => ({
  template: templateOf(view.format, readForm(view.format, object)),
  object: view.includeObject === 'None' ? null : included(view, object),
});

function templateOf(format: TableFormat, object: StoredObject): RowTemplate {
  const known = format.templates.get(object);
  if (known !== undefined) return known;
  const made = new RowTemplate(format.cells(object.object), format.conditions?.(object.object));
  format.templates.set(object, made);
  return made;
}

function included(view: TableView, object: StoredObject): StoredObject {
  return view.includeObject === 'Object' ? object : metadataOf(view, object);
}

/**
 * The metadata of an object, as a row carries it and as a client gets it that asks for nothing else; made once per
 * object, then shared.
 *
 * It is that of the server's own form: what a version keeps in annotations, for want of a field, is not in it.
 */
export function metadataOf(
  { format, apiVersion, partialMetadata }: MetadataView,
  object: StoredObject,
): StoredObject {
  return readForm(format, object).form(`PartialObjectMetadata ${apiVersion}`, (whole) => ({
    ...partialMetadata(withoutAnnotations(whole, format.wireAnnotations)),
    apiVersion,
  }));
}

function withoutAnnotations(object: ApiObject, names: readonly string[]): ApiObject {
  const annotations = objectMember(object.metadata, 'annotations');
  if (annotations === undefined || !names.some((name) => Object.hasOwn(annotations, name))) return object;
  const kept = copyObject(annotations);
  for (const name of names) Reflect.deleteProperty(kept, name);
  const left = Object.keys(kept).length > 0 ? kept : undefined;
  return withMetadata(object, editMetadata(object.metadata, { annotations: left }));
}

/** The table as one value, for formats and layouts that are not written piece by piece. */
export function tableValue({ head, rows, now }: Table): JsonObject {
  return { ...head, rows: rows === null ? null : rows.map((row) => rowValue(row, now)) };
}

function rowValue({ template, object }: TableRow, now: number): JsonValue {
  const { conditions } = template;
  return {
    cells: template.cells(now),
    ...(conditions === undefined ? {} : { conditions }),
    object: object === null ? null : object.object,
  };
}
