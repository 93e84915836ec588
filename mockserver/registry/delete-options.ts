/** DeleteOptions: from the body of a delete or, when that is empty, from its query. */
import { type FieldError, invalid, notSupported } from '../ground/field-error.js';
import { isInt64 } from '../ground/go-number.js';
import { goTypeName } from '../ground/go-json-type.js';
import { type JsonObject, type JsonValue, Float, isJsonArray, isJsonObject, member } from '../ground/json.js';
import { goQuote } from '../ground/revision.js';
import { badRequest, invalidOptions } from '../ground/status.js';
import { type Query, allValues, booleanValue, firstValue, integerValue, textValue } from './query.js';
import { dryRunErrors } from './write-options.js';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface DeleteOptions {
  readonly dryRun: boolean;
  /** Seconds; never negative. undefined: not given. */
  readonly gracePeriodSeconds: number | undefined;
  /** The older form of a policy; only one of the two can be set. */
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** A member that is given must be equal, also when it is `''`. */
  readonly preconditions: Preconditions;
}

/** What has been sent, before validation. */
interface Sent {
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly dryRun: readonly string[];
  readonly preconditions: Preconditions;
}

/** The outcome of reading a body as JSON (or as YAML turned into it). */
export type BodyReading =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string };

/**
 * Options from the query: `uid` and `resourceVersion` are preconditions (so in a delete of a collection the version of
 * the list is one for each object too).
 *
 * Errors: 400 for a grace period that is no integer; 422 of validation.
 * Source: apimachinery meta/v1/conversion.go.
 */
export function deleteOptionsFromQuery(query: Query): DeleteOptions {
  const uid = textValue(query, 'uid');
  const resourceVersion = textValue(query, 'resourceVersion');
  return validated({
    gracePeriodSeconds: integerValue(query, 'gracePeriodSeconds'),
    orphanDependents: booleanValue(query, 'orphanDependents'),
    propagationPolicy: firstValue(query, 'propagationPolicy'),
    dryRun: allValues(query, 'dryRun'),
    preconditions: {
      ...(uid === '' ? {} : { uid }),
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    },
  });
}

/**
 * Options from a body that is not empty. Without kind it is a DeleteOptions; with that kind, of any version; unknown
 * members are ignored, and so is the query.
 *
 * Errors: 400 for what is not JSON, another kind, a member of another type; 422 of validation.
 * Source: apiserver handlers/delete.go.
 */
export function deleteOptionsFromBody(reading: BodyReading): DeleteOptions {
  if (!reading.ok) throw badRequest(`${NOT_READ}: ${reading.error}`);
  const body = optionsObject(reading.value);
  const sent: Sent = {
    gracePeriodSeconds: integerMember(body, 'gracePeriodSeconds'),
    preconditions: preconditionsOf(body),
    orphanDependents: typedMember(body, 'orphanDependents', isBoolean, 'bool'),
    propagationPolicy: typedMember(body, 'propagationPolicy', isText, 'v1.DeletionPropagation'),
    dryRun: textsMember(body, 'dryRun'),
  };
  typedMember(body, 'ignoreStoreReadErrorWithClusterBreakingPotential', isBoolean, 'bool');
  return validated(sent);
}

const NOT_READ = "couldn't get version/kind; json parse error";
const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const SCHEME = 'pkg/runtime/scheme.go:111';

/** Kinds that the scheme of the options knows beside DeleteOptions. */
const OTHER_KINDS = new Set(['meta.k8s.io/v1 ListOptions', 'v1 Status', 'meta.k8s.io/v1 Status']);

function optionsObject(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (!isJsonObject(value)) {
    throw badRequest(
      `${NOT_READ}: json: cannot unmarshal ${goTypeName(value)} into Go value of type ${TYPE_META}`,
    );
  }
  const apiVersion = typeMember(value, 'apiVersion');
  const kind = typeMember(value, 'kind');
  if (apiVersion.split('/').length > 2) throw badRequest(`unexpected GroupVersion string: ${apiVersion}`);
  if (kind === '' || kind === 'DeleteOptions') return value;
  const version = apiVersion === '' || apiVersion === '/' ? 'meta.k8s.io/v1' : apiVersion;
  throw badRequest(
    OTHER_KINDS.has(`${version} ${kind}`)
      ? `converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`
      : `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme ${goQuote(SCHEME)}`,
  );
}

function typeMember(body: JsonObject, name: string): string {
  const value = member(body, name) ?? null;
  if (value === null) return '';
  if (typeof value === 'string') return value;
  throw badRequest(
    `${NOT_READ}: json: cannot unmarshal ${goTypeName(value)} into Go struct field .${name} of type string`,
  );
}

const isText = (value: JsonValue): value is string => typeof value === 'string';
const isBoolean = (value: JsonValue): value is boolean => typeof value === 'boolean';

/** A member that is absent or null is undefined. Errors: 400 in the words of Go's decoder. */
function typedMember<T extends JsonValue>(
  object: JsonObject,
  name: string,
  is: (value: JsonValue) => value is T,
  goType: string,
  path = `DeleteOptions.${name}`,
): T | undefined {
  const value = member(object, name) ?? null;
  if (value === null) return undefined;
  if (is(value)) return value;
  throw wrongType(goTypeName(value), path, goType);
}

const wrongType = (what: string, path: string, goType: string): Error =>
  badRequest(`json: cannot unmarshal ${what} into Go struct field ${path} of type ${goType}`);

function integerMember(body: JsonObject, name: string): number | undefined {
  const value = member(body, name) ?? null;
  if (value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value === 'bigint' && isInt64(value)) return Number(value);
  throw wrongType(describe(value), `DeleteOptions.${name}`, 'int64');
}

/** Where a whole number is due, a number of another form is shown. */
function describe(value: JsonValue): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `number ${value.toString()}`;
  return value instanceof Float ? `number ${value.value}` : goTypeName(value);
}

function preconditionsOf(body: JsonObject): Preconditions {
  const given = typedMember(body, 'preconditions', isJsonObject, 'v1.Preconditions');
  if (given === undefined) return {};
  const uid = typedMember(given, 'uid', isText, 'types.UID', 'Preconditions.preconditions.uid');
  const resourceVersion = typedMember(
    given,
    'resourceVersion',
    isText,
    'string',
    'Preconditions.preconditions.resourceVersion',
  );
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function textsMember(body: JsonObject, name: string): string[] {
  const list = typedMember(body, name, isJsonArray, '[]string') ?? [];
  return list.map((one) => {
    if (one === null) return '';
    if (typeof one === 'string') return one;
    throw wrongType(goTypeName(one), `DeleteOptions.${name}`, 'string');
  });
}

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;
const isPolicy = (text: string): text is PropagationPolicy => POLICIES.some((policy) => policy === text);

function validated(sent: Sent): DeleteOptions {
  const { propagationPolicy: policy, orphanDependents, gracePeriodSeconds, dryRun, preconditions } = sent;
  const errors: FieldError[] = [];
  if (policy !== undefined) {
    if (orphanDependents !== undefined) {
      errors.push(
        invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
      );
    }
    if (!isPolicy(policy)) errors.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  }
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  return {
    dryRun: dryRun.length > 0,
    // A negative grace period means one second. Source: apiserver registry/rest/delete.go.
    gracePeriodSeconds: gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds,
    orphanDependents,
    propagationPolicy: policy !== undefined && isPolicy(policy) ? policy : undefined,
    preconditions,
  };
}
