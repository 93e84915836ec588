/** Which page of its list a request asks for: continue tokens do not say. */
import { textValue } from '../registry/query.js';
import { type RequestView } from '../http/exchange-hooks.js';

/** Tokens that are remembered; lists are gone through soon, or never. */
const MOST_TOKENS = 10_000;

export class ListPages {
  /** The page that a token leads to, in the order in which they were given out. */
  readonly #pages = new Map<string, number>();

  /** Counted from 1; 2 for a token that nobody remembers. */
  pageOf({ query }: RequestView): number {
    const token = textValue(query, 'continue');
    return token === '' ? 1 : (this.#pages.get(token) ?? 2);
  }

  /** A list has been answered with a token for its next page. */
  answered(request: RequestView, token: string): void {
    this.#pages.set(token, this.pageOf(request) + 1);
    if (this.#pages.size <= MOST_TOKENS) return;
    for (const oldest of this.#pages.keys()) {
      this.#pages.delete(oldest);
      break;
    }
  }
}
