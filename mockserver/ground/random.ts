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
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  return {
    next: () => word() / 2 ** 32,
    uuid: () => {
      const hex = [word(), word(), word(), word()].map((n) => n.toString(16).padStart(8, '0')).join('');
      const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3] ?? '8';
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
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
