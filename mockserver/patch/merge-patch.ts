/** JSON merge patch. Source: RFC 7386; apiserver handlers/patch.go with evanphx/json-patch 4. */
import { goTypeName } from '../ground/go-json-type.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  copyObject,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
} from '../ground/json.js';
import { overflowError } from '../ground/json-read.js';
import { badRequest } from '../ground/status.js';
import { type PatchBody, type PatchDecoding } from './patch-body.js';

export interface MergePatch {
  /** An array only where nothing is validated: it then takes the place of the whole document. */
  readonly patch: JsonObject | JsonArray;
  /** `duplicate field "spec.a"` for each member given twice: a warning, or an error under Strict. */
  readonly problems: readonly string[];
}

/**
 * Reads the body of a merge patch.
 *
 * Errors: 400. With Warn and Strict `error decoding patch: …` for what is no JSON object, `Invalid JSON Patch` for
 * `null`; with Ignore `Invalid JSON Patch` for all but objects and arrays.
 */
export function decodeMergePatch(body: PatchBody, { fieldValidation }: PatchDecoding): MergePatch {
  const lenient = fieldValidation === 'Ignore';
  if (!body.ok) throw badRequest(lenient ? INVALID : `error decoding patch: ${body.error}`);
  const { value } = body;
  // Without validation a server finds this only in the outcome; nothing may store such a number.
  if (body.overflow !== undefined) {
    const error = overflowError(body.overflow);
    throw badRequest(lenient ? error : `error decoding patch: ${error}`);
  }
  if (isJsonObject(value)) {
    return {
      patch: value,
      problems: lenient ? [] : body.duplicates.map((path) => `duplicate field "${path}"`),
    };
  }
  if (lenient && isJsonArray(value)) return { patch: value, problems: [] };
  if (lenient || value === null) throw badRequest(INVALID);
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${goTypeName(value)} into Go value of type map[string]interface {}`,
  );
}

const INVALID = 'Invalid JSON Patch';

/**
 * The document after the patch; neither is changed.
 *
 * As in RFC 7386 nulls remove, and leave nothing behind in what is added. Beyond it, as a server does: objects inside
 * an added array lose their nulls too, unless the array takes the place of an object.
 */
export function applyMergePatch(document: JsonObject, { patch }: MergePatch): JsonValue {
  return isJsonObject(patch) ? merged(document, patch) : withoutNulls(patch);
}

function merged(document: JsonObject, patch: JsonObject): JsonObject {
  const result = copyObject(document);
  for (const [name, value] of Object.entries(patch)) {
    const current = member(document, name);
    if (value === null) Reflect.deleteProperty(result, name);
    else if (!isJsonObject(current)) setMember(result, name, withoutNulls(value));
    else setMember(result, name, isJsonObject(value) ? merged(current, value) : value);
  }
  return result;
}

/** Members that are null are left out, at any depth; null elements of arrays stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  return isJsonObject(value) ? merged({}, value) : value;
}
