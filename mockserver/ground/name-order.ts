/** The order of names in YAML: as people sort them, `a2` before `a10`. */

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/** Whether runs of digits compare as numbers and letters come after anything else. Source: yaml.v2 sorter.go. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return isLess(Array.from(a), Array.from(b)) ? -1 : 1;
}

function isLess(a: readonly string[], b: readonly string[]): boolean {
  const point = (chars: readonly string[], at: number): number => chars[at]?.codePointAt(0) ?? 0;
  const isDigitAt = (chars: readonly string[], at: number): boolean => DIGIT.test(chars[at] ?? '');
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] === b[i]) continue;
    const [letterA, letterB] = [LETTER.test(a[i] ?? ''), LETTER.test(b[i] ?? '')];
    if (letterA && letterB) return point(a, i) < point(b, i);
    if (letterA || letterB) return letterB;
    let [numberA, numberB] = [0n, 0n];
    if (a[i] === '0' || b[i] === '0') {
      for (let j = i - 1; j >= 0 && isDigitAt(a, j); j--) {
        if (a[j] !== '0') {
          numberA = numberB = 1n;
          break;
        }
      }
    }
    let endA = i;
    for (; endA < a.length && isDigitAt(a, endA); endA++)
      numberA = int64(numberA * 10n + BigInt(point(a, endA) - 48));
    let endB = i;
    for (; endB < b.length && isDigitAt(b, endB); endB++)
      numberB = int64(numberB * 10n + BigInt(point(b, endB) - 48));
    if (numberA !== numberB) return numberA < numberB;
    if (endA !== endB) return endA < endB;
    return point(a, i) < point(b, i);
  }
  return a.length < b.length;
}

/** Long runs of digits overflow as Go's do. */
const int64 = (value: bigint): bigint => BigInt.asIntN(64, value);
