/** What a request is answered with, as values: verbs make them, answer-writer.ts writes them. */
import { type JsonValue } from '../ground/json.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Table } from '../registry/tables/table.js';
import { type Encoding, type Format, type ListParts } from './format.js';

/** Members that every answer may have. */
interface Extras {
  /** Texts for Warning headers, in order, unescaped; equal ones are sent once. */
  readonly warnings?: readonly string[];
  /** Further headers. A name in here replaces the usual one. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** A stored object: its bytes are made once and shared. */
export interface ObjectAnswer extends Extras {
  readonly kind: 'object';
  readonly code: number;
  readonly object: StoredObject;
  readonly encoding: Encoding;
}

/** Anything else that is written in the client's format: a Status, a Table, a discovery document. */
export interface ValueAnswer extends Extras {
  readonly kind: 'value';
  readonly code: number;
  readonly value: JsonValue;
  readonly encoding: Encoding;
  /** Instead of the format's media type. */
  readonly contentType?: string;
}

/** Rows in the place of objects. */
export interface TableAnswer extends Extras {
  readonly kind: 'table';
  readonly code: number;
  readonly table: Table;
  readonly encoding: Encoding;
}

export interface ListAnswer extends Extras, ListParts {
  readonly kind: 'list';
  readonly encoding: Encoding;
}

export interface WatchAnswer extends Extras {
  readonly kind: 'watch';
  readonly source: WatchSource;
  /** One with a watchMediaType. */
  readonly format: Format;
}

/** Plain text, as Go's http.Error writes it; the text brings its own newline. */
export interface TextAnswer extends Extras {
  readonly kind: 'text';
  readonly code: number;
  readonly text: string;
}

/** Bytes that are there already, such as an OpenAPI document; always with a Content-Length. */
export interface BytesAnswer extends Extras {
  readonly kind: 'bytes';
  readonly code: number;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Bytes that come when they come; in chunks, whatever their number. */
export interface StreamAnswer extends Extras {
  readonly kind: 'stream';
  readonly code: number;
  readonly contentType: string;
  readonly source: FrameSource<Buffer>;
}

export interface EmptyAnswer extends Extras {
  readonly kind: 'empty';
  readonly code: number;
}

export type Answer =
  | ObjectAnswer
  | ValueAnswer
  | TableAnswer
  | ListAnswer
  | WatchAnswer
  | TextAnswer
  | BytesAnswer
  | StreamAnswer
  | EmptyAnswer;

/** Where the frames of a watch come from. */
export type WatchSource = FrameSource<EventFrame>;

/** Where the pieces of an answer come from that has no end yet. */
export interface FrameSource<Frame> {
  /** Next batch of frames that are ready, in order; empty when none; never waits. */
  take(max: number): readonly Frame[];
  /**
   * Calls back when something can be taken or the stream has ended (then `ended` is true), perhaps more often than
   * needed. `soon`: later in this turn will do. `now`: the queue is full; whoever does not take within the call counts
   * as stuck.
   */
  onReady(callback: (readiness: 'soon' | 'now') => void): void;
  readonly ended: boolean;
  /** Idempotent: the client is gone, its time is over, or the server stops. */
  close(): void;
}

/** An encoded event, shared by all watchers: a JSON document and a newline, or a length-delimited message. */
export interface EventFrame {
  /** @param format one that can be streamed. The same buffer each time. */
  bytes(format: Format): Buffer;
}

/** What unknown paths get. */
export const pageNotFound = (): TextAnswer => ({ kind: 'text', code: 404, text: '404 page not found\n' });
