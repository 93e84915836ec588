/** From tree to program: types are checked, functions are chosen. Source: cel-go checker/checker.go. */
import {
  type Call,
  type Expr,
  type Has,
  type Ident,
  type ListExpr,
  type Macro,
  type MapExpr,
  type Select,
} from './ast.js';
import { compiledCall } from './call.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { codePointsOf } from './code-points.js';
import { type Compiled } from './compiled.js';
import { type Sized } from './declared-size.js';
import { type Estimate, costing, placed, sizeOf, sizeOfType, summed } from './estimate.js';
import { FUNCTIONS, TYPE_NAMES } from './functions.js';
import { type Issue } from './issue.js';
import { formatProblem, literalProblem } from './literal-arguments.js';
import { compiledMacro, macroRange } from './macros.js';
import { Place } from './place.js';
import { type Declared, Scope } from './scope.js';
import { MAKES_LIST, MAKES_MAP, ONE, type Size, exactly, joined } from './size.js';
import {
  BOOL,
  type CelType,
  DYN,
  isAssignable,
  isDyn,
  isSimple,
  listOf,
  mapOf,
  optionalOf,
  simple,
  typeText,
} from './types.js';
import {
  Bytes,
  EntryMap,
  ListValue,
  OptionalValue,
  TypeValue,
  type Value,
  isMapValue,
  typeName,
} from './values.js';

export class Compiler {
  readonly issues: Issue[] = [];
  /** Variables of the outermost scope that the expression names. */
  readonly used = new Set<string>();
  readonly #root: Scope;
  /** How many calls of format are around: their literals may mix types. */
  #formats = 0;

  readonly #sized: Sized | undefined;

  /** @param sized how large the variables of the outermost scope may be; undefined: not known */
  constructor(root: Scope, sized?: Sized) {
    this.#root = root;
    this.#sized = sized;
  }

  compile(expr: Expr, scope: Scope = this.#root): Compiled {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr;
        return { type: literalType(value), run: () => value, estimate: costing(0, literalSize(value)) };
      }
      case 'ident':
        return this.#ident(expr, scope);
      case 'select':
        return this.#select(expr, scope);
      case 'has':
        return this.#has(expr, scope);
      case 'list':
        return this.#list(expr, scope);
      case 'map':
        return this.#map(expr, scope);
      case 'macro':
        return this.#macro(expr, scope);
      case 'call':
        return this.#call(expr, scope);
    }
  }

  #issue(at: number, message: string): Compiled {
    this.issues.push({ at, message });
    return {
      type: DYN,
      estimate: costing(0),
      run: () => {
        throw noSuchOverload();
      },
    };
  }

  #ident({ name, at }: Ident, scope: Scope): Compiled {
    const variable = scope.find(name);
    if (variable !== undefined) {
      const { slot, type, place } = variable;
      if (this.#root.find(name) === variable) this.used.add(name);
      return {
        type,
        estimate: {
          ...placed(1, place, this.#sized, sizeOfType(type) ?? variable.size),
          entry: variable.entry,
        },
        run: (frame) => {
          frame.spend(1);
          const value = frame.slots[slot];
          if (value === undefined) throw new CelError(`no such attribute(s): ${name}`);
          return value;
        },
      };
    }
    const type = this.#typeNamed(name);
    return type ?? this.#issue(at, `undeclared reference to '${name}' (in container '')`);
  }

  #select(expr: Select, scope: Scope): Compiled {
    const { field, optional, at } = expr;
    const dotted = dottedName(expr, scope);
    const named = dotted === undefined ? undefined : this.#typeNamed(dotted);
    if (named !== undefined) return named;
    const operand = this.compile(expr.operand, scope);
    const chained = operand.type.kind === 'optional';
    const type = this.#fieldType(
      operand.type.kind === 'optional' ? operand.type.value : operand.type,
      field,
      at,
    );
    const { run } = operand;
    if (optional || chained) {
      const result = type.kind === 'optional' ? type : optionalOf(type);
      const { cost } = operand.estimate;
      return {
        type: result,
        estimate: costing(optional ? cost + 1 : cost, sizeOfType(result)),
        run: (frame) => {
          frame.spend(1);
          return selectedOptional(run(frame), field);
        },
      };
    }
    return {
      type,
      estimate: this.#selectEstimate(operand, field, type),
      run: (frame) => {
        const value = run(frame);
        frame.spend(1);
        return selected(value, field);
      },
    };
  }

  #selectEstimate({ type: from, estimate }: Compiled, field: string, type: CelType): Estimate {
    const isPlain = from.kind === 'map' || from.kind === 'object';
    const cost = summed([estimate.cost, isPlain ? 1 : 0]);
    return placed(cost, estimate.place.below(field), this.#sized, sizeOfType(type));
  }

  #typeNamed(name: string): Compiled | undefined {
    if (!TYPE_NAMES.has(name)) return undefined;
    const value = new TypeValue(name);
    const estimate = placed(1, Place.of(name), this.#sized);
    return { type: { kind: 'type' }, run: () => value, estimate };
  }

  #has({ operand, field, at }: Has, scope: Scope): Compiled {
    const { type, run, estimate } = this.compile(operand, scope);
    this.#fieldType(type.kind === 'optional' ? type.value : type, field, at);
    return {
      type: BOOL,
      estimate: costing(estimate.cost, ONE),
      run: (frame) => {
        const found = selectedOptional(run(frame), field);
        return found.value !== undefined;
      },
    };
  }

  #fieldType(type: CelType, field: string, at: number): CelType {
    if (isDyn(type)) return DYN;
    if (type.kind === 'map' && (isDyn(type.key) || isSimple(type.key, 'string'))) return type.value;
    if (type.kind === 'object') {
      return type.fields.get(field) ?? this.#issue(at, `undefined field '${field}'`).type;
    }
    return this.#issue(at, `type '${typeText(type)}' does not support field selection`).type;
  }

  #list({ elements }: ListExpr, scope: Scope): Compiled {
    let element: CelType = DYN;
    const isConstant = elements.every(({ value }) => isWrittenOut(value));
    const costs: number[] = [];
    const sizes: Size[] = [];
    const parts = elements.map(({ value, optional }) => {
      const { type, run, estimate } = this.compile(value, scope);
      costs.push(estimate.cost);
      sizes.push(sizeOf(estimate));
      const own = optional && type.kind === 'optional' ? type.value : type;
      if (optional && !isDyn(type) && type.kind !== 'optional')
        this.#expected('optional_type', type, value.at);
      element = this.#joined(element, own, value.at);
      return { run, optional };
    });
    return {
      type: listOf(element),
      estimate: {
        ...costing(summed([MAKES_LIST, ...costs]), exactly(elements.length)),
        entry: { key: ONE, value: joinedSizes(sizes) },
      },
      run: (frame) => {
        if (!isConstant) frame.spend(MAKES_LIST);
        const out: Value[] = [];
        for (const { run, optional } of parts) {
          const value = run(frame);
          const own = optional && value instanceof OptionalValue ? value.value : value;
          if (own !== undefined) out.push(own);
        }
        return new ListValue(out);
      },
    };
  }

  #map({ entries }: MapExpr, scope: Scope): Compiled {
    let keys: CelType = DYN;
    let values: CelType = DYN;
    const isConstant = entries.every(({ key, value }) => isWrittenOut(key) && isWrittenOut(value));
    const costs: number[] = [];
    const keySizes: Size[] = [];
    const sizes: Size[] = [];
    const parts = entries.map(({ key, value, optional }) => {
      const name = this.compile(key, scope);
      const { type, run, estimate } = this.compile(value, scope);
      costs.push(name.estimate.cost, estimate.cost);
      keySizes.push(sizeOf(name.estimate));
      sizes.push(sizeOf(estimate));
      const own = optional && type.kind === 'optional' ? type.value : type;
      keys = this.#joined(keys, name.type, key.at);
      values = this.#joined(values, own, value.at);
      return { key: name.run, run, optional };
    });
    return {
      type: mapOf(keys, values),
      estimate: {
        ...costing(summed([MAKES_MAP, ...costs]), exactly(entries.length)),
        entry: { key: joinedSizes(keySizes), value: joinedSizes(sizes) },
      },
      run: (frame) => {
        if (!isConstant) frame.spend(MAKES_MAP);
        const out = new EntryMap();
        for (const { key, run, optional } of parts) {
          const value = run(frame);
          const own = optional && value instanceof OptionalValue ? value.value : value;
          if (own !== undefined) out.insert(key(frame), own);
        }
        return out;
      },
    };
  }

  /** The parts of one literal are of one type. */
  #joined(sofar: CelType, next: CelType, at: number): CelType {
    if (isDyn(sofar)) return this.#formats > 0 ? DYN : next;
    if (isAssignable(sofar, next, new Map())) return sofar;
    if (isAssignable(next, sofar, new Map())) return next;
    this.#expected(typeText(sofar), next, at);
    return sofar;
  }

  #expected(what: string, found: CelType, at: number): void {
    this.#issue(at, `expected type '${what}' but found '${typeText(found)}'`);
  }

  #macro(expr: Macro, scope: Scope): Compiled {
    const range = this.compile(expr.range, scope);
    const variables = macroRange(expr.name, range.type, expr.variables.length);
    if (variables === undefined) {
      const why = `expression of type '${typeText(range.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      return this.#issue(expr.range.at, why);
    }
    const declared = expr.variables.map((name, i) => {
      const type = variables[i] ?? DYN;
      return { name, type, ...iterated(expr, range, i) };
    });
    const args = expr.args.map((one) => this.compile(one, new Scope(declared, scope)));
    const [first] = declared;
    const macro = compiledMacro(expr, range, args, {
      slot: scope.nextSlot,
      size: first && placed(0, first.place, this.#sized, sizeOfType(first.type) ?? first.size).size(),
    });
    return 'expected' in macro
      ? this.#issue(expr.at, `found no matching overload for '${expr.name}' (${macro.expected})`)
      : macro;
  }

  /** What a method is called on comes last, and each size is told at once: the order in which a real server notes places. */
  #arguments(args: readonly Expr[], isMethod: boolean, scope: Scope): readonly Compiled[] {
    const told = (one: Expr): Compiled => {
      const compiled = this.compile(one, scope);
      compiled.estimate.size();
      return compiled;
    };
    const [target, ...others] = args;
    if (!isMethod || target === undefined) return args.map(told);
    const rest = others.map(told);
    return [told(target), ...rest];
  }

  #call(expr: Call, scope: Scope): Compiled {
    const { target, at } = expr;
    const dotted = target === undefined ? undefined : dottedName(target, scope);
    const qualified = dotted === undefined ? undefined : `${dotted}.${expr.name}`;
    const name = qualified !== undefined && FUNCTIONS.has(qualified) ? qualified : expr.name;
    const isMethod = target !== undefined && name === expr.name;
    const args = isMethod ? [target, ...expr.args] : expr.args;
    const overloads = FUNCTIONS.get(name)?.filter((one) => one.isMethod === isMethod) ?? [];
    if (name === 'format') this.#formats++;
    const compiled = this.#arguments(args, isMethod, scope);
    if (name === 'format') this.#formats--;
    if (overloads.length === 0 && !FUNCTIONS.has(name) && !LOGIC.has(name)) {
      return this.#issue(at, `undeclared reference to '${name}' (in container '')`);
    }
    const call = compiledCall(
      name,
      overloads,
      args.map((one, i) => ({ expr: one, compiled: compiled[i] ?? this.#issue(at, '') })),
      this.#sized,
    );
    if (call === undefined) return this.#issue(at, noOverload(name, isMethod, compiled));
    const problem = name === 'format' ? formatProblem(args) : literalProblem(name, expr.args);
    if (problem !== undefined) this.#issue(name === 'format' ? at : (expr.args[0]?.at ?? at), problem);
    return call;
  }
}

/** Of the first variable of a macro, or of the second: where its values come from, and how large they are. */
function iterated({ name, variables }: Macro, { type, estimate }: Compiled, i: number): Iterated {
  const none = { place: Place.NONE, size: undefined, entry: undefined };
  if (name === 'optMap' || name === 'optFlatMap') return none;
  const { entry, place } = estimate;
  const isKey = variables.length === 2 ? i === 0 : type.kind !== 'list';
  const size = isKey ? entry?.key : entry?.value;
  if (type.kind === 'list')
    return { place: place.below(isKey ? '@indices' : '@items'), size, entry: undefined };
  return { place: place.below(isKey ? '@keys' : '@values'), size, entry: undefined };
}

const LOGIC: ReadonlySet<string> = new Set(['_&&_', '_||_', '_?_:_', '_[_]', '_[?_]']);

type Iterated = Pick<Declared, 'place' | 'size' | 'entry'>;

function noOverload(name: string, isMethod: boolean, args: readonly Compiled[]): string {
  const types = args.map((one) => typeText(one.type));
  const applied = isMethod ? `${types[0] ?? ''}.(${types.slice(1).join(', ')})` : `(${types.join(', ')})`;
  return `found no matching overload for '${name}' applied to '${applied}'`;
}

function literalType(value: Value): CelType {
  switch (typeName(value)) {
    case 'null_type':
      return simple('null');
    case 'bool':
      return BOOL;
    case 'int':
      return simple('int');
    case 'uint':
      return simple('uint');
    case 'double':
      return simple('double');
    case 'bytes':
      return simple('bytes');
    default:
      return simple('string');
  }
}

function literalSize(value: Value): Size {
  if (typeof value === 'string') return exactly(codePointsOf(value).length);
  return value instanceof Bytes ? exactly(value.bytes.length) : ONE;
}

/** Such lists and maps are made once, so that they cost nothing. */
function isWrittenOut(expr: Expr): boolean {
  if (expr.kind === 'list') return expr.elements.every(({ value }) => isWrittenOut(value));
  if (expr.kind === 'map') {
    return expr.entries.every(({ key, value }) => isWrittenOut(key) && isWrittenOut(value));
  }
  return expr.kind === 'literal';
}

const joinedSizes = (sizes: readonly Size[]): Size =>
  sizes.length === 0 ? exactly(0) : sizes.reduce(joined);

/** `a.b` where `a` is no variable: perhaps the name of a function or of a type. */
function dottedName(expr: Expr, scope: Scope): string | undefined {
  if (expr.kind === 'ident') return scope.find(expr.name) === undefined ? expr.name : undefined;
  if (expr.kind !== 'select' || expr.optional) return undefined;
  const operand = dottedName(expr.operand, scope);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

function selected(operand: Value, field: string): Value {
  if (!isMapValue(operand)) {
    if (operand instanceof OptionalValue) return selectedOptional(operand, field);
    throw noSuchOverload();
  }
  const found = operand.find(field);
  if (found === undefined) throw new CelError(`no such key: ${field}`);
  return found;
}

function selectedOptional(operand: Value, field: string): OptionalValue {
  const inner = operand instanceof OptionalValue ? operand.value : operand;
  if (inner === undefined) return new OptionalValue(undefined);
  if (!isMapValue(inner)) throw noSuchOverload();
  const found = inner.find(field);
  return found instanceof OptionalValue ? found : new OptionalValue(found);
}
