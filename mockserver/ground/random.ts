/** Chance and identity, handed in. */
import { randomBytes, randomUUID } from 'node:crypto';

export interface Random {
  /** A float in [0, 1). */
  next(): number;
  /** A version 4 UUID. */
  uuid(): string;
}

export const realRandom: Random = {
  next: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  uuid: () => randomUUID(),
};

/** The same seed gives the same sequence (splitmix32). */
export const seededRandom = (seed: number): Random => new SeededRandom(seed);

class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    return this.#word() / 2 ** 32;
  }

  uuid(): string {
    const words = [this.#word(), this.#word(), this.#word(), this.#word()];
    const hex = words.map((n) => n.toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3] ?? '8';
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** Goes on from here as this one does. */
  copy(): SeededRandom {
    return new SeededRandom(this.#state);
  }

  #word(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  }
}

/** Chance that can go back to where it was marked; without a seed it is what it was given, and goes nowhere. */
export class RestartableRandom implements Random {
  #current: Random;
  #marked: SeededRandom | undefined;

  /** @param unseeded where there is no seed */
  constructor(unseeded: Random, seed?: number) {
    this.#current = seed === undefined ? unseeded : new SeededRandom(seed);
    this.mark();
  }

  next(): number {
    return this.#current.next();
  }

  uuid(): string {
    return this.#current.uuid();
  }

  mark(): void {
    if (this.#current instanceof SeededRandom) this.#marked = this.#current.copy();
  }

  restart(): void {
    this.#current = this.#marked?.copy() ?? this.#current;
  }
}

/** The letters of generated names: no vowels and nothing that is easily misread. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** `length` letters as kube-apiserver appends them to generateName. */
export function nameSuffix(random: Random, length = 5): string {
  let out = '';
  for (let i = 0; i < length; i++)
    out += SUFFIX_LETTERS[Math.floor(random.next() * SUFFIX_LETTERS.length)] ?? '';
  return out;
}
