/**
 * What calls of functions cost at worst, beyond their arguments.
 *
 * Source: apiserver pkg/cel/library/cost.go, EstimateCallCost; cel-go checker/cost.go, ext/lists.go and ext/sets.go.
 */
import { type Expr } from './ast.js';
import { type Compiled } from './compiled.js';
import { type Sized } from './declared-size.js';
import { sizeOf } from './estimate.js';
import { type Overload } from './overload.js';
import {
  ENDLESS,
  MAKES_LIST,
  PATTERN,
  type Size,
  TRAVERSAL,
  UNKNOWN_SIZE,
  added,
  exactly,
  joined,
  multiplied,
  unitsFor,
  upTo,
} from './size.js';
import { type CelType, isSimple } from './types.js';

export interface CallEstimate {
  readonly cost: number;
  /** Of the result; undefined: not known. */
  readonly size?: Size;
}

/** An argument; the first is what a method is called on. */
export interface Argument {
  readonly compiled: Compiled;
  readonly expr: Expr;
}

interface Call {
  readonly overload: Overload;
  readonly root: Sized | undefined;
}

type Rule = (args: readonly Argument[], call: Call) => CallEstimate;

const sizeIn = (args: readonly Argument[], i: number): Size => {
  const one = args[i];
  return one === undefined ? UNKNOWN_SIZE : sizeOf(one.compiled.estimate);
};

const traversed = (size: Size, factor = TRAVERSAL): number => unitsFor(size.max, factor);

/** Once through the first argument. */
const reads: Rule = (args) => ({ cost: traversed(sizeIn(args, 0)) });
const rewrites: Rule = (args) => ({ cost: traversed(sizeIn(args, 0)), size: sizeIn(args, 0) });
const twice = (args: readonly Argument[]): number => traversed(sizeIn(args, 0), 2 * TRAVERSAL);
const readsTwice: Rule = (args) => ({ cost: twice(args) });
const ofOneUnit: Rule = () => ({ cost: 1 });

const isText = (type: CelType | undefined): boolean =>
  type !== undefined && (isSimple(type, 'string') || isSimple(type, 'bytes'));

/** Once through all elements of a list, and through their texts. */
const readsAll: Rule = (args, { overload, root }) => {
  const [list] = args;
  const type = list?.compiled.type;
  if (list === undefined || type?.kind !== 'list') return reads(args, { overload, root });
  const element = list.compiled.estimate.place.elementSizeIn(root);
  const each = isText(type.element) ? 1 + traversed(element ?? UNKNOWN_SIZE) : 1;
  return { cost: Math.min(sizeIn(args, 0).max * each, ENDLESS) };
};

/** One character more than the text has, so that an empty one costs something. */
const matching = (text: Size, pattern: Size): number =>
  Math.min(unitsFor(Math.min(text.max + 1, ENDLESS), TRAVERSAL) * unitsFor(pattern.max, PATTERN), ENDLESS);

const matches: Rule = (args, { overload: { isMethod } }) => ({
  cost: isMethod ? matching(sizeIn(args, 0), sizeIn(args, 1)) : 1,
});
const finds: Rule = (args) => ({
  cost: matching(sizeIn(args, 0), sizeIn(args, 1)),
  size: upTo(sizeIn(args, 0).max),
});

const contains: Rule = (args) => ({
  cost: Math.min(traversed(sizeIn(args, 0)) * traversed(sizeIn(args, 1)), ENDLESS),
});

/** How large a text can become, and how small. */
function replacedSize(text: Size, old: Size, next: Size): Size {
  const count = { min: 0, max: 0 };
  const kept = { min: 0, max: 0 };
  if (old.min === 0) {
    count.max = Math.min(text.max + 1, ENDLESS);
    kept.max = text.max;
  } else if (next.max <= old.min) kept.max = text.max;
  else count.max = Math.ceil(text.max / old.min);
  if (old.max === 0) {
    count.min = Math.min(text.min + 1, ENDLESS);
    kept.min = text.min;
  } else if (old.max <= next.min) kept.min = text.min;
  else count.min = Math.ceil(text.min / old.max);
  return added(multiplied(count, next), kept);
}

const replaces: Rule = (args) => ({
  cost: twice(args),
  size: replacedSize(sizeIn(args, 0), sizeIn(args, 1), sizeIn(args, 2)),
});

const splits: Rule = (args) => {
  const limit = literalInt(args[2]);
  return { cost: twice(args), size: upTo(limit ?? sizeIn(args, 0).max) };
};

const joins: Rule = (args, { root }) => {
  const [list] = args;
  const element = list?.compiled.estimate.place.elementSizeIn(root);
  const count = sizeIn(args, 0);
  let size = list?.compiled.type.kind === 'list' ? multiplied(count, element ?? UNKNOWN_SIZE) : exactly(0);
  if (args.length > 1) {
    const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    size = added(size, multiplied(sizeIn(args, 1), between));
  }
  return { cost: traversed(size), size };
};

/** Addresses are compared as 4 to 16 bytes. */
const holdsAddress: Rule = (args, { overload: { params } }) => {
  const parsed = isText(params[1]) ? traversed(sizeIn(args, 1)) : 0;
  return { cost: unitsFor(32, TRAVERSAL) + parsed };
};
const holdsNetwork: Rule = (args, call) => ({
  cost: holdsAddress(args, call).cost + unitsFor(16, TRAVERSAL) + 1,
});

/** Longest pattern behind a named format. */
const FORMAT_PATTERN = 128;
const validates: Rule = (args) => ({
  cost: unitsFor(traversed(sizeIn(args, 1)), FORMAT_PATTERN * PATTERN),
});

/** An int that is written out; negative ones count as 0. */
function literalInt(argument: Argument | undefined): number | undefined {
  if (argument?.expr.kind !== 'literal' || typeof argument.expr.value !== 'bigint') return undefined;
  return Math.max(0, Number(argument.expr.value));
}

const makesList = (size: Size, each: number): CallEstimate => ({
  cost: Math.min(unitsFor(size.max, each) + 1 + MAKES_LIST, ENDLESS),
  size,
});

const slices: Rule = (args) => {
  const start = literalInt(args[1]) ?? 0;
  const end = literalInt(args[2]) ?? sizeIn(args, 0).max;
  // An end before the start wraps around in a real server.
  return makesList(exactly(end < start ? ENDLESS : end - start), 1);
};
const counts: Rule = (args) => makesList(exactly(literalInt(args[0]) ?? ENDLESS), 1);
const reverses: Rule = (args) => makesList(sizeIn(args, 0), 1);
const flattens: Rule = (args) =>
  makesList(sizeIn(args, 0), args.length === 1 ? 1 : (literalInt(args[1]) ?? ENDLESS));
const comparesAll: Rule = (args) => makesList(multiplied(sizeIn(args, 0), sizeIn(args, 0)), 2);
const sorts: Rule = (args, { overload: { params } }) => {
  const [list] = params;
  return sortEstimate(sizeIn(args, 0), list?.kind === 'list' ? list.element : undefined);
};

/** @param key type of what is compared */
export const sortEstimate = (size: Size, key: CelType | undefined): CallEstimate =>
  makesList(multiplied(size, size), isText(key) ? 2 + TRAVERSAL : 2);

const comparesSets =
  (factor: number): Rule =>
  (args) => ({ cost: unitsFor(multiplied(sizeIn(args, 0), sizeIn(args, 1)).max, factor) + 1 });

const encodes: Rule = (args, { overload: { params } }) => {
  const size = sizeIn(args, 0);
  const [from] = params;
  if (from === undefined || !isSimple(from, 'string')) return { cost: 1 };
  return { cost: traversed(size), size: { min: size.min, max: Math.min(size.max * 4, ENDLESS) } };
};
const decodes: Rule = (args, { overload: { params } }) => {
  const size = sizeIn(args, 0);
  const [from] = params;
  if (from === undefined || !isSimple(from, 'bytes')) return { cost: 1 };
  return { cost: traversed(size), size: { min: Math.floor(size.min / 4), max: size.max } };
};

const quotes: Rule = (args) => {
  const { min, max } = sizeIn(args, 0);
  return { cost: traversed({ min, max }), size: { min: min + 2, max: Math.min(2 * max + 2, ENDLESS) } };
};

const readsSecond: Rule = (args) => ({ cost: traversed(sizeIn(args, 1)) });
const among: Rule = (args, { overload: { params } }) => ({
  cost: params[1]?.kind === 'list' ? sizeIn(args, 1).max : 1,
});

const adds: Rule = (args, { overload: { params } }) => {
  const size = added(sizeIn(args, 0), sizeIn(args, 1));
  const [type] = params;
  if (type?.kind === 'list') return { cost: 1, size };
  return isText(type) ? { cost: traversed(size), size } : { cost: 1 };
};

const LIBRARY_TYPES = ['ip', 'cidr', 'quantity', 'semver', 'url'] as const;

const compares: Rule = (args) => {
  const type = args[0]?.compiled.type;
  if (type !== undefined && LIBRARY_TYPES.some((name) => isSimple(type, name))) return { cost: 1 };
  return { cost: unitsFor(Math.min(sizeIn(args, 0).max, sizeIn(args, 1).max), TRAVERSAL) };
};
const orders: Rule = (args, call) => (isText(call.overload.params[0]) ? compares(args, call) : { cost: 1 });

const table = (names: string, rule: Rule): readonly (readonly [string, Rule])[] =>
  names.split(' ').map((name) => [name, rule]);

/** Whatever is not there costs one unit. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ...table('isSorted sum max min indexOf lastIndexOf', readsAll),
  ...table('url lowerAscii upperAscii substring trim', rewrites),
  ...table('cidr isIP isCIDR quantity isQuantity semver isSemver format', reads),
  ...table('find findAll', finds),
  ...table('startsWith endsWith', readsSecond),
  ...table('_<_ _<=_ _>_ _>=_', orders),
  ...table('_==_ _!=_', compares),
  ...table('sets.contains sets.intersects', comparesSets(1)),
  ['sets.equivalent', comparesSets(2)],
  ['replace', replaces],
  ['split', splits],
  ['join', joins],
  ['ip', (args, call) => (call.overload.isMethod ? { cost: 1 } : reads(args, call))],
  ['ip.isCanonical', readsTwice],
  ['containsIP', holdsAddress],
  ['containsCIDR', holdsNetwork],
  ['validate', validates],
  ['matches', matches],
  ['contains', contains],
  ['slice', slices],
  ['lists.range', counts],
  ['reverse', reverses],
  ['flatten', flattens],
  ['distinct', comparesAll],
  ['sort', sorts],
  ['strings.quote', quotes],
  ['bytes', encodes],
  ['string', decodes],
  ['@in', among],
  ['_+_', adds],
]);

/** Of the dearest of the functions that may be meant. */
export function callEstimate(
  overloads: readonly Overload[],
  args: readonly Argument[],
  root: Sized | undefined,
): CallEstimate {
  let cost = 0;
  let size: Size | undefined;
  for (const one of overloads) {
    const estimate = (RULES.get(one.name) ?? ofOneUnit)(args, { overload: one, root });
    cost = Math.max(cost, estimate.cost);
    if (estimate.size !== undefined) size = size === undefined ? estimate.size : joined(size, estimate.size);
  }
  return size === undefined ? { cost } : { cost, size };
}
