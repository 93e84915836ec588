/** Which of two API versions is the better one. */

interface Ranked {
  /** 3 = `v1`, 2 = `v1beta1`, 1 = `v1alpha1`, 0 = any other name. */
  readonly stage: number;
  readonly major: number;
  readonly minor: number;
}

const FORM = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

function rank(version: string): Ranked {
  const match = FORM.exec(version);
  if (match === null) return { stage: 0, major: 0, minor: 0 };
  const stage = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

/**
 * Orders versions, best first: released, beta, alpha, each by falling numbers, then other names by the alphabet.
 *
 * `v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10`.
 * Source: apimachinery version/helpers.go, CompareKubeAwareVersionStrings.
 */
export function compareVersions(a: string, b: string): number {
  const x = rank(a);
  const y = rank(b);
  if (x.stage !== y.stage) return y.stage - x.stage;
  if (x.stage === 0) return a < b ? -1 : a > b ? 1 : 0;
  return y.major - x.major || y.minor - x.minor;
}
