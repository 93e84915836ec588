/** Calls: of the logic operators, whose arguments may stay unread, and of functions. */
import { CelError, noSuchOverload } from './cel-error.js';
import { type Compiled, type Run } from './compiled.js';
import { valuesEqual } from './equality.js';
import { elementAt, elementIfAny, entryAt } from './library-operators.js';
import { type Overload } from './overload.js';
import {
  BOOL,
  type Bindings,
  type CelType,
  DYN,
  isAssignable,
  isDyn,
  isOfType,
  isSimple,
  optionalOf,
  substituted,
} from './types.js';
import { ListValue, OptionalValue, type Value, isMapValue, plainText } from './values.js';

/** Undefined when no overload takes such arguments. */
export function compiledCall(
  name: string,
  overloads: readonly Overload[],
  args: readonly Compiled[],
): Compiled | undefined {
  const [a, b, c] = args;
  if (a !== undefined && b !== undefined) {
    if (name === '_&&_' || name === '_||_') return logic(a, b, name === '_||_');
    if (name === '_?_:_' && c !== undefined) return choice(a, b, c);
    if (name === '_[_]' || name === '_[?_]') return index(a, b, name === '_[?_]');
  }
  return functionCall(overloads, args);
}

const mayBeBool = (type: CelType): boolean => isDyn(type) || isSimple(type, 'bool');

/** An error on one side does not matter where the other side decides. */
function logic(a: Compiled, b: Compiled, deciding: boolean): Compiled | undefined {
  if (!mayBeBool(a.type) || !mayBeBool(b.type)) return undefined;
  const left = a.run;
  const right = b.run;
  const run: Run = (slots) => {
    let error: CelError | undefined;
    try {
      const value = left(slots);
      if (value === deciding) return deciding;
      if (typeof value !== 'boolean') error = noSuchOverload();
    } catch (caught) {
      if (!(caught instanceof CelError)) throw caught;
      error = caught;
    }
    const value = right(slots);
    if (value === deciding) return deciding;
    if (error !== undefined) throw error;
    if (typeof value !== 'boolean') throw noSuchOverload();
    return value;
  };
  return { type: BOOL, run };
}

function choice(condition: Compiled, yes: Compiled, no: Compiled): Compiled | undefined {
  if (!mayBeBool(condition.type)) return undefined;
  const bindings: Bindings = new Map();
  const param: CelType = { kind: 'param', name: 'T' };
  if (!isAssignable(param, yes.type, bindings) || !isAssignable(param, no.type, bindings)) return undefined;
  const type = isDyn(yes.type) || isDyn(no.type) ? DYN : substituted(param, bindings);
  const run: Run = (slots) => {
    const value = condition.run(slots);
    if (typeof value !== 'boolean') throw noSuchOverload();
    return value ? yes.run(slots) : no.run(slots);
  };
  return { type, run };
}

function index(operand: Compiled, place: Compiled, optional: boolean): Compiled | undefined {
  const chained = operand.type.kind === 'optional';
  const type = indexedType(operand.type.kind === 'optional' ? operand.type.value : operand.type, place.type);
  if (type === undefined) return undefined;
  if (!optional && !chained) {
    return {
      type,
      run: (slots) => {
        const value = operand.run(slots);
        const at = place.run(slots);
        if (value instanceof ListValue) return elementAt(value.elements, at);
        if (isMapValue(value)) return entryAt(value, at);
        if (value instanceof OptionalValue) return indexedOptional(value, at);
        throw noSuchOverload();
      },
    };
  }
  const run: Run = (slots) => indexedOptional(operand.run(slots), place.run(slots));
  return { type: type.kind === 'optional' ? type : optionalOf(type), run };
}

function indexedOptional(value: Value, place: Value): Value {
  const inner = value instanceof OptionalValue ? value.value : value;
  if (inner === undefined) return new OptionalValue(undefined);
  let found: Value | undefined;
  if (inner instanceof ListValue) found = elementIfAny(inner.elements, place);
  else if (isMapValue(inner)) found = inner.find(place);
  else throw new CelError(`no such key: ${plainText(place)}`);
  return found instanceof OptionalValue ? found : new OptionalValue(found);
}

function indexedType(type: CelType, place: CelType): CelType | undefined {
  if (isDyn(type)) return DYN;
  if (type.kind === 'list') return isDyn(place) || isSimple(place, 'int') ? type.element : undefined;
  if (type.kind !== 'map') return undefined;
  return isAssignable(type.key, place, new Map()) ? type.value : undefined;
}

function functionCall(overloads: readonly Overload[], args: readonly Compiled[]): Compiled | undefined {
  const fitting: Overload[] = [];
  const results: CelType[] = [];
  for (const one of overloads) {
    const bindings: Bindings = new Map();
    if (one.params.length !== args.length) continue;
    if (!one.params.every((param, i) => isAssignable(param, args[i]?.type ?? DYN, bindings))) continue;
    fitting.push(one);
    results.push(substituted(one.result, bindings));
  }
  const [first] = fitting;
  const [result = DYN] = results;
  if (first === undefined) return undefined;
  const same = results.every((one) => sameType(one, result));
  return { type: same ? result : DYN, run: runOf(fitting, first, args) };
}

const sameType = (a: CelType, b: CelType): boolean =>
  isAssignable(a, b, new Map()) && isAssignable(b, a, new Map()) && isDyn(a) === isDyn(b);

function runOf(fitting: readonly Overload[], first: Overload, args: readonly Compiled[]): Run {
  const [a = NOTHING, b = NOTHING, c = NOTHING, d = NOTHING] = args.map((one) => one.run);
  if (first.name === '_==_') return (slots) => valuesEqual(a(slots), b(slots));
  if (first.name === '_!=_') return (slots) => !valuesEqual(a(slots), b(slots));
  const { evaluate } = first;
  // Functions check what they are given, so that a single one need not be chosen.
  if (fitting.length === 1) {
    if (args.length === 1) return (slots) => evaluate(a(slots), null, null, null);
    if (args.length === 2) return (slots) => evaluate(a(slots), b(slots), null, null);
    return (slots) => evaluate(a(slots), b(slots), c(slots), d(slots));
  }
  return (slots) => {
    const values = [a(slots), b(slots), c(slots), d(slots)] as const;
    const chosen = fitting.find(({ params }) =>
      params.every((param, i) => isOfType(values[i] ?? null, param)),
    );
    if (chosen === undefined) throw noSuchOverload();
    return chosen.evaluate(...values);
  };
}

const NOTHING: Run = () => null;
