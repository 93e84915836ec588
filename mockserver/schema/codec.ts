/** Turns a client's JSON into the object that a server holds and writes. */
import { type JsonObject } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';

export type Decoding =
  | { readonly ok: true; readonly object: ApiObject; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly error: string };

export interface Codec {
  decode(value: JsonObject): Decoding;
  arrange(object: ApiObject): ApiObject;
  empty(metadata: JsonObject): ApiObject;
}
