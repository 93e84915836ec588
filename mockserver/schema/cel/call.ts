/** Calls: of the logic operators, whose arguments may stay unread, and of functions. */
import { CelError, noSuchOverload } from './cel-error.js';
import { type CallCost, callCost } from './call-cost.js';
import { type Argument, callEstimate } from './call-estimate.js';
import { type Compiled, type Run } from './compiled.js';
import { type Sized } from './declared-size.js';
import { valuesEqual } from './equality.js';
import { type Estimate, costing, joinedEntries, placed, sizeOf, sizeOfType, summed } from './estimate.js';
import { elementAt, elementIfAny, entryAt } from './library-operators.js';
import { type Overload } from './overload.js';
import { attempted } from './predicate.js';
import { ONE, joined } from './size.js';
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
import { checkWeight } from './weight.js';

/** Undefined when no overload takes such arguments. */
export function compiledCall(
  name: string,
  overloads: readonly Overload[],
  args: readonly Argument[],
  root: Sized | undefined,
): Compiled | undefined {
  const [a, b, c] = args.map(({ compiled }) => compiled);
  if (a !== undefined && b !== undefined) {
    if (name === '_&&_' || name === '_||_') return logic(a, b, name === '_||_');
    if (name === '_?_:_' && c !== undefined) return choice(a, b, c);
    if (name === '_[_]' || name === '_[?_]') return index(a, b, name === '_[?_]', root);
  }
  return functionCall(overloads, args, root);
}

const mayBeBool = (type: CelType): boolean => isDyn(type) || isSimple(type, 'bool');

/** An error on one side does not matter where the other side decides; of two, the first is told. */
function logic(a: Compiled, b: Compiled, deciding: boolean): Compiled | undefined {
  if (!mayBeBool(a.type) || !mayBeBool(b.type)) return undefined;
  const run: Run = (frame) => {
    const left = attempted(a.run, frame);
    if (left === deciding) return deciding;
    const right = attempted(b.run, frame);
    if (right === deciding) return deciding;
    if (left instanceof CelError) throw left;
    if (right instanceof CelError) throw right;
    return !deciding;
  };
  return { type: BOOL, run, estimate: costing(a.estimate.cost + b.estimate.cost, ONE) };
}

function choice(condition: Compiled, yes: Compiled, no: Compiled): Compiled | undefined {
  if (!mayBeBool(condition.type)) return undefined;
  const bindings: Bindings = new Map();
  const param: CelType = { kind: 'param', name: 'T' };
  if (!isAssignable(param, yes.type, bindings) || !isAssignable(param, no.type, bindings)) return undefined;
  const type = isDyn(yes.type) || isDyn(no.type) ? DYN : substituted(param, bindings);
  const run: Run = (frame) => {
    const value = condition.run(frame);
    if (typeof value !== 'boolean') throw noSuchOverload();
    return value ? yes.run(frame) : no.run(frame);
  };
  const cost = summed([condition.estimate.cost, Math.max(yes.estimate.cost, no.estimate.cost)]);
  const estimate = {
    ...costing(cost, joined(sizeOf(yes.estimate), sizeOf(no.estimate))),
    entry: joinedEntries(yes.estimate.entry, no.estimate.entry),
  };
  return { type, run, estimate };
}

function index(
  operand: Compiled,
  place: Compiled,
  optional: boolean,
  root: Sized | undefined,
): Compiled | undefined {
  const chained = operand.type.kind === 'optional';
  const type = indexedType(operand.type.kind === 'optional' ? operand.type.value : operand.type, place.type);
  if (type === undefined) return undefined;
  const cost = summed([operand.estimate.cost, place.estimate.cost, 1]);
  if (!optional && !chained) {
    const { entry, place: from } = operand.estimate;
    const to = from.below(operand.type.kind === 'map' ? '@values' : '@items');
    const known = entry?.value;
    const bare = placed(cost, to, root, sizeOfType(type));
    return {
      type,
      estimate: known === undefined ? bare : { ...bare, size: () => known },
      run: (frame) => {
        const value = operand.run(frame);
        const at = place.run(frame);
        frame.spend(1);
        if (value instanceof ListValue) return elementAt(value.elements, at);
        if (isMapValue(value)) return entryAt(value, at);
        if (value instanceof OptionalValue) return indexedOptional(value, at);
        throw noSuchOverload();
      },
    };
  }
  const run: Run = (frame) => {
    frame.spend(1);
    return indexedOptional(operand.run(frame), place.run(frame));
  };
  const result = type.kind === 'optional' ? type : optionalOf(type);
  return { type: result, run, estimate: costing(cost, sizeOfType(result)) };
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

function functionCall(
  overloads: readonly Overload[],
  args: readonly Argument[],
  root: Sized | undefined,
): Compiled | undefined {
  const fitting: Overload[] = [];
  const results: CelType[] = [];
  for (const one of overloads) {
    const bindings: Bindings = new Map();
    if (one.params.length !== args.length) continue;
    if (!one.params.every((param, i) => isAssignable(param, args[i]?.compiled.type ?? DYN, bindings)))
      continue;
    fitting.push(one);
    results.push(substituted(one.result, bindings));
  }
  const [first] = fitting;
  const [result = DYN] = results;
  if (first === undefined) return undefined;
  const same = results.every((one) => sameType(one, result));
  const type = same ? result : DYN;
  const run = runOf(
    fitting,
    first,
    args.map(({ compiled }) => compiled.run),
  );
  return { type, run, estimate: functionEstimate(fitting, args, type, root) };
}

function functionEstimate(
  fitting: readonly Overload[],
  args: readonly Argument[],
  type: CelType,
  root: Sized | undefined,
): Estimate {
  const name = fitting[0]?.name;
  const [a, b] = args.map(({ compiled }) => compiled.estimate);
  const own = callEstimate(fitting, args, root);
  const cost = summed([own.cost, ...args.map(({ compiled }) => compiled.estimate.cost)]);
  if (name === 'dyn') return { ...costing(cost, a?.size()), entry: a?.entry };
  const entry = name === '_+_' ? joinedEntries(a?.entry, b?.entry) : undefined;
  return { ...costing(cost, own.size ?? sizeOfType(type)), entry };
}

const sameType = (a: CelType, b: CelType): boolean =>
  isAssignable(a, b, new Map()) && isAssignable(b, a, new Map()) && isDyn(a) === isDyn(b);

function runOf(fitting: readonly Overload[], first: Overload, args: readonly Run[]): Run {
  const [a = NOTHING, b = NOTHING, c = NOTHING, d = NOTHING] = args;
  const cost = callCost(first.name) ?? oneUnit;
  const { evaluate, name } = first;
  const isEquality = name === '_==_' || name === '_!=_';
  const goesDeep = COMPARING.has(name);
  // Functions check what they are given, so that a single one need not be chosen.
  if (fitting.length === 1 && args.length <= 2) {
    return (frame) => {
      const left = a(frame);
      const right = b(frame);
      // Before it is called, so that a call that is too dear does not happen.
      frame.spend(cost(left, right));
      if (goesDeep) checkWeight(left, right);
      if (isEquality) return valuesEqual(left, right) === (name === '_==_');
      return evaluate(left, right, null, null);
    };
  }
  return (frame) => {
    const values = [a(frame), b(frame), c(frame), d(frame)] as const;
    frame.spend(cost(values[0], values[1], values[2]));
    if (fitting.length === 1) return evaluate(...values);
    const chosen = fitting.find(({ params }) =>
      params.every((param, i) => isOfType(values[i] ?? null, param)),
    );
    if (chosen === undefined) throw noSuchOverload();
    return chosen.evaluate(...values);
  };
}

/** Functions that compare all that their arguments hold. */
const COMPARING: ReadonlySet<string> = new Set([
  '_==_',
  '_!=_',
  '@in',
  'indexOf',
  'lastIndexOf',
  'distinct',
  'sets.contains',
  'sets.equivalent',
  'sets.intersects',
]);

const NOTHING: Run = () => null;
const oneUnit: CallCost = () => 1;
