/** Names that an expression may use, and where their values stand when it is evaluated. */
import { type EntrySize } from './estimate.js';
import { Place } from './place.js';
import { type Size } from './size.js';
import { type CelType } from './types.js';

export interface Variable {
  readonly name: string;
  readonly type: CelType;
  /** Index into the values of an evaluation. */
  readonly slot: number;
  /** Where its value comes from. */
  readonly place: Place;
  /** Where neither the schema nor the type tells it. */
  readonly size: Size | undefined;
  readonly entry: EntrySize | undefined;
}

export type Declared = Omit<Variable, 'slot'>;

/** Of a variable that no other expression gives its value. */
const outermost = (name: string, type: CelType): Declared => ({
  name,
  type,
  place: Place.of(name),
  size: undefined,
  entry: undefined,
});

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables: readonly Variable[];
  readonly #next: number;

  constructor(variables: readonly Declared[], parent?: Scope) {
    const first = parent === undefined ? 0 : parent.#next;
    this.#parent = parent;
    this.#variables = variables.map((one, i) => ({ ...one, slot: first + i }));
    this.#next = first + variables.length;
  }

  /** The variables that an expression begins with. */
  static of(names: readonly (readonly [name: string, type: CelType])[]): Scope {
    return new Scope(names.map(([name, type]) => outermost(name, type)));
  }

  /** The innermost of that name. */
  find(name: string): Variable | undefined {
    return this.#variables.find((one) => one.name === name) ?? this.#parent?.find(name);
  }

  /** The slot that the first of further names would have. */
  get nextSlot(): number {
    return this.#next;
  }
}
