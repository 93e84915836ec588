/** How often an image is pulled when nothing is said, from its reference. */

/** Hosts and paths as the reference library of container images takes them. */
const PATH_PART = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const HOST_PART = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const HOST = new RegExp(`^(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const REMAINDER = new RegExp(`^(${PATH_PART}(?:/${PATH_PART})*)(?::(\\w[\\w.-]{0,127}))?(?:@(.+))?$`);
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const IDENTIFIER = /^[a-f0-9]{64}$/;
const LONGEST_PATH = 255;

/**
 * `Always` for the tag `latest`, written or meant; `IfNotPresent` for any other tag, for a digest, and for what is no
 * reference.
 *
 * Source: kubernetes pkg/util/parsers/parsers.go, ParseImageName; distribution/reference normalize.go, regexp.go.
 */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  return isLatest(image) ? 'Always' : 'IfNotPresent';
}

function isLatest(image: string): boolean {
  if (IDENTIFIER.test(image)) return false;
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const hasHost =
    slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  if (hasHost && !HOST.test(first)) return false;
  const parts = REMAINDER.exec(hasHost ? image.slice(slash + 1) : image);
  if (parts === null) return false;
  const [, path = '', tag, digest] = parts;
  if (path.length > LONGEST_PATH || (digest !== undefined && !DIGEST.test(digest))) return false;
  return tag === undefined ? digest === undefined : tag === 'latest';
}
