/** JSON patch: reads and checks the body. Source: RFC 6902; apiserver handlers/patch.go. */
import { goTypeName } from '../ground/go-json-type.js';
import {
  Float,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  member,
} from '../ground/json.js';
import { type StatusError, badRequest, tooLargeEntity } from '../ground/status.js';
import { type JsonLiteral, readLiteral } from './json-literal.js';
import { type PatchBody, type PatchDecoding } from './patch-body.js';

/** A member that is absent, null or of another type than text is undefined; what lacks it fails when it is applied. */
export interface JsonPatchOperation {
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** undefined when absent. */
  readonly value: JsonValue | undefined;
  /** The value as it was written, for `test`. */
  readonly literal: JsonLiteral | undefined;
}

export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** `json patch unknown field "[0].x"`, `json patch duplicate field "[0].op"`: warnings, or errors under Strict. */
  readonly problems: readonly string[];
}

export interface JsonPatchDecoding extends PatchDecoding {
  /** The body's text. Without it `test` compares by what such values are mostly written as. */
  readonly text?: string;
}

export const MAX_JSON_PATCH_OPERATIONS = 10_000;

/**
 * Reads the body of a JSON patch; `null` is a patch without operations.
 *
 * Errors: 400 for what is no list of objects and, unless the validation is Ignore, for an `op`, `path` or `from` that is
 * no text (`error decoding patch: …`, with Ignore without these words); 413 for more than 10,000 operations.
 */
export function decodeJsonPatch(body: PatchBody, { fieldValidation, text }: JsonPatchDecoding): JsonPatch {
  const lenient = fieldValidation === 'Ignore';
  if (!body.ok) throw undecodable(body.error, lenient);
  const list = operationList(body.value, lenient);
  if (list.length > MAX_JSON_PATCH_OPERATIONS) {
    throw tooLargeEntity(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${list.length}`,
    );
  }
  if (
    body.overflow !== undefined &&
    list.some((one) => isJsonObject(one) && isTooLarge(member(one, 'value')))
  ) {
    throw undecodable(
      `json: cannot unmarshal number ${body.overflow} into Go struct field jsonPatchOp.value of type float64`,
      lenient,
    );
  }
  const literals = literalsOf(list, text);
  return {
    operations: list.map((one, i) => operationOf(isJsonObject(one) ? one : {}, literals?.[i])),
    problems: lenient ? [] : problemsOf(list, body.duplicates),
  };
}

const undecodable = (error: string, lenient: boolean): StatusError =>
  badRequest(lenient ? error : `error decoding patch: ${error}`);

/** Whether a number beyond float64 is in it. Nothing may store one. */
function isTooLarge(value: JsonValue | undefined): boolean {
  if (value instanceof Float) return !Number.isFinite(value.value);
  return (isJsonArray(value) || isJsonObject(value)) && Object.values(value).some(isTooLarge);
}

const TEXT_MEMBERS = ['op', 'path', 'from'] as const;
const MEMBERS: ReadonlySet<string> = new Set([...TEXT_MEMBERS, 'value']);

/** Shape: objects and nulls. Errors: 400 for the first element, or member, of a wrong type. */
function operationList(value: JsonValue, lenient: boolean): JsonArray {
  const wrongType = (one: JsonValue, where: string): StatusError =>
    undecodable(`json: cannot unmarshal ${goTypeName(one)} into Go ${where}`, lenient);
  if (value === null) return [];
  if (!isJsonArray(value)) {
    throw wrongType(value, `value of type ${lenient ? 'jsonpatch.Patch' : '[]handlers.jsonPatchOp'}`);
  }
  for (const one of value) {
    if (one === null) continue;
    if (!isJsonObject(one)) {
      throw wrongType(one, `value of type ${lenient ? 'jsonpatch.Operation' : 'handlers.jsonPatchOp'}`);
    }
    if (lenient) continue;
    for (const [name, part] of Object.entries(one)) {
      const isText = TEXT_MEMBERS.some((known) => known === name);
      if (isText && part !== null && typeof part !== 'string') {
        throw wrongType(part, `struct field jsonPatchOp.${name} of type string`);
      }
    }
  }
  return value;
}

function operationOf(object: JsonObject, literal: JsonLiteral | undefined): JsonPatchOperation {
  const textOf = (name: string): string | undefined => {
    const value = member(object, name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    op: textOf('op'),
    path: textOf('path'),
    from: textOf('from'),
    value: member(object, 'value'),
    literal: literal?.kind === 'object' ? literal.members.get('value') : undefined,
  };
}

/** Only `test` needs to know how a value was written. */
function literalsOf(list: JsonArray, text: string | undefined): readonly JsonLiteral[] | undefined {
  const hasTest = list.some((one) => isJsonObject(one) && member(one, 'op') === 'test');
  if (!hasTest || text === undefined) return undefined;
  const literal = readLiteral(text);
  return literal.kind === 'array' ? literal.items : undefined;
}

/** In the order of the text; what lies inside an unknown member is not looked at. */
function problemsOf(list: JsonArray, duplicates: readonly string[]): string[] {
  const problems: string[] = [];
  for (const [i, one] of list.entries()) {
    if (!isJsonObject(one)) continue;
    const twice = duplicates.filter((path) => path.startsWith(`[${i}].`));
    for (const name of Object.keys(one)) {
      const path = `[${i}].${name}`;
      if (!MEMBERS.has(name)) {
        problems.push(`json patch unknown field "${path}"`);
        continue;
      }
      for (const inner of twice) {
        if (inner.startsWith(`${path}.`) || inner.startsWith(`${path}[`)) {
          problems.push(`json patch duplicate field "${inner}"`);
        }
      }
    }
    for (const name of MEMBERS) {
      const path = `[${i}].${name}`;
      if (twice.includes(path)) problems.push(`json patch duplicate field "${path}"`);
    }
  }
  return problems;
}
