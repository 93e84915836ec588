/** The codec of custom resources: typed metadata, the rest as sent, all members in byte order. */
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

/**
 * A codec that knows nothing of a kind but its metadata.
 *
 * Metadata goes through text once more, its members sorted, before it is decoded: errors and unknown members come
 * in that order, and a whole float counts as an integer there.
 * Source: apiextensions-apiserver, apiserver/schema/objectmeta/coerce.go.
 */
export function customCodec({ apiVersion, kind }: CodecKind): Codec {
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
  return {
    decode(value) {
      const sent = member(value, 'metadata') ?? null;
      const run = new DecodeRun();
      const metadata = sent === null ? {} : objectMeta.decode(plainSortedMembers(sent), run);
      const error = run.error();
      if (error !== undefined || !isJsonObject(metadata)) return { ok: false, error: error ?? '' };
      return {
        ok: true,
        object: assembled(value, metadata),
        unknown: run.unknownPaths().map((path) => `metadata.${path}`),
      };
    },
    arrange(object) {
      const metadata = arrangedMeta(object.metadata);
      const own = object.kind === kind && object.apiVersion === apiVersion && metadata === object.metadata;
      // Sorting moves members and removes none: what was an object of the kind still is.
      return own ? (sortedMembers(object) as ApiObject) : assembled(object, metadata);
    },
    empty: (metadata) => assembled({}, arrangedMeta(metadata)),
  };
}
