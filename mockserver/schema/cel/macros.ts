/** Macros: expressions evaluated for each element of a range. Source: cel-go parser/macro.go, ext/comprehensions.go. */
import { type Macro, type MacroName } from './ast.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { sortCost } from './call-cost.js';
import { type Compiled, type Run } from './compiled.js';
import { compareValues } from './equality.js';
import { type Frame } from './frame.js';
import { macroEstimate } from './macro-estimate.js';
import { attempted, holds } from './predicate.js';
import { MAKES_LIST, type Size } from './size.js';
import { BOOL, type CelType, DYN, isDyn, isSimple, listOf, mapOf, optionalOf, simple } from './types.js';
import { EntryMap, ListValue, OptionalValue, type Value, isMapValue } from './values.js';

/** Types of the variables; undefined when the range is none. */
export function macroRange(name: MacroName, type: CelType, count: number): readonly CelType[] | undefined {
  if (isDyn(type)) return [DYN, DYN];
  if (name === 'optMap' || name === 'optFlatMap') return type.kind === 'optional' ? [type.value] : undefined;
  if (type.kind === 'list') return count === 1 ? [type.element] : [simple('int'), type.element];
  if (type.kind === 'map' && name !== 'sortBy') return count === 1 ? [type.key] : [type.key, type.value];
  return undefined;
}

/** `expected`: what an argument should have been. */
type MacroResult = Compiled | { readonly expected: string };

export interface MacroVariables {
  /** Slot of the first one. */
  readonly slot: number;
  /** How large its value may be. */
  readonly size: Size | undefined;
}

export function compiledMacro(
  macro: Macro,
  range: Compiled,
  args: readonly Compiled[],
  { slot, size }: MacroVariables,
): MacroResult {
  const bare = uncosted(macro, range, args, slot);
  if ('expected' in bare) return bare;
  const last = args.at(-1) ?? range;
  const condition = args.length === 2 ? args[0] : undefined;
  return { ...bare, estimate: macroEstimate(macro.name, range, size, condition, last) };
}

function uncosted(
  { name, variables }: Macro,
  range: Compiled,
  args: readonly Compiled[],
  slot: number,
): Omit<Compiled, 'estimate'> | { readonly expected: string } {
  const last = args.at(-1);
  const [condition] = args.length === 2 ? args : [];
  if (last === undefined) return { expected: 'an argument' };
  const isBool = ({ type }: Compiled): boolean => isDyn(type) || isSimple(type, 'bool');
  if (condition !== undefined && !isBool(condition)) return { expected: 'a bool' };
  const loop: Loop = { range: range.run, slot, count: variables.length, around: AROUND[name] ?? 1 };
  switch (name) {
    case 'all':
    case 'exists':
      return isBool(last)
        ? { type: BOOL, run: quantified(loop, last.run, name === 'exists') }
        : { expected: 'a bool' };
    case 'existsOne':
      return isBool(last) ? { type: BOOL, run: exactlyOne(loop, last.run) } : { expected: 'a bool' };
    case 'filter':
      return isBool(last)
        ? { type: filtered(range.type), run: filter(loop, last.run) }
        : { expected: 'a bool' };
    case 'map':
    case 'transformList':
      return { type: listOf(last.type), run: collected(loop, condition?.run, last.run) };
    case 'transformMap': {
      const key =
        range.type.kind === 'list' ? simple('int') : range.type.kind === 'map' ? range.type.key : DYN;
      return { type: mapOf(key, last.type), run: mapped(loop, condition?.run, last.run, false) };
    }
    case 'transformMapEntry':
      if (!isDyn(last.type) && last.type.kind !== 'map') return { expected: 'a map' };
      return { type: last.type, run: mapped(loop, condition?.run, last.run, true) };
    case 'sortBy':
      return { type: range.type, run: sorted(loop, last.run) };
    case 'optMap':
      return { type: optionalOf(last.type), run: onOptional(loop, last.run, true) };
    case 'optFlatMap':
      return { type: last.type, run: onOptional(loop, last.run, false) };
  }
}

/** Units before the first round and after the last. */
const AROUND: Partial<Record<MacroName, number>> = {
  existsOne: 2,
  filter: 1,
  map: 1,
  transformMap: 1,
  transformMapEntry: 1,
  sortBy: 3,
};
/** A list of one is made and added to the result so far. */
const TAKES_ELEMENT = MAKES_LIST + 2;

const filtered = (range: CelType): CelType =>
  range.kind === 'map' ? listOf(range.key) : range.kind === 'list' ? range : listOf(DYN);

interface Loop {
  readonly range: Run;
  readonly slot: number;
  /** Of variables. */
  readonly count: number;
  /** What the loop itself costs. */
  readonly around: number;
}

/** Puts each element into its slots in turn. @param visit answers false to stop */
function forEach({ range, slot, count, around }: Loop, frame: Frame, visit: (first: Value) => boolean): void {
  const value = range(frame);
  frame.spend(around);
  if (value instanceof ListValue) {
    const { elements } = value;
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i] ?? null;
      const first = count === 1 ? element : BigInt(i);
      frame.slots[slot] = first;
      if (count === 2) frame.slots[slot + 1] = element;
      if (!visit(first)) return;
    }
    return;
  }
  if (!isMapValue(value)) throw noSuchOverload();
  for (const key of value.keys()) {
    frame.slots[slot] = key;
    if (count === 2) frame.slots[slot + 1] = value.find(key) ?? null;
    if (!visit(key)) return;
  }
}

/** As with `&&` and `||`, one element that decides makes up for errors of the others. */
function quantified(loop: Loop, predicate: Run, deciding: boolean): Run {
  return (frame) => {
    const seen: { error?: CelError; decided?: true } = {};
    forEach(loop, frame, () => {
      frame.spend(deciding ? 4 : 3);
      const value = attempted(predicate, frame);
      if (value === deciding) seen.decided = true;
      else if (value instanceof CelError) seen.error ??= value;
      if (value === deciding) frame.spend(deciding ? 3 : 2);
      return value !== deciding;
    });
    if (seen.decided) return deciding;
    if (seen.error !== undefined) throw seen.error;
    return !deciding;
  };
}

function exactlyOne(loop: Loop, predicate: Run): Run {
  return (frame) => {
    let count = 0;
    forEach(loop, frame, () => {
      const counts = holds(predicate, frame);
      if (counts) count++;
      frame.spend(counts ? 2 : 0);
      return true;
    });
    return count === 1;
  };
}

function filter(loop: Loop, predicate: Run): Run {
  return (frame) => {
    const out: Value[] = [];
    forEach(loop, frame, (first) => {
      const isWanted = holds(predicate, frame);
      if (isWanted) out.push(first);
      frame.spend(isWanted ? TAKES_ELEMENT + 1 : 0);
      return true;
    });
    return new ListValue(out);
  };
}

function collected(loop: Loop, condition: Run | undefined, transform: Run): Run {
  return (frame) => {
    const out: Value[] = [];
    forEach(loop, frame, () => {
      const isWanted = holds(condition, frame);
      if (isWanted) out.push(transform(frame));
      frame.spend(isWanted ? TAKES_ELEMENT : 0);
      return true;
    });
    return new ListValue(out);
  };
}

/** @param asEntries whether the transform gives a map to be merged */
function mapped(loop: Loop, condition: Run | undefined, transform: Run, asEntries: boolean): Run {
  return (frame) => {
    const out = new EntryMap();
    forEach(loop, frame, (first) => {
      if (!holds(condition, frame)) return true;
      frame.spend(asEntries ? 2 : 3);
      const value = transform(frame);
      if (!asEntries) out.insert(first, value);
      else if (isMapValue(value)) for (const key of value.keys()) out.insert(key, value.find(key) ?? null);
      else throw noSuchOverload();
      return true;
    });
    return out;
  };
}

function sorted(loop: Loop, key: Run): Run {
  return (frame) => {
    const pairs: (readonly [key: Value, value: Value])[] = [];
    forEach(loop, frame, (first) => {
      pairs.push([key(frame), first]);
      frame.spend(TAKES_ELEMENT);
      return true;
    });
    frame.spend(sortCost(new ListValue(pairs.map(([one]) => one))));
    return new ListValue(pairs.sort(([a], [b]) => compareValues(a, b)).map(([, value]) => value));
  };
}

function onOptional({ range, slot }: Loop, transform: Run, wrap: boolean): Run {
  return (frame) => {
    const value = range(frame);
    frame.spend(1);
    if (!(value instanceof OptionalValue)) throw noSuchOverload();
    if (value.value === undefined) return value;
    frame.slots[slot] = value.value;
    const result = transform(frame);
    if (wrap) return new OptionalValue(result);
    if (!(result instanceof OptionalValue)) throw noSuchOverload();
    return result;
  };
}
