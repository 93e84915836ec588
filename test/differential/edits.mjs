/** Changes of JSON values by path; values are never changed in place. */

/** The value at a path; undefined where there is none. */
export function valueAt(value, path) {
  let at = value;
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** A copy with `to` at the path, objects made on the way; an `undefined` removes. */
export function edited(value, path, to) {
  if (path.length === 0) return to;
  const [key, ...rest] = path;
  const known = value !== null && typeof value === 'object';
  if (to === undefined && (!known || !Object.hasOwn(value, key))) return value;
  const copy = known ? (Array.isArray(value) ? [...value] : { ...value }) : {};
  const next = edited(known && Object.hasOwn(value, key) ? value[key] : undefined, rest, to);
  if (next !== undefined) copy[key] = next;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}

/** Every path to a value inside, outermost first. */
export function pathsOf(value, path = []) {
  if (value === null || typeof value !== 'object') return path.length > 0 ? [path] : [];
  const keys = Array.isArray(value) ? value.map((_, i) => i) : Object.keys(value);
  return [...(path.length > 0 ? [path] : []), ...keys.flatMap((key) => pathsOf(value[key], [...path, key]))];
}
