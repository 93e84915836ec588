/** The patch verb: JSON patch, merge patch and strategic merge patch. */
import { applyJsonPatch } from '../patch/json-patch-apply.js';
import { decodeJsonPatch } from '../patch/json-patch.js';
import { resetsOwners } from '../patch/managed-fields.js';
import { applyMergePatch, decodeMergePatch } from '../patch/merge-patch.js';
import { fromUnstructured } from '../patch/from-unstructured.js';
import { goValueText } from '../ground/go-value-text.js';
import { type PatchBody } from '../patch/patch-body.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '../patch/strategic-merge-patch.js';
import { invalid } from '../ground/field-error.js';
import {
  compareUtf8,
  isJsonObject,
  member,
  objectMember,
  setMember,
  stringMember,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import { apiVersionOf, parseApiVersion } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { goQuote } from '../ground/revision.js';
import { invalidObject, rejectedRequest, type StatusError } from '../ground/status.js';
import { type Decoding } from '../schema/codec.js';
import { asOtherKind, notAnObject } from './body.js';
import { type Call } from './call.js';
import { type Owners, type WriteResult } from './create.js';
import { memberOrderOf } from './resource.js';
import { nameless, update, type Wanted } from './update.js';
import { type FieldValidation } from './write-options.js';

/** `strategic` only for resources that have a `valueType`. */
export type PatchType = 'json' | 'merge' | 'strategic';

export interface PatchRequest {
  readonly type: PatchType;
  readonly body: PatchBody;
  /** The body's text, by which `test` operations compare numbers. */
  readonly text: string;
  readonly fieldValidation: FieldValidation;
  readonly dryRun: boolean;
}

/**
 * Patches an object, or one part of it through a subresource.
 *
 * Errors: those of update; of the patch itself 400, 413 and 422 as the patch says; 422 when what comes out is no object
 * of the kind. An absent object comes first: the body is not looked at then.
 * Source: apiserver endpoints/handlers/patch.go.
 */
export function patch(call: Call, request: PatchRequest): WriteResult {
  return update(call, { dryRun: request.dryRun, next: (current) => patchedObject(call, request, current) });
}

/** What a patch makes of an object. Errors: those of the patch; 422 when what comes out is no object of the kind. */
export const patchedObject = (call: Call, request: PatchRequest, current: ApiObject): Wanted =>
  request.type === 'strategic'
    ? strategicallyPatched(call, request, current)
    : patched(call, request, current);

function patched(call: Call, request: PatchRequest, current: ApiObject): Wanted {
  const { result, problems } = applied(request, current);
  // Shows the whole patched object.
  const unusable = (why: string): StatusError =>
    unusablePatch(writeJson(asPatchWrites(result, current)), why);
  if (result === null) throw rejectedRequest();
  if (!isJsonObject(result))
    throw unusable(`couldn't get version/kind; json parse error: ${notAnObject(result)}`);
  const decoded = (value: JsonObject) => call.resource.codec.decode(withKind(call, request, value, unusable));
  const decoding = decoded(result);
  if (!decoding.ok) throw unusable(decoding.error);
  const unknown = unknownInOrder(decoding.unknown, () => decoded(asPatchWrites(result, current)));
  report(call, request, [...problems, ...unknown], unusable);
  const kind = stringMember(result, 'kind') ?? call.resource.kind;
  const object = call.resource.fill(decoding.object, call.cluster.clock.now());
  return {
    object: kind === call.resource.kind ? object : { ...object, kind },
    owners: ownersOf(call, result),
  };
}

/** Several are told in the order in which a real server reads what its patch library has written. */
function unknownInOrder(found: readonly string[], reread: () => Decoding): readonly string[] {
  const again = found.length > 1 ? reread() : undefined;
  return (again?.ok === true ? again.unknown : found).map((path) => `unknown field ${goQuote(path)}`);
}

/** kind and apiVersion of the outcome do not count here: the type that it is read into says them. */
function strategicallyPatched(call: Call, request: PatchRequest, current: ApiObject): Wanted {
  const { codec, fill, valueType } = call.resource;
  if (valueType === undefined) throw new Error(`no strategic merge patch of ${call.resource.resource}`);
  const decoded = decodeStrategicMergePatch(request.body, request);
  const type = valueType();
  const { result, left } = applyStrategicMergePatch(current, decoded, type);
  // Shows what is left of the patch.
  const unusable = (why: string): StatusError => unusablePatch(goValueText(left), why);
  const conversion = fromUnstructured(result, type);
  if (!conversion.ok) throw unusable(conversion.error);
  report(call, request, [...decoded.problems, ...conversion.unknown], unusable);
  const decoding = codec.decode(conversion.value);
  if (!decoding.ok) throw unusable(decoding.error);
  return { object: fill(decoding.object, call.cluster.clock.now()), owners: ownersOf(call, result) };
}

/** What an object that was sent asks of managedFields. @param sent as it was read, before it was decoded */
export function ownersOf({ resource }: Call, sent: JsonObject): Owners {
  return resetsOwners(objectMember(sent, 'metadata'), memberOrderOf(resource)) ? 'reset' : 'tracked';
}

const unusablePatch = (shown: string, why: string): StatusError =>
  invalidObject({ group: '', resource: '' }, '', [invalid('patch', shown, why)]);

/** Problems become warnings, or under Strict the error. */
function report(
  call: Call,
  { fieldValidation }: PatchRequest,
  problems: readonly string[],
  unusable: (why: string) => StatusError,
): void {
  if (fieldValidation === 'Ignore' || problems.length === 0) return;
  if (fieldValidation === 'Strict') throw unusable(`strict decoding error: ${problems.join(', ')}`);
  for (const problem of problems) call.warn(problem);
}

/**
 * The patched object as the patch library of a real server writes it: what the patch went through has its members
 * sorted, what it left alone stands as it was, what it brought stands as it was sent.
 */
function asPatchWrites(result: JsonObject, current: JsonValue | undefined): JsonObject;
function asPatchWrites(result: JsonValue, current: JsonValue | undefined): JsonValue;
function asPatchWrites(result: JsonValue, current: JsonValue | undefined): JsonValue {
  if (result === current || !isJsonObject(result) || !isJsonObject(current)) return result;
  const sorted: MutableJsonObject = {};
  for (const name of Object.keys(result).sort(compareUtf8)) {
    setMember(sorted, name, asPatchWrites(member(result, name) ?? null, member(current, name)));
  }
  return sorted;
}

interface Applied {
  readonly result: JsonValue;
  readonly problems: readonly string[];
}

function applied({ type, body, text, fieldValidation }: PatchRequest, current: ApiObject): Applied {
  if (type === 'json') {
    const decoded = decodeJsonPatch(body, { fieldValidation, text });
    return { result: applyJsonPatch(current, decoded), problems: decoded.problems };
  }
  const decoded = decodeMergePatch(body, { fieldValidation });
  return { result: applyMergePatch(current, decoded), problems: decoded.problems };
}

/**
 * A custom resource in another version than that of the path: it is read as that version knows it, then refused. A
 * version that the definition does not have knows no fields; another group drops none.
 */
function elsewhere(
  call: Call,
  request: PatchRequest,
  result: JsonObject,
  unusable: (why: string) => StatusError,
): StatusError {
  const { resource, cluster, name } = call;
  const apiVersion = stringMember(result, 'apiVersion') ?? '';
  const found = parseApiVersion(apiVersion);
  if (found === undefined) return unusable(`unexpected GroupVersion string: ${apiVersion}`);
  if (found.group === resource.group) {
    const known = cluster.resources.find(found.group, found.version, resource.resource);
    const decoding = known?.codec.decode(result);
    const unknown =
      decoding === undefined
        ? Object.keys(result).filter((field) => !['apiVersion', 'kind', 'metadata'].includes(field))
        : decoding.ok
          ? decoding.unknown
          : [];
    const problems = [...unknown].sort(compareUtf8).map((path) => `unknown field ${goQuote(path)}`);
    report(call, request, problems, unusable);
  }
  return invalidObject({ group: found.group, resource: resource.kind }, name, [
    invalid('apiVersion', apiVersion, `must be ${apiVersionOf(resource)}`),
  ]);
}

/** Errors: as the decoder of a real server takes another kind or version than the object's. */
function withKind(
  call: Call,
  request: PatchRequest,
  result: JsonObject,
  unusable: (why: string) => StatusError,
): JsonObject {
  const { resource, cluster } = call;
  const kind = stringMember(result, 'kind') ?? '';
  const apiVersion = stringMember(result, 'apiVersion') ?? '';
  const expected = apiVersionOf(resource);
  if (kind === resource.kind && apiVersion === expected) return result;
  if (resource.custom) {
    if (kind === '') throw unusable(`Object 'Kind' is missing in '${writeJson(result)}'`);
    if (apiVersion !== expected) throw elsewhere(call, request, result, unusable);
    return result;
  }
  // Without a version a real server reads it into its own form, in which metadata has no name.
  if (apiVersion === '') throw nameless(call);
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  if (kind !== '' && !cluster.resources.kindKnown({ group, version, kind })) {
    throw unusable(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (kind !== '' && (kind !== resource.kind || group !== resource.group)) {
    throw unusable(asOtherKind(call, { group, version, kind }, result));
  }
  return { ...result, kind: resource.kind, apiVersion: expected };
}
