/** The formats that bodies are written in: one entry each, so that another one can be added. */
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { type StoredObject } from '../ground/stored-object.js';

/** A list about to be written: its head (kind, apiVersion, metadata in wire order) and its items, apart. */
export interface ListParts {
  readonly head: JsonObject;
  readonly items: readonly StoredObject[];
  /** `bare`: items without kind and apiVersion, as in lists of built-in kinds. */
  readonly itemForm: 'bare' | 'whole';
  /** `typed`: the items follow the head. `sorted`: they stand where their name sorts (custom resources). */
  readonly memberOrder: 'typed' | 'sorted';
}

/**
 * A part of a body: bytes, a byte string (see byteString), or byte strings that stand in a row.
 * They may be shared and are not to be changed.
 */
export type Piece = Buffer | string | readonly string[];

export interface Format {
  /** Key of the encodings that objects share: `json`, `yaml`, `protobuf`. */
  readonly name: string;
  /** `application/json` */
  readonly mediaType: string;
  /** Content-Type of a watch in this format; absent when it cannot be streamed. */
  readonly watchMediaType?: string;
  /** How the events of a watch are written; absent when it cannot be streamed. */
  readonly frames?: FrameForm;
  /** Whether a WebSocket carries it in text messages. */
  readonly text: boolean;
  /** A body: its pieces in order. */
  object(object: StoredObject, pretty: boolean): Iterable<Piece>;
  value(value: JsonValue, pretty: boolean): Iterable<Piece>;
  /** Made piece by piece while it is written, so that a long list never exists as a whole. */
  list(list: ListParts, pretty: boolean): Iterable<Piece>;
}

/** Watch events as bytes, each whole. */
export interface FrameForm {
  object(type: string, object: StoredObject): Buffer;
  value(type: string, value: JsonObject): Buffer;
}

/** A format and how it is laid out. */
export interface Encoding {
  readonly format: Format;
  /** Indented by two blanks; only JSON knows it. */
  readonly pretty: boolean;
}
