/** A row as it is at any time: what an object shows, with its ages still open. */
import { type JsonArray } from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { byteString } from '../../ground/utf8.js';
import { type CellValue } from './cell.js';
import { Elapsed } from './elapsed.js';

export class RowTemplate {
  readonly conditions: JsonArray | undefined;
  readonly #cells: readonly CellValue[];
  #pieces: readonly (string | Elapsed)[] | undefined;

  constructor(cells: readonly CellValue[], conditions: JsonArray | undefined) {
    this.#cells = cells;
    this.conditions = conditions;
  }

  /** @param now milliseconds since 1970: ages are counted to it. */
  cells(now: number): JsonArray {
    return this.#cells.map((cell) => (cell instanceof Elapsed ? cell.at(now) : cell));
  }

  /**
   * The row in compact JSON up to the value of its last member: `{"cells":[…],"object":`, as a byte string.
   *
   * @param now as of `cells`
   */
  opening(now: number): string {
    let text = '';
    for (const piece of (this.#pieces ??= this.#split())) {
      text += typeof piece === 'string' ? piece : quoted(piece.at(now));
    }
    return text;
  }

  /** Neighbouring texts in one piece. */
  #split(): readonly (string | Elapsed)[] {
    const pieces: (string | Elapsed)[] = [];
    let text = '{"cells":[';
    for (const [i, cell] of this.#cells.entries()) {
      if (i > 0) text += ',';
      if (cell instanceof Elapsed) {
        pieces.push(byteString(text), cell);
        text = '';
      } else text += writeJson(cell);
    }
    const conditions = this.conditions === undefined ? '' : `,"conditions":${writeJson(this.conditions)}`;
    pieces.push(byteString(`${text}]${conditions},"object":`));
    return pieces;
  }
}

/** Texts of elapsed times have nothing to escape, but for the one that is no time. */
const quoted = (text: string): string => (text.includes('<') ? writeJson(text) : `"${text}"`);
