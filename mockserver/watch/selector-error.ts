/** What is wrong with the text of a selector. */

/** The message is the whole text that a client is to see, under a 400. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorError';
  }
}
