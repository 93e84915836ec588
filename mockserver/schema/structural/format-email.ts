/** Mail addresses, as Go's net/mail reads one. */
import { isIP } from 'node:net';

/** Whether the text is one address: `a@b`, `Name <a@b>`, `group: a@b;`, with blanks and comments. */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.mailboxes(true) === 1 && reader.comments() && reader.done;
}

/** Visible characters but for those that mean something in an address. */
const ATOM = /[^\0-\x20\x7f()<>[\]:;@\\,"]+/y;
const QUOTED = /"((?:[^\0-\x08\x0a-\x1f\x7f\\"]|\\[^\0-\x08\x0a-\x1f\x7f])*)"/y;
const LITERAL = /\[([^\0-\x20\x7f[\]\\]*)\]/y;

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  /** How many addresses stand here; -1 when none can be read. */
  mailboxes(orGroup: boolean): number {
    this.#blanks();
    if (this.#address()) {
      this.#blanks();
      return this.#peek() !== '(' || this.#comment() ? 1 : -1;
    }
    if (this.#peek() !== '<' && !this.#phrase()) return -1;
    this.#blanks();
    if (orGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#address() && this.#take('>') ? 1 : -1;
  }

  /** Blanks and comments. False for a comment that does not end. */
  comments(): boolean {
    this.#blanks();
    while (this.#peek() === '(') {
      if (!this.#comment()) return false;
      this.#blanks();
    }
    return true;
  }

  #group(): number {
    this.#blanks();
    if (this.#take(';')) return this.comments() ? 0 : -1;
    for (let count = 0; ;) {
      const more = this.mailboxes(false);
      if (more < 0 || !this.comments()) return -1;
      count += more;
      if (this.#take(';')) return this.comments() ? count : -1;
      if (!this.#take(',')) return -1;
    }
  }

  #address(): boolean {
    const start = this.#at;
    this.#blanks();
    const local = this.#peek() === '"' ? (this.#match(QUOTED)?.[1] ?? '') !== '' : this.#dotAtom();
    if (local && this.#take('@')) {
      this.#blanks();
      if (this.#peek() === '[' ? isIP(this.#match(LITERAL)?.[1] ?? '') !== 0 : this.#dotAtom()) return true;
    }
    this.#at = start;
    return false;
  }

  #dotAtom(): boolean {
    const atom = this.#match(ATOM)?.[0] ?? '.';
    return !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.comments()) return false;
      this.#blanks();
      if (this.#match(this.#peek() === '"' ? QUOTED : ATOM) === null) return words > 0;
    }
  }

  #comment(): boolean {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#peek();
      if (char === '\\') this.#at++;
      else if (char === '(') depth++;
      else if (char === ')' && --depth === 0) {
        this.#at++;
        return true;
      }
    }
    return false;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(expression);
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found !== null) this.#at = sticky.lastIndex;
    return found;
  }

  #blanks(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++;
  }
}
