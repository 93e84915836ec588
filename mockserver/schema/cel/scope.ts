/** Names that an expression may use, and where their values stand when it is evaluated. */
import { type CelType } from './types.js';

export interface Variable {
  readonly name: string;
  readonly type: CelType;
  /** Index into the values of an evaluation. */
  readonly slot: number;
}

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables: readonly Variable[];
  readonly #next: number;

  constructor(names: readonly (readonly [name: string, type: CelType])[], parent?: Scope) {
    const first = parent === undefined ? 0 : parent.#next;
    this.#parent = parent;
    this.#variables = names.map(([name, type], i) => ({ name, type, slot: first + i }));
    this.#next = first + names.length;
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
