/** Frames on their way into an HTTP/1.1 body: joined and put into chunks once for all watchers that get the same ones. */

const CRLF = Buffer.from('\r\n');

/** Bursts that are remembered: more than one, since watchers of different selections take turns. */
const REMEMBERED = 8;

/** Longer bursts are not remembered, so that this never holds much. */
const WORTH_REMEMBERING_BYTES = 256 * 1024;

export class FrameChunks {
  #bursts: { readonly frames: readonly Buffer[]; readonly chunk: Buffer }[] = [];
  #next = 0;

  /**
   * One chunk with these frames in order.
   *
   * @param frames not empty. Watchers that are handed the same buffers share the chunk.
   */
  chunkOf(frames: readonly Buffer[]): Buffer {
    const known = this.#bursts.find((burst) => sameBuffers(burst.frames, frames));
    if (known !== undefined) return known.chunk;
    const length = frames.reduce((sum, frame) => sum + frame.length, 0);
    const chunk = Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...frames, CRLF]);
    if (length <= WORTH_REMEMBERING_BYTES) {
      this.#bursts[this.#next] = { frames, chunk };
      this.#next = (this.#next + 1) % REMEMBERED;
    }
    return chunk;
  }
}

function sameBuffers(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
