/** Codecs: from a client's decoded JSON to the canonical object that a server holds and writes. */
import { type JsonObject, isJsonObject } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { DecodeRun, type Nulls } from './decode-run.js';
import { type FieldPlan, type MessagePlans, MessageCoder } from './typed-codec.js';

export type Decoding =
  | {
      readonly ok: true;
      readonly object: ApiObject;
      /** Paths of the members that nobody knows (`spec.containers[0].foo`), in document order, at most 100. */
      readonly unknown: readonly string[];
    }
  | { readonly ok: false; /** In Go's words, without the words around it. */ readonly error: string };

export interface Codec {
  /**
   * The canonical object: members in the order of the wire, unknown ones dropped, null as Go takes it, members that
   * are always written added; no defaults. kind and apiVersion are the codec's own.
   *
   * The value is given away: raw JSON in it (RawExtension, FieldsV1, custom fields) becomes part of the object.
   * @param nulls `zero` for what comes from a message. @default unset
   */
  decode(value: JsonObject, nulls?: Nulls): Decoding;
  /**
   * The same for an object that the server has put together itself, whose members may stand in any order: types are
   * trusted, empty and null members are dropped where they are not written.
   * Shape: shares with `object` what is in order already; of a built-in kind it is `object` when all is.
   */
  arrange(object: ApiObject): ApiObject;
  /**
   * An object in canonical form as it comes back from a store that keeps protobuf: an empty list that is written even
   * when it is unset was never set there.
   * Shape: the object itself when it has none.
   */
  asStored(object: ApiObject): ApiObject;
  /** The zero value of the kind: what a new object is compared with. Shape: one object for all callers. */
  zero(): ApiObject;
  /** What a bookmark shows: the zero value of the kind inside a real server, with `metadata`. */
  empty(metadata: JsonObject): ApiObject;
}

export interface CodecKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The codec of a kind whose message is known.
 *
 * @param plans of the table that has the message; to be shared by all codecs of that table.
 */
export function builtInCodec(
  plans: MessagePlans,
  { apiVersion, kind, message }: CodecKind & { message: string },
): Codec {
  const root = new MessageCoder(message.split('.').slice(-2).join('.'), () => [
    constant('kind', kind),
    constant('apiVersion', apiVersion),
    ...plans.fieldPlans(message),
  ]);
  let zero: ApiObject | undefined;
  return {
    decode(value, nulls) {
      const run = new DecodeRun(nulls);
      const object = root.decode(value, run);
      const error = run.error();
      if (error !== undefined || object === undefined) return { ok: false, error: error ?? '' };
      return { ok: true, object: asApiObject(object, apiVersion, kind), unknown: run.unknownPaths() };
    },
    arrange(object) {
      const arranged = root.arrange(object);
      return arranged === object
        ? object
        : asApiObject(isJsonObject(arranged) ? arranged : {}, apiVersion, kind);
    },
    asStored(object) {
      const stored = root.asStored(object);
      return stored === object ? object : asApiObject(isJsonObject(stored) ? stored : {}, apiVersion, kind);
    },
    zero: () => (zero ??= asApiObject(root.zero(), apiVersion, kind)),
    empty: (metadata) => {
      const arranged = root.arrange({ ...root.blank(), metadata });
      return asApiObject(isJsonObject(arranged) ? arranged : {}, apiVersion, kind);
    },
  };
}

/** A member that is the same in every object of the kind, whatever was sent. */
function constant(name: string, text: string): FieldPlan {
  return {
    name,
    goPath: `TypeMeta.${name}`,
    coder: { goType: 'string', zero: () => text, decode: () => text, arrange: () => text },
    whenUnset: () => text,
    whenBlank: () => text,
    dropsEmpty: false,
    forgetsEmpty: false,
    keepsNull: false,
  };
}

/** The same object where the type can be seen; metadata is added where the message has none. */
function asApiObject(object: JsonObject, apiVersion: string, kind: string): ApiObject {
  const metadata = object['metadata'];
  if (isJsonObject(metadata)) {
    // kind, apiVersion and metadata are there: the cast says what the plan has just written.
    return object as ApiObject;
  }
  return { ...object, apiVersion, kind, metadata: {} };
}
