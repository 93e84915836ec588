/** Reads the members of a zip archive: as much of the format as archives of programs use. */
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_BYTES = 22;

/** Shape: name → bytes. Errors: for what is no zip archive, and for ways of compression other than deflate. */
export function zipMembers(bytes) {
  let end = bytes.length - END_BYTES;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error('not a zip archive');
  const members = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const lengths = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + lengths[0]);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + size);
    if (method !== 0 && method !== 8)
      throw new Error(`${name} is compressed in a way that is not known here`);
    members.set(name, method === 0 ? packed : inflateRawSync(packed));
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return members;
}
