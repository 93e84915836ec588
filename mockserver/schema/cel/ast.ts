/** Expressions as a tree. Macros are nodes of their own, and not expanded. */
import { type Value } from './values.js';

interface Placed {
  /** Where an error about the node is shown: offset in code points. */
  readonly at: number;
}

export interface Literal extends Placed {
  readonly kind: 'literal';
  readonly value: Value;
}
export interface Ident extends Placed {
  readonly kind: 'ident';
  readonly name: string;
}
/** `a.b`; with `optional`, `a.?b`. */
export interface Select extends Placed {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly optional: boolean;
}
/** `has(a.b)` */
export interface Has extends Placed {
  readonly kind: 'has';
  readonly operand: Expr;
  readonly field: string;
}
/** Operators are calls too: `_+_`, `@in`, `_[_]`, `_[?_]`, `!_`, `-_`, `_?_:_`. */
export interface Call extends Placed {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
export interface ListExpr extends Placed {
  readonly kind: 'list';
  readonly elements: readonly { readonly value: Expr; readonly optional: boolean }[];
}
export interface MapExpr extends Placed {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[];
}
export type MacroName =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'filter'
  | 'map'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'sortBy'
  | 'optMap'
  | 'optFlatMap';
/** `range.name(variables..., args...)` */
export interface Macro extends Placed {
  readonly kind: 'macro';
  readonly name: MacroName;
  readonly range: Expr;
  /** One or two names. */
  readonly variables: readonly string[];
  /** With two, the first is a condition. */
  readonly args: readonly Expr[];
}

export type Expr = Literal | Ident | Select | Has | Call | ListExpr | MapExpr | Macro;
