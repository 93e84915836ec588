/** Tables as compact JSON, piece by piece: the objects in them are encoded once and shared. */
import { type StoredObject } from '../../ground/stored-object.js';
import { writeJson } from '../../ground/json-write.js';
import { type TableFrame } from './table-frames.js';
import { type Table } from './table.js';

/**
 * The body of an answer, with its newline.
 *
 * @param encode the shared bytes of an object in compact JSON.
 */
export function* tableJson(table: Table, encode: (object: StoredObject) => Buffer): Generator<Buffer> {
  yield* pieces(table, encode);
  yield NEWLINE;
}

/**
 * The frame of an event.
 *
 * @param encode as of tableJson.
 */
export function tableFrameJson(frame: TableFrame, encode: (object: StoredObject) => Buffer): Buffer {
  const before = Buffer.from(`{"type":"${frame.type}","object":`);
  const content =
    frame.kind === 'error' ? [Buffer.from(writeJson(frame.status))] : [...pieces(frame.table, encode)];
  return Buffer.concat([before, ...content, FRAME_END]);
}

const NEWLINE = Buffer.from('\n');
const FRAME_END = Buffer.from('}\n');

function* pieces({ head, rows, now }: Table, encode: (object: StoredObject) => Buffer): Generator<Buffer> {
  const opening = writeJson(head).slice(0, -1);
  if (rows === null) {
    yield Buffer.from(`${opening},"rows":null}`);
    return;
  }
  let before = `${opening},"rows":[`;
  for (const row of rows) {
    yield Buffer.from(`${before}${row.template.opening(now)}`);
    yield row.object === null ? NULL : encode(row.object);
    before = '},';
  }
  yield Buffer.from(rows.length === 0 ? `${before}]}` : '}]}');
}

const NULL = Buffer.from('null');
