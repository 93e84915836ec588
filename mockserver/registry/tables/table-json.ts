/** Tables as compact JSON, piece by piece: the objects in them are encoded once and shared. */
import { writeJson } from '../../ground/json-write.js';
import { byteString } from '../../ground/utf8.js';
import { type TableFrame } from './table-frames.js';
import { type Table } from './table.js';

/** The body of an answer, with its newline. Shape: byte strings, some at a time. */
export function* tableJson(table: Table): Generator<readonly string[]> {
  yield* pieces(table);
  yield ['\n'];
}

/** The frame of an event. */
export function tableFrameJson(frame: TableFrame): Buffer {
  const content = frame.kind === 'error' ? byteString(writeJson(frame.status)) : textOf(frame.table);
  return Buffer.from(`{"type":"${frame.type}","object":${content}}\n`, 'latin1');
}

function textOf(table: Table): string {
  let text = '';
  for (const some of pieces(table)) text += some.join('');
  return text;
}

/** Rows that are handed on at a time. */
const ROWS = 64;

function* pieces({ head, rows, now }: Table): Generator<readonly string[]> {
  const opening = byteString(writeJson(head).slice(0, -1));
  if (rows === null) {
    yield [`${opening},"rows":null}`];
    return;
  }
  let before = `${opening},"rows":[`;
  for (let start = 0; start < rows.length; start += ROWS) {
    const some: string[] = [];
    for (const { template, object } of rows.slice(start, start + ROWS)) {
      some.push(before, template.opening(now), object === null ? 'null' : object.json);
      before = '},';
    }
    yield some;
  }
  yield [rows.length === 0 ? `${before}]}` : '}]}'];
}
