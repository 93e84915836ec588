/** Protobuf bodies of built-in kinds with bytes changed: each is refused, or taken for another object that can be read again. */
import { PROTOBUF, protobufCoding } from '../differential/protobuf.mjs';
import { recordedWrites } from './objects.mjs';
import { sending } from './sending.mjs';

/** `k8s\0`, which begins every body. */
const MAGIC = 4;
const REFUSALS = new Set([400, 403, 404, 405, 409, 413, 415, 422]);
const BYTES = [0x00, 0x01, 0x07, 0x08, 0x0a, 0x12, 0x7f, 0x80, 0xff];
/** Lengths and numbers beyond what a body may hold. */
const VARINTS = [
  '8001',
  'ffffffff0f',
  'ffffffffffffffffff01',
  'ffffffffffffffffffff01',
  '80808080808080808000',
];

/** The bytes with one place changed. The beginning, which tells that it is protobuf at all, is spared as a rule. */
function mutated(bytes, random, donors) {
  const from = random.below(20) === 0 ? 0 : MAGIC;
  const at = from + random.below(Math.max(bytes.length - from, 1));
  const to = Math.min(at + 1 + random.below(12), bytes.length);
  const put = (inside, end = at) => Buffer.concat([bytes.subarray(0, at), inside, bytes.subarray(end)]);
  switch (
    random.pick([
      'bit',
      'bit',
      'bit',
      'bit',
      'bit',
      'bit',
      'byte',
      'cut',
      'drop',
      'double',
      'varint',
      'graft',
      'nest',
    ])
  ) {
    case 'bit':
      return put(Buffer.from([(bytes[at] ?? 0) ^ (1 << random.below(8))]), at + 1);
    case 'byte':
      return put(Buffer.from([random.pick(BYTES)]), at + 1);
    case 'cut':
      return bytes.subarray(0, at);
    case 'drop':
      return put(Buffer.alloc(0), to);
    case 'double':
      return put(bytes.subarray(at, to));
    case 'varint':
      return put(Buffer.from(random.pick(VARINTS), 'hex'), at + random.below(2));
    case 'graft': {
      const donor = random.pick(donors);
      const start = random.below(donor.length);
      return put(donor.subarray(start, start + 1 + random.below(60)), random.pick([at, to]));
    }
    case 'nest':
      return put(Buffer.alloc(random.below(2000), random.pick([0x0a, 0x0b, 0x12])));
  }
}

/** Shape: as sending. One in four is no dry run; one in three answers is asked for in JSON. */
export async function fuzzProtobuf({ url, count, random }) {
  const { encoded, decoded } = await protobufCoding();
  const all = recordedWrites().map((write) => ({ ...write, bytes: encoded(write.body) }));
  const donors = all.map(({ bytes }) => bytes);
  const isRight = ({ status, headers, bytes, doc }) => {
    if (REFUSALS.has(status)) return true;
    if (status !== 200 && status !== 201) return false;
    if (headers['content-type'] === PROTOBUF) return decoded(bytes).bytes === 'as written here';
    return doc?.kind !== undefined;
  };
  return sending({
    url,
    count,
    isRight,
    async one(ask) {
      const { method, path, bytes } = random.pick(all);
      let body = bytes;
      // Most changes of a length leave nothing to read: one change is the rule.
      for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--) body = mutated(body, random, donors);
      const query = random.below(4) === 0 ? '' : '?dryRun=All';
      const accept = random.below(3) === 0 ? 'application/json' : PROTOBUF;
      await ask(method, path + query, body, { 'content-type': PROTOBUF, accept });
    },
  });
}
