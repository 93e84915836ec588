/** `/clusters/<name>`: the path prefix under which isolated clusters are served. */

export interface ClusterTarget {
  /** Absent: the default cluster. Decoded. */
  readonly cluster?: string;
  /** The target without the prefix; begins with a slash when there was one. */
  readonly url: string;
}

/**
 * Takes the prefix off the target of a request line.
 *
 * Shape: `/clusters/a/api?x` → cluster `a`, url `/api?x`; `/clusters/a` → url `/`. A target without the prefix, or with
 * an empty or wrongly escaped name, comes back as it is.
 */
export function splitCluster(rawUrl: string): ClusterTarget {
  const match = /^\/clusters\/([^/?]+)(?=\/|\?|$)/.exec(rawUrl);
  if (match?.[1] === undefined) return { url: rawUrl };
  let cluster: string;
  try {
    cluster = decodeURIComponent(match[1]);
  } catch {
    return { url: rawUrl };
  }
  const rest = rawUrl.slice(match[0].length);
  return { cluster, url: rest.startsWith('/') ? rest : `/${rest}` };
}
