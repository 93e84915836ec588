/** What evaluating an expression may fail with. */

/** The message is the one that a server shows: `no such key: a`, `division by zero`. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

export const noSuchOverload = (): CelError => new CelError('no such overload');
