/** Objects of the built-in API as protobuf, by their kind. */
import { definitionNameOf } from '../../../openapi/resource-definition.js';
import { messageNameOf } from '../../../openapi/protobuf-message.js';
import { type JsonObject, type MutableJsonObject, stringMember } from '../../ground/json.js';
import { parseApiVersion } from '../../ground/kind.js';
import { type ProtobufDocument } from '../message-table.js';
import { type Opened, type TypeMeta, openEnvelope } from './envelope.js';
import { type MessageWire } from './message-wire.js';
import { WireError } from './wire-error.js';
import { WirePlans } from './wire-plans.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/** A body of protobuf, as the JSON of the same object. */
export type ProtobufReading =
  | {
      readonly ok: true;
      /** kind and apiVersion first; unknown fields skipped. */ readonly value: JsonObject;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** What the envelope said, completed; absent when it could not be read. */
      readonly typeMeta?: TypeMeta;
    };

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';

export class ProtobufCodec {
  readonly #document: () => ProtobufDocument;
  readonly #messages = new Map<string, MessageWire | undefined>();
  readonly #out = new WireWriter();
  #plans: WirePlans | undefined;

  /** @param document is asked when the first object comes. */
  constructor(document: () => ProtobufDocument) {
    this.#document = document;
  }

  /**
   * The message of an object, without envelope.
   *
   * Shape: bytes as Go's encoder writes them: fields ascending, maps sorted.
   * Errors: an Error for a kind that no message is known for.
   */
  encode(object: JsonObject): Buffer {
    const apiVersion = stringMember(object, 'apiVersion') ?? '';
    const kind = stringMember(object, 'kind') ?? '';
    return this.encodeAs({ apiVersion, kind }, object);
  }

  /** The same of an object whose kind stands elsewhere, such as the head of a list without its items. */
  encodeAs(typeMeta: TypeMeta, object: JsonObject): Buffer {
    const message = this.#messageOf(typeMeta);
    if (message === undefined)
      throw new Error(`no protobuf message is known for ${typeMeta.apiVersion} ${typeMeta.kind}`);
    const out = this.#out;
    try {
      message.writeFields(object, out);
      return out.take();
    } catch (error) {
      out.clear();
      throw error;
    }
  }

  /**
   * Reads a body.
   *
   * Shape: kinds that no message is known for come back without members, to be refused by whoever asked.
   * @param expected completes what the envelope leaves out.
   */
  decode(bytes: Buffer, expected: TypeMeta): ProtobufReading {
    let opened: Opened;
    try {
      opened = openEnvelope(bytes);
    } catch (error) {
      return { ok: false, error: wordsOf(error) };
    }
    const typeMeta = completed(opened, expected);
    const value: MutableJsonObject = { kind: typeMeta.kind, apiVersion: typeMeta.apiVersion };
    try {
      this.#messageOf(typeMeta)?.readFields(new WireReader(opened.message), value);
    } catch (error) {
      return { ok: false, error: wordsOf(error), typeMeta };
    }
    return { ok: true, value };
  }

  #messageOf({ apiVersion, kind }: TypeMeta): MessageWire | undefined {
    const key = `${apiVersion} ${kind}`;
    if (this.#messages.has(key)) return this.#messages.get(key);
    const group = parseApiVersion(apiVersion);
    if (group === undefined) return undefined;
    this.#plans ??= new WirePlans(this.#document());
    // Kinds of every group (options, a Status) have one message.
    const own = messageNameOf(definitionNameOf(group.group, group.version, kind));
    const message = this.#plans.message(own) ?? this.#plans.message(`${META}.${kind}`);
    // What clients name and nobody knows is not remembered.
    if (message !== undefined) this.#messages.set(key, message);
    return message;
  }
}

/** Source: apimachinery runtime/serializer/protobuf/protobuf.go, copyKindDefaults. */
function completed({ apiVersion, kind }: TypeMeta, expected: TypeMeta): TypeMeta {
  const said = parseApiVersion(apiVersion)?.version ?? '';
  return {
    apiVersion: said === '' ? expected.apiVersion : apiVersion,
    kind: kind === '' ? expected.kind : kind,
  };
}

function wordsOf(error: unknown): string {
  if (error instanceof WireError) return error.message;
  throw error;
}
