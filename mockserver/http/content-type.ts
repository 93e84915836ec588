/** The Content-Type of request bodies: which decoder reads them, or the 415. */
import { unsupportedMediaType, type StatusError } from '../ground/status.js';
import { MEDIA_TYPES } from './negotiation.js';
import { BUILT_IN_PATCH_TYPES } from './route-checks.js';

export type BodyType = (typeof MEDIA_TYPES)[number];
export type PatchType = (typeof BUILT_IN_PATCH_TYPES)[number];

export type ChosenType<T> =
  { readonly ok: true; readonly type: T } | { readonly ok: false; readonly error: StatusError };

const CUSTOM_PATCH_TYPES: readonly PatchType[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

/**
 * The type of a POST, PUT or DELETE body; absent and empty mean JSON. Upper case and parameters do not matter, but a
 * header that is not well-formed (`application/json; charset`) is refused.
 *
 * Source: apiserver endpoints/handlers/negotiation, NegotiateInputSerializer.
 */
export function bodyType(contentType: string | undefined): ChosenType<BodyType> {
  if (contentType === undefined || contentType === '') return { ok: true, type: 'application/json' };
  const given = parseMediaType(contentType);
  const type = MEDIA_TYPES.find((known) => known === given);
  return type === undefined ? refused(MEDIA_TYPES) : { ok: true, type };
}

/**
 * The type of a PATCH body. Only parameters are cut off, so upper case is refused here.
 *
 * Source: apiserver endpoints/handlers/patch.go, PatchResource.
 */
export function patchType(
  contentType: string | undefined,
  kind: 'built-in' | 'custom',
): ChosenType<PatchType> {
  const known = kind === 'built-in' ? BUILT_IN_PATCH_TYPES : CUSTOM_PATCH_TYPES;
  const given = (contentType ?? '').split(';')[0] ?? '';
  const type = known.find((one) => one === given);
  return type === undefined ? refused(known) : { ok: true, type };
}

function refused(accepted: readonly string[]): { readonly ok: false; readonly error: StatusError } {
  return {
    ok: false,
    error: unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    ),
  };
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(.*)$`, 's');
const PARAMETER = new RegExp(`^;\\s*(${TOKEN})\\s*=\\s*(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")\\s*`, 's');

/** The media type in lower case; undefined when the header is not well-formed. Source: Go mime.ParseMediaType. */
function parseMediaType(header: string): string | undefined {
  const match = MEDIA_TYPE.exec(header);
  if (match?.[1] === undefined) return undefined;
  const names = new Set<string>();
  let rest = match[2] ?? '';
  while (rest !== '') {
    // One semicolon too many at the end is let through.
    if (/^;\s*$/.test(rest)) break;
    const parameter = PARAMETER.exec(rest);
    if (parameter?.[1] === undefined) return undefined;
    const name = parameter[1].toLowerCase();
    if (names.has(name)) return undefined;
    names.add(name);
    rest = rest.slice(parameter[0].length);
  }
  return match[1].toLowerCase();
}
