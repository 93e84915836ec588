/** From a request body's JSON to an object of the resource's kind. */
import { isJsonObject, member, type JsonObject, type JsonValue } from '../ground/json.js';
import { apiVersionOf, parseApiVersion, type GroupVersionKind } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { goQuote } from '../ground/revision.js';
import { badRequest, type StatusError } from '../ground/status.js';
import { type Nulls } from '../schema/decode-run.js';
import { type Call } from './call.js';
import { type Resource } from './resource.js';
import { type FieldValidation } from './write-options.js';

/** A body that has been read as JSON (or as YAML or protobuf, which become JSON). */
export interface Body {
  readonly value: JsonValue;
  readonly nulls: Nulls;
  /** Paths of members that stood twice, in the order in which warnings name them. */
  readonly duplicates: readonly string[];
  /** Warnings that reading gave, as they go into the header. */
  readonly warnings: readonly string[];
  /** The whole text, and its beginning as error messages show it. */
  readonly text: () => string;
  readonly shown: () => string;
}

/**
 * Decodes the body of a create or an update.
 *
 * Shape: an object of the resource's kind and version, in wire order. Unknown and duplicate members become warnings,
 * or under Strict the error.
 * @param alsoTaken other apiVersions in which the kind is taken
 * Errors: 400 in the words of Go's decoder.
 * Source: apiserver endpoints/handlers/create.go, update.go, rest.go (transformDecodeError).
 */
export function decodeBody(
  call: Call,
  body: Body,
  validation: FieldValidation,
  alsoTaken: readonly string[] = [],
): ApiObject {
  const { resource } = call;
  const value = asObject(resource, body);
  const kind = kindOfBody(call, body, value, alsoTaken);
  const decoding = resource.codec.decode(kind.value, body.nulls);
  if (!decoding.ok) throw unmanageable(resource, kind.kind, kind.version, decoding.error);
  reportMembers(call, body, decoding.unknown, validation, (text) =>
    unmanageable(resource, kind.kind, kind.version, `strict decoding error: ${text}`),
  );
  const expected = apiVersionOf(resource);
  if (kind.apiVersion !== expected && !alsoTaken.includes(kind.apiVersion)) {
    throw badRequest(
      `the API version in the data (${kind.apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  // A custom resource of another kind is refused later, by validation, under the kind that it says it is.
  const object = resource.fill(decoding.object, call.cluster.clock.now());
  return kind.kind === resource.kind ? object : { ...object, kind: kind.kind };
}

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** Warnings for duplicate and unknown members, or the one error of strict validation. */
export function reportMembers(
  call: Call,
  body: Body,
  unknown: readonly string[],
  validation: FieldValidation,
  strictError: (text: string) => StatusError,
): void {
  if (validation === 'Ignore') return;
  // A typed decoder does not look into members that it does not know; it sees neither their doubles nor themselves doubled.
  const duplicates = call.resource.custom
    ? body.duplicates
    : body.duplicates.filter((path) => !unknown.some((one) => isWithin(path, one)));
  const texts = [
    ...duplicates.map((path) => `duplicate field ${goQuote(path)}`),
    ...unknown.map((path) => `unknown field ${goQuote(path)}`),
  ];
  if (validation === 'Strict') {
    const all = [...body.warnings, ...texts];
    if (all.length > 0) throw strictError(all.join(', '));
    return;
  }
  for (const text of [...body.warnings, ...texts]) call.warn(text);
}

/** Why an object of another kind that is known is not taken: it is read as what it says it is, then converted. */
export function asOtherKind(
  { resource, cluster }: Call,
  kind: GroupVersionKind,
  value: JsonObject,
  nulls?: Nulls,
): string {
  const decoding = cluster.resources.findKind(kind)?.codec.decode(value, nulls);
  return decoding?.ok === false ? decoding.error : unknownConversion(resource, kind);
}

/** Another kind that is known cannot be made into the resource's own. */
function unknownConversion(
  { group, kind }: Resource,
  found: { readonly version: string; readonly kind: string },
): string {
  const name = group === '' ? 'core' : (group.split('.')[0] ?? '');
  return `converting (${found.version}.${found.kind}) to (${name}.${kind}): unknown conversion`;
}

/** 400 for a body that has no kind. Source: apimachinery json/meta.go and transformDecodeError. */
export const unrecognized = (resource: Resource, why: string): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why}`);

/** 400 for a body whose kind is known and that cannot be read as what is wanted. Source: transformDecodeError. */
export const unmanageable = (resource: Resource, kind: string, version: string, why: string): StatusError =>
  badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}: ${why}`);

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** What Go's decoder says of a document that is no object. */
export function notAnObject(value: JsonValue): string {
  const found = Array.isArray(value) ? 'array' : typeof value;
  const type = found === 'boolean' ? 'bool' : found === 'string' || found === 'array' ? found : 'number';
  return `json: cannot unmarshal ${type} into Go value of type ${TYPE_META}`;
}

function asObject(resource: Resource, body: Body): JsonObject {
  const { value } = body;
  if (isJsonObject(value)) return value;
  if (value === null) return {};
  throw unrecognized(
    resource,
    `couldn't get version/kind; json parse error: ${notAnObject(value)} (${body.shown()})`,
  );
}

interface BodyKind {
  readonly kind: string;
  readonly version: string;
  readonly apiVersion: string;
  /** The body with kind and apiVersion there. */
  readonly value: JsonObject;
}

/** Go's decoder takes a member of any case for that of a struct, and the last one counts. */
const lastNamedAs = (value: JsonObject, name: string): string =>
  Object.keys(value).findLast((key) => key.toLowerCase() === name.toLowerCase()) ?? name;

/**
 * Which kind a body says it is. Built-in kinds take what is missing from the path; custom resources must say.
 * A kind that is known but is not the resource's own cannot be converted; one that is unknown is not registered.
 */
function kindOfBody(call: Call, body: Body, value: JsonObject, alsoTaken: readonly string[]): BodyKind {
  const { resource, cluster } = call;
  const text = (name: 'kind' | 'apiVersion'): string => {
    const found = member(value, resource.custom ? name : lastNamedAs(value, name)) ?? '';
    if (typeof found === 'string') return found;
    const type =
      typeof found === 'boolean'
        ? 'bool'
        : Array.isArray(found)
          ? 'array'
          : typeof found === 'object'
            ? 'object'
            : 'number';
    throw unrecognized(
      resource,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go struct field .${name} of type string (${body.shown()})`,
    );
  };
  const givenKind = text('kind');
  const givenVersion = text('apiVersion');
  if (resource.custom) {
    if (givenKind === '')
      throw unrecognized(resource, `Object 'Kind' is missing in '${body.text()}' (${body.shown()})`);
    if (givenVersion !== apiVersionOf(resource)) {
      throw badRequest(
        `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersionOf(resource)})`,
      );
    }
    return { kind: givenKind, version: resource.version, apiVersion: givenVersion, value };
  }
  const kind = givenKind === '' ? resource.kind : givenKind;
  const apiVersion = givenVersion === '' ? apiVersionOf(resource) : givenVersion;
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) {
    throw unrecognized(resource, `unexpected GroupVersion string: ${apiVersion} (${body.shown()})`);
  }
  if (kind !== resource.kind || parsed.group !== resource.group || parsed.version !== resource.version) {
    const known =
      cluster.resources.kindKnown({ ...parsed, kind }) ||
      (kind === resource.kind && alsoTaken.includes(apiVersion));
    if (!known) {
      throw unmanageable(
        resource,
        kind,
        parsed.version,
        `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    if (kind !== resource.kind || parsed.group !== resource.group) {
      const why = asOtherKind(call, { ...parsed, kind }, value, body.nulls);
      throw unmanageable(resource, kind, parsed.version, why);
    }
  }
  return {
    kind,
    version: parsed.version,
    apiVersion,
    value: { ...value, kind: resource.kind, apiVersion: apiVersionOf(resource) },
  };
}
