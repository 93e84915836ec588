/** Seeds that follow from a seed: for each name one of its own, whatever the order in which they are asked for. */
import { seededRandom } from '../ground/random.js';

export function derivedSeed(seed: number, name: string): number {
  const mixed = [...Buffer.from(name)].reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), seed);
  return Math.floor(seededRandom(mixed).next() * 2 ** 32);
}
