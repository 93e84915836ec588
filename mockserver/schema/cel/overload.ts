/** Functions of expressions: what they take and give, and how they are evaluated. */
import { type CelType, parseType, splitTypes } from './types.js';
import { type Value } from './values.js';

/** Never given fewer values than the signature names. Errors: a CelError. */
type Evaluate = (a: Value, b: Value, c: Value, d: Value) => Value;

export interface Overload {
  readonly name: string;
  /** Called on a value, which is then the first parameter. */
  readonly isMethod: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly evaluate: Evaluate;
}

const SIGNATURE = /^(.+)\((.*)\): (.+)$/;

/** @param signature `size(string): int`, `sets.contains(list(T), list(T)): bool`, `_+_(int, int): int` */
export function func(signature: string, evaluate: Evaluate): Overload {
  const { name, params, result } = parts(signature.indexOf('('), signature);
  return { name, isMethod: false, params, result, evaluate };
}

/** @param signature `string.startsWith(string): bool`, `list(T).indexOf(T): int` */
export function method(signature: string, evaluate: Evaluate): Overload {
  // The receiver may have parentheses of its own, and the dot stands after them.
  const dot = /^[a-z]+(?:\((?:[^()]|\([^()]*\))*\))?\./.exec(signature)?.[0].length ?? 0;
  const receiver = parseType(signature.slice(0, dot - 1));
  const rest = signature.slice(dot);
  const { name, params, result } = parts(rest.indexOf('('), rest);
  return { name, isMethod: true, params: [receiver, ...params], result, evaluate };
}

function parts(
  open: number,
  signature: string,
): { readonly name: string; readonly params: readonly CelType[]; readonly result: CelType } {
  if (!SIGNATURE.test(signature)) throw new TypeError(`no signature: ${signature}`);
  const end = signature.lastIndexOf('): ');
  return {
    name: signature.slice(0, open),
    params: splitTypes(signature.slice(open + 1, end)).map(parseType),
    result: parseType(signature.slice(end + 3)),
  };
}

/** For each of the types in turn, which stand for `T` in signatures. */
export const forEachType = (
  types: readonly string[],
  make: (type: string) => readonly Overload[],
): readonly Overload[] => types.flatMap(make);
