/** Where objects stand: `<prefix>[<namespace>/]<name>`, a prefix per resource. */

export interface Address {
  /** `/registry/<group>/<resource>/`, with the closing slash: what subscriptions go by. */
  readonly prefix: string;
  readonly key: string;
}

export interface KeyRange {
  /** Inclusive. */
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
}

/** @param namespace `''` for cluster-scoped resources */
export function addressOf(prefix: string, namespace: string, name: string): Address {
  return { prefix, key: namespace === '' ? prefix + name : `${prefix}${namespace}/${name}` };
}

/** All keys that begin with `text`, which ends in a slash. */
export function rangeOf(text: string): KeyRange {
  // '0' is the character after '/', so this is the first key that no longer begins with `text`.
  return { start: text, end: `${text.slice(0, -1)}0` };
}

/** The keys of a resource, or of one namespace of it. */
export function scopeRange(prefix: string, namespace: string | undefined): KeyRange {
  return rangeOf(namespace === undefined || namespace === '' ? prefix : `${prefix}${namespace}/`);
}

/** The first key after `key` in byte order: `key` and a NUL. */
export const keyAfter = (key: string): string => `${key}\0`;
