/**
 * What macros cost at worst. A real server expands them to loops that build a result step by step; the numbers are those of
 * the steps.
 *
 * Source: cel-go parser/macro.go, ext/comprehensions.go, ext/lists.go, cel/library.go; checker/cost.go, costComprehension.
 */
import { type MacroName } from './ast.js';
import { sortEstimate } from './call-estimate.js';
import { type Compiled } from './compiled.js';
import {
  type EntrySize,
  type Estimate,
  costing,
  joinedEntries,
  sizeOf,
  sizeOfType,
  summed,
} from './estimate.js';
import { MAKES_LIST, MAKES_MAP, ONE, type Size, UNKNOWN_SIZE, exactly, joined } from './size.js';

/** Of reading the result so far, or a variable. */
const READ = 1;
const CALL = 1;

interface Steps {
  /** Of each round. */
  readonly round: number;
  /** Before the first and after the last. */
  readonly around: number;
  readonly size: Size | undefined;
  readonly entry?: EntrySize | undefined;
}

/**
 * @param element size of the first variable
 * @param last the expression of each round; its cost and value are those of the body
 */
export function macroEstimate(
  name: MacroName,
  range: Compiled,
  element: Size | undefined,
  condition: Compiled | undefined,
  last: Compiled,
): Estimate {
  if (name === 'optMap' || name === 'optFlatMap') return optionalEstimate(range, last, name === 'optMap');
  if (name === 'sortBy') return sortByEstimate(range, last);
  return loopEstimate(range.estimate, stepsOf(name, range.estimate, condition?.estimate.cost, last, element));
}

function loopEstimate(range: Estimate, { round, around, size, entry }: Steps): Estimate {
  const rounds = sizeOf(range).max * round;
  return { ...costing(summed([range.cost, around, rounds]), size), entry };
}

function stepsOf(
  name: MacroName,
  range: Estimate,
  condition: number | undefined,
  last: Compiled,
  element?: Size,
): Steps {
  const body = last.estimate.cost;
  // A condition chooses between the step and the result so far.
  const guarded = (step: number): number => (condition ?? 0) + step;
  switch (name) {
    case 'all':
      return { round: CALL + READ + READ + body, around: READ, size: ONE };
    case 'exists':
      return { round: CALL + CALL + READ + READ + body, around: READ, size: ONE };
    case 'existsOne':
      return { round: body + READ + CALL, around: READ + 1, size: ONE };
    case 'filter':
      return {
        round: body + READ + MAKES_LIST + READ + CALL,
        around: MAKES_LIST + READ,
        size: sizeOf(range),
        entry: collected(element),
      };
    case 'map':
    case 'transformList':
      return {
        round: guarded(READ + MAKES_LIST + body + CALL),
        around: MAKES_LIST + READ,
        size: sizeOf(range),
        entry: collected(last.estimate.size()),
      };
    case 'transformMap':
      return { round: guarded(READ + READ + body + CALL), around: MAKES_MAP + READ, size: sizeOf(range) };
    default:
      return { round: guarded(READ + body + CALL), around: MAKES_MAP + READ, size: sizeOf(range) };
  }
}

/** Entries of a list that begins empty and gets one element each round. */
function collected(element: Size | undefined): EntrySize | undefined {
  const empty: EntrySize = { key: ONE, value: exactly(0) };
  return joinedEntries(empty, { key: ONE, value: element ?? UNKNOWN_SIZE });
}

/** The range is bound to a variable, its keys are collected, and both are sorted. */
function sortByEstimate(range: Compiled, key: Compiled): Estimate {
  const bound: Estimate = { ...range.estimate, cost: READ };
  const keys = loopEstimate(bound, stepsOf('map', range.estimate, undefined, key));
  const { cost, size } = sortEstimate(sizeOf(keys), key.type);
  return costing(summed([MAKES_LIST, range.estimate.cost, READ, cost, keys.cost]), size);
}

/** `x.hasValue() ? optional.of(...x.value()...) : optional.none()` */
function optionalEstimate({ estimate }: Compiled, last: Compiled, wraps: boolean): Estimate {
  const asked = estimate.cost + CALL;
  const taken = MAKES_LIST + estimate.cost + CALL + last.estimate.cost;
  const own = wraps ? sizeOfType(last.type) : last.estimate.size();
  const size = joined(own ?? UNKNOWN_SIZE, sizeOfType(last.type) ?? UNKNOWN_SIZE);
  return costing(summed([asked, taken, wraps ? CALL : 0]), size);
}
