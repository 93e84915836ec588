/** The codec of custom resources: typed metadata, the rest as its schema says, all members in byte order. */
import {
  type JsonObject,
  type MutableJsonObject,
  compareUtf8,
  isJsonObject,
  member,
  setMember,
} from '../ground/json.js';
import { type ApiObject, EMPTY } from '../ground/object.js';
import { type Codec, type CodecKind } from './codec.js';
import { DecodeRun } from './decode-run.js';
import { plainSortedMembers, sortedMembers } from './member-order.js';
import { OBJECT_META, objectMetaPlans } from './object-meta.js';
import { type CustomSchema } from './structural/custom-schema.js';

/**
 * A codec that knows of a kind its metadata and, if it has one, its schema. Only `decode` asks the schema: what a
 * server has put together itself follows it already.
 *
 * Metadata goes through text once more, its members sorted, before it is decoded: errors and unknown members come
 * in that order, and a whole float counts as an integer there. The unknown members of metadata are named first, then
 * those that the schema does not know, each in byte order.
 * Source: apiextensions-apiserver, apiserver/customresource_handler.go (unstructuredSchemaCoercer),
 * apiserver/schema/objectmeta/coerce.go.
 */
export function customCodec({ apiVersion, kind }: CodecKind, schema?: CustomSchema): Codec {
  const objectMeta = objectMetaPlans().coder(OBJECT_META);
  const assembled = (object: JsonObject, metadata: JsonObject): ApiObject => {
    const all: MutableJsonObject = { ...object, apiVersion, kind, metadata };
    const out: MutableJsonObject = {};
    for (const name of Object.keys(all).sort(compareUtf8))
      setMember(out, name, sortedMembers(all[name] ?? null));
    // apiVersion, kind and metadata are among the members: the cast says what has just been written.
    return out as unknown as ApiObject;
  };
  const arrangedMeta = (metadata: JsonObject): JsonObject => {
    const arranged = sortedMembers(objectMeta.arrange?.(metadata) ?? metadata);
    return isJsonObject(arranged) ? arranged : EMPTY;
  };
  const zero = assembled({}, {});
  return {
    decode(value) {
      const sent = member(value, 'metadata') ?? null;
      const run = new DecodeRun();
      const metadata = sent === null ? {} : objectMeta.decode(plainSortedMembers(sent), run);
      const error = run.error();
      if (error !== undefined || !isJsonObject(metadata)) return { ok: false, error: error ?? '' };
      const unknownMetadata = run.unknownPaths().map((path) => `metadata.${path}`);
      // An object of another kind is refused later, as it was sent.
      if (schema === undefined || member(value, 'kind') !== kind) {
        return { ok: true, object: assembled(value, metadata), unknown: unknownMetadata };
      }
      const received = schema.receive(value);
      if (!received.ok) return received;
      const unknown = [...unknownMetadata, ...received.unknown];
      return { ok: true, object: assembled(received.value, metadata), unknown };
    },
    // These are kept as JSON.
    asStored: (object) => object,
    arrange(object) {
      const metadata = arrangedMeta(object.metadata);
      const own = object.kind === kind && object.apiVersion === apiVersion && metadata === object.metadata;
      // Sorting moves members and removes none: what was an object of the kind still is.
      return own ? (sortedMembers(object) as ApiObject) : assembled(object, metadata);
    },
    zero: () => zero,
    empty: (metadata) => assembled({}, arrangedMeta(metadata)),
  };
}
