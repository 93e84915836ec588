/** Reading an Accept header, in the two ways in which a real server reads it. */

/** One alternative of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; a clause with 0 is not refused, it only comes last. */
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The types in which API objects are written, best first. */
export const OBJECT_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/**
 * The clauses of an Accept header, preferred ones first; equally good ones stay in their order.
 *
 * Shape: empty for an empty header; clauses that cannot be read are left out. Names and types are case-sensitive.
 * Source: goautoneg, ParseAccept.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const [range = '', ...rest] = part.split(';');
    const [type = '', subtype, ...more] = range.split('/').map(trimBlanks);
    if (more.length > 0 || (type !== '*' && (subtype ?? '') === '')) continue;
    const parameters = new Map<string, string>();
    let quality = 1;
    for (const parameter of rest) {
      const [name = '', value, ...excess] = parameter.split('=').map(trimBlanks);
      if (value === undefined || value === '' || excess.length > 0) continue;
      if (name === 'q') quality = Number.isNaN(Number(value)) ? 0 : Number(value);
      else parameters.set(name, value);
    }
    clauses.push({
      type,
      subtype: subtype === undefined || subtype === '' ? '*' : subtype,
      quality,
      parameters,
    });
  }
  return clauses.sort(
    (a, b) =>
      b.quality - a.quality ||
      Number(a.type === '*') - Number(b.type === '*') ||
      Number(a.subtype === '*') - Number(b.subtype === '*'),
  );
}

const trimBlanks = (text: string): string => text.replace(/^ +| +$/g, '');

/** The object that a clause asks for instead of the normal one: `as`, `g` and `v`. */
export interface Conversion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Negotiated {
  readonly type: ObjectType;
  readonly conversion?: Conversion;
  /** `pretty=1` at the clause. */
  readonly pretty: boolean;
}

/**
 * The type to answer in; undefined when no clause will do (406).
 *
 * An absent or empty header means JSON. `allows` says whether the object may be converted as the clause asks, or be
 * left as it is (undefined) when the clause does not ask; without `allows` nothing can be converted.
 * Source: apiserver negotiation/negotiate.go, NegotiateMediaTypeOptions.
 */
export function negotiate(
  header: string,
  allows: (conversion: Conversion | undefined) => boolean = (conversion) => conversion === undefined,
): Negotiated | undefined {
  if (header === '') return { type: OBJECT_TYPES[0], pretty: false };
  for (const clause of parseAccept(header)) {
    for (const type of OBJECT_TYPES) {
      if (!matches(clause, type)) continue;
      const { parameters } = clause;
      const stream = parameters.get('stream');
      if ((stream !== undefined && stream !== 'watch') || parameters.has('sv')) continue;
      const pretty = parameters.get('pretty') === '1';
      if (!['as', 'g', 'v'].some((name) => parameters.has(name))) {
        if (allows(undefined)) return { type, pretty };
        continue;
      }
      const conversion = {
        group: parameters.get('g') ?? '',
        version: parameters.get('v') ?? '',
        kind: parameters.get('as') ?? '',
      };
      if (allows(conversion)) return { type, conversion, pretty };
    }
  }
  return undefined;
}

function matches(clause: AcceptClause, mediaType: string): boolean {
  if (clause.type === '*' && clause.subtype === '*') return true;
  const [type, subtype] = mediaType.split('/');
  return clause.type === type && (clause.subtype === subtype || clause.subtype === '*');
}

/**
 * Whether a route of the built-in paths produces what the client accepts. Only `*\/*` stands for others here:
 * `application/*` matches nothing.
 *
 * Source: go-restful route.go, matchesAccept.
 */
export function routeAccepts(header: string, produces: readonly string[]): boolean {
  if (header === '') return true;
  return header.split(',').some((part) => {
    const type = trimBlanks(part.split(';')[0] ?? '');
    return type === '*/*' || produces.includes(type);
  });
}

/**
 * Whether a route of the built-in paths takes a body of this type. A route that names no types takes any, and so
 * does a request without a type whose method needs no body.
 *
 * Source: go-restful route.go, matchesContentType.
 */
export function routeConsumes(contentType: string, consumes: readonly string[]): boolean {
  if (contentType === '' || consumes.length === 0) return true;
  return contentType.split(',').some((part) => {
    const type = trimBlanks(part.split(';')[0] ?? '');
    return type === '*/*' || consumes.includes(type);
  });
}
