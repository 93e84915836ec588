/** What evaluating an expression may fail with. */

/** The message is the one that a server shows: `no such key: a`, `division by zero`. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

/** Ends an evaluation whatever stands around it: no other operand makes up for it. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export const noSuchOverload = (): CelError => new CelError('no such overload');
