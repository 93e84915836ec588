/** Numbers for connections, in the order in which they are first seen. */
import { type Socket } from 'node:net';

export class ConnectionNumbers {
  readonly #numbers = new WeakMap<Socket, number>();
  #last = 0;

  /** Counted from 1. */
  of(socket: Socket): number {
    const known = this.#numbers.get(socket);
    if (known !== undefined) return known;
    const number = ++this.#last;
    this.#numbers.set(socket, number);
    return number;
  }
}
