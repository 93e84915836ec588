/** Accept negotiation: which representation a client gets, or the 406 it gets instead. */
import { type GroupVersionKind } from '../ground/kind.js';
import { notAcceptable, type StatusError } from '../ground/status.js';
import { parseAccept, type AcceptClause } from './accept.js';
import { type Encoding, type Format } from './format.js';
import { firstValue, type Query } from './query.js';

/** What a client asked for with `as`, `g` and `v`; parts that it left out are `''`. */
export type Target = GroupVersionKind;

export interface Representation extends Encoding {
  /** Absent: the object as it is. */
  readonly target?: Target;
  /** The `profile` parameter, which only aggregated discovery reads. */
  readonly profile?: string;
}

export type Negotiated =
  | { readonly ok: true; readonly representation: Representation }
  | { readonly ok: false; readonly error: StatusError };

/** What an endpoint can answer with. */
export interface AcceptRules {
  /** In order of preference: the first is for clients that do not say. Not empty. */
  readonly formats: readonly Format[];
  /** Whether a format may carry a transformation (or, when undefined, the object as it is). */
  allows(format: Format, target: Target | undefined): boolean;
  /** The value of `sv` that is taken; absent: none. */
  readonly serverVersion?: string;
}

/** Every media type of the API, as 406 and 415 texts list them, whatever this server can write. */
export const MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const;

export const WATCH_MEDIA_TYPES = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
] as const;

const TABLE_MEDIA_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/yaml']);

function allowsTransformation(format: Format, { group, version, kind }: Target): boolean {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false;
  if (kind === 'Table') return TABLE_MEDIA_TYPES.has(format.mediaType);
  return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
}

/** Rules of a resource of a built-in kind. */
export const builtInRules = (formats: readonly Format[]): AcceptRules => ({
  formats,
  allows: (format, target) => target === undefined || allowsTransformation(format, target),
  serverVersion: 'v1',
});

/**
 * Rules of a custom resource: the objects themselves only in JSON and YAML, their metadata in any format.
 *
 * Source: apiserver endpoints/handlers/rest.go, AllowsMediaTypeTransform.
 */
export const customRules = (formats: readonly Format[]): AcceptRules => ({
  formats,
  allows: (format, target) =>
    target === undefined ? TABLE_MEDIA_TYPES.has(format.mediaType) : allowsTransformation(format, target),
  serverVersion: 'v1',
});

/** Rules of errors and of documents that cannot be transformed. */
export const plainRules = (formats: readonly Format[]): AcceptRules => ({
  formats,
  allows: (_format, target) => target === undefined,
});

/**
 * Chooses the representation.
 *
 * @param accept the first Accept header of the request; absent and empty are the same.
 * @param pretty whether the request asks for indentation (see `asksForPretty`); `pretty=1` in the clause asks too.
 * Errors: 406 that lists the media types (in the result, not thrown).
 * Source: apiserver endpoints/handlers/negotiation/negotiate.go.
 */
export function negotiate(accept: string | undefined, rules: AcceptRules, pretty: boolean): Negotiated {
  if (accept === undefined || accept === '') {
    const [format] = rules.formats;
    return format === undefined ? refused(MEDIA_TYPES) : { ok: true, representation: { format, pretty } };
  }
  // What most programs send: one type and nothing else.
  const exact = rules.formats.find((format) => format.mediaType === accept);
  if (exact !== undefined && rules.allows(exact, undefined)) {
    return { ok: true, representation: { format: exact, pretty } };
  }
  for (const clause of parseAccept(accept)) {
    for (const format of rules.formats) {
      if (!covers(clause, format.mediaType)) continue;
      const representation = represent(clause, format, rules, pretty);
      if (representation !== undefined) return { ok: true, representation };
    }
  }
  return refused(MEDIA_TYPES);
}

/**
 * The second negotiation of a watch: whether the representation chosen can be streamed.
 *
 * Errors: 406 that lists the streaming types.
 */
export function watchRefusal({ format }: Encoding): StatusError | undefined {
  return format.watchMediaType === undefined ? acceptedOnly(WATCH_MEDIA_TYPES) : undefined;
}

function refused(accepted: readonly string[]): Negotiated {
  return { ok: false, error: acceptedOnly(accepted) };
}

function acceptedOnly(accepted: readonly string[]): StatusError {
  return notAcceptable(`only the following media types are accepted: ${accepted.join(', ')}`);
}

function covers({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const [ownType, ownSubtype] = mediaType.split('/');
  if (type === '*') return subtype === '*';
  return type === ownType && (subtype === '*' || subtype === ownSubtype);
}

function represent(
  { parameters }: AcceptClause,
  format: Format,
  rules: AcceptRules,
  pretty: boolean,
): Representation | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || format.watchMediaType === undefined)) return undefined;
  const serverVersion = parameters.get('sv');
  if (serverVersion !== undefined && serverVersion !== rules.serverVersion) return undefined;

  const [kind, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  const target =
    kind === undefined && group === undefined && version === undefined
      ? undefined
      : { kind: kind ?? '', group: group ?? '', version: version ?? '' };
  if (!rules.allows(format, target)) return undefined;

  const profile = parameters.get('profile');
  return {
    format,
    pretty: pretty || parameters.get('pretty') === '1',
    ...(target === undefined ? {} : { target }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** Values of `pretty` that Go's strconv.ParseBool takes for true. */
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** User agents of people rather than programs: they get indented JSON. */
const READERS = ['curl', 'Wget', 'Mozilla/5.0'];

/** Whether a request asks for indented JSON, by `?pretty` or else by its User-Agent. */
export function asksForPretty(query: Query, userAgent: string | undefined): boolean {
  const asked = firstValue(query, 'pretty');
  if (asked !== undefined && asked !== '') return TRUE_WORDS.has(asked);
  return userAgent !== undefined && READERS.some((name) => userAgent.startsWith(name));
}
