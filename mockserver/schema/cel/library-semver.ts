/** Functions of semantic versions. Source: apiserver pkg/cel/library/semverlib.go; semver.org 2.0.0. */
import { CelError, noSuchOverload } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { bool, text } from './readers.js';
import { Opaque, type Value } from './values.js';

class SemverValue extends Opaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];
  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
  equals(other: Opaque): boolean {
    return other instanceof SemverValue && compared(this, other) === 0;
  }
}

const NUMBER = /^(?:0|[1-9][0-9]*)$/;
const WORD = /^[0-9A-Za-z-]+$/;

/** Errors: the words of blang/semver. */
function parse(source: string): SemverValue {
  if (source === '') throw new CelError('Version string empty');
  const parts = source.split('.');
  const [major = '', minor = ''] = parts;
  if (parts.length < 3) throw new CelError('No Major.Minor.Patch elements found');
  const rest = parts.slice(2).join('.');
  const [withoutBuild = ''] = rest.split('+', 1);
  const build = rest.includes('+') ? rest.slice(rest.indexOf('+') + 1).split('.') : [];
  const dash = withoutBuild.indexOf('-');
  const patch = dash < 0 ? withoutBuild : withoutBuild.slice(0, dash);
  const prerelease = dash < 0 ? [] : withoutBuild.slice(dash + 1).split('.');
  const numbers = [numberOf(major, 'major'), numberOf(minor, 'minor'), numberOf(patch, 'patch')];
  for (const one of prerelease) {
    if (one === '') throw new CelError('prerelease is empty');
    if (/^[0-9]+$/.test(one) && !NUMBER.test(one))
      throw new CelError(`numeric PreRelease version must not contain leading zeroes "${one}"`);
    if (!WORD.test(one)) throw new CelError(`Invalid character(s) found in prerelease "${one}"`);
  }
  for (const one of build) {
    if (one === '') throw new CelError('build meta data is empty');
    if (!WORD.test(one)) throw new CelError(`Invalid character(s) found in build meta data "${one}"`);
  }
  return new SemverValue(numbers, prerelease);
}

function numberOf(source: string, name: string): bigint {
  if (!/^[0-9]+$/.test(source))
    throw new CelError(`Invalid character(s) found in ${name} number "${source}"`);
  if (!NUMBER.test(source)) {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    throw new CelError(`${title} number must not contain leading zeroes "${source}"`);
  }
  return BigInt(source);
}

/** Without a leading `v`, with what is missing of three numbers, without leading zeros. */
function normalized(source: string): string {
  const parts = source.replace(/^v/, '').split('.');
  const three = [...parts.slice(0, 2), ...(parts.length > 2 ? [parts.slice(2).join('.')] : [])].map((part) =>
    part.length > 1 ? part.replace(/^0+(?=[0-9])/, '').replace(/^0+(?=[^0-9]|$)/, '0') : part,
  );
  if (three.length < 3) {
    if (/[+-]/.test(three.at(-1) ?? ''))
      throw new CelError('Short version cannot contain PreRelease/Build meta data');
    while (three.length < 3) three.push('0');
  }
  return three.join('.');
}

const read = (source: string, normalize: boolean): SemverValue =>
  parse(normalize ? normalized(source) : source);

function isSemver(source: string, normalize: boolean): boolean {
  try {
    read(source, normalize);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

function compared(a: SemverValue, b: SemverValue): number {
  for (const [i, one] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (one !== other) return one < other ? -1 : 1;
  }
  // A release comes after what was before it.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length) - Math.sign(a.prerelease.length);
  }
  for (const [i, one] of a.prerelease.entries()) {
    const other = b.prerelease[i];
    if (other === undefined) return 1;
    const order = comparedParts(one, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

function comparedParts(a: string, b: string): number {
  const [left, right] = [NUMBER.test(a), NUMBER.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function semver(value: Value): SemverValue {
  if (value instanceof SemverValue) return value;
  throw noSuchOverload();
}

const numberAt = (value: Value, i: number): bigint => semver(value).numbers[i] ?? 0n;

export const SEMVER_LIBRARY: readonly Overload[] = [
  func('semver(string): semver', (a) => read(text(a), false)),
  func('semver(string, bool): semver', (a, b) => read(text(a), bool(b))),
  func('isSemver(string): bool', (a) => isSemver(text(a), false)),
  func('isSemver(string, bool): bool', (a, b) => isSemver(text(a), bool(b))),
  method('semver.isGreaterThan(semver): bool', (a, b) => compared(semver(a), semver(b)) > 0),
  method('semver.isLessThan(semver): bool', (a, b) => compared(semver(a), semver(b)) < 0),
  method('semver.compareTo(semver): int', (a, b) => BigInt(compared(semver(a), semver(b)))),
  method('semver.major(): int', (a) => numberAt(a, 0)),
  method('semver.minor(): int', (a) => numberAt(a, 1)),
  method('semver.patch(): int', (a) => numberAt(a, 2)),
];
