/**
 * Where in a schema a value comes from, as a real server notes it while it estimates costs.
 *
 * Paths share their memory as the slices of Go do: a path that is made longer may overwrite what another one ends with, and
 * sizes that are asked for later are then those of the other place. Estimates near a limit depend on it.
 * Source: cel-go checker/cost.go, addPath and getPath; Go's append.
 */
import { type Sized } from './declared-size.js';
import { type Size, upTo } from './size.js';

/** `@items`, `@values`, `@keys`, `@indices`, or the name of a field. */
export type Step = string;

export class Place {
  static readonly NONE = new Place([], 0, 0);

  readonly #steps: Step[];
  readonly #length: number;
  readonly #capacity: number;

  private constructor(steps: Step[], length: number, capacity: number) {
    this.#steps = steps;
    this.#length = length;
    this.#capacity = capacity;
  }

  /** Of a variable, which stands for the root whatever its name is. */
  static of(variable: string): Place {
    return new Place([variable], 1, 1);
  }

  get isNone(): boolean {
    return this.#length === 0;
  }

  below(step: Step): Place {
    const length = this.#length + 1;
    const isFull = length > this.#capacity;
    const steps = isFull ? this.#steps.slice(0, this.#length) : this.#steps;
    steps[this.#length] = step;
    return new Place(steps, length, isFull ? Math.max(1, 2 * this.#capacity) : this.#capacity);
  }

  /** Undefined where the schema says nothing. */
  sizeIn(root: Sized | undefined): Size | undefined {
    if (this.isNone) return undefined;
    let sized = root;
    for (const step of this.#steps.slice(1, this.#length)) sized = sized && partOf(sized, step);
    return sized && upTo(sized.most);
  }

  /** Of the elements of a list, without a path of their own. */
  elementSizeIn(root: Sized | undefined): Size | undefined {
    if (this.isNone) return undefined;
    return new Place([...this.#steps.slice(0, this.#length), '@items'], this.#length + 1, 0).sizeIn(root);
  }
}

function partOf(sized: Sized, step: Step): Sized | undefined {
  if (step === '@items' || step === '@values') return sized.elements;
  return step === '@keys' ? sized.keys : sized.fields.get(step);
}
