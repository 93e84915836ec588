/** The order of API versions: v2, v1, v1beta2, v1beta1, v1alpha1, then all others by their letters. */

const FORM = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/**
 * Negative when `a` comes before `b`: it is preferred.
 *
 * Source: apimachinery version/helpers.go, CompareKubeAwareVersionStrings (with the sign turned).
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rank(a), rank(b)];
  if (x === undefined || y === undefined) {
    if (x !== undefined) return -1;
    if (y !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  for (let i = 0; i < 3; i++) {
    const difference = (y[i] ?? 0) - (x[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stability, major and minor number. */
function rank(version: string): readonly number[] | undefined {
  const match = FORM.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor ?? 0)];
}
