/** Certificate signing requests as bytes: the organizations in their subject. Source: RFC 2986, ITU-T X.690. */

/** One value of DER: its tag, and where its content begins and ends. */
interface Value {
  readonly tag: number;
  readonly from: number;
  readonly to: number;
}

const SEQUENCE = 0x30;
const SET = 0x31;
/** 2.5.4.10, organizationName. */
const ORGANIZATION = Buffer.from([0x55, 0x04, 0x0a]);

/** @param request a PEM block, in base64. Shape: empty for what is no request. */
export function organizationsOf(request: string): readonly string[] {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/.exec(
    pem,
  )?.[1];
  if (body === undefined) return [];
  const bytes = Buffer.from(body, 'base64');
  const info = partsOf(bytes, { tag: SEQUENCE, from: 0, to: bytes.length }).flatMap((one) =>
    partsOf(bytes, one).slice(0, 1),
  )[0];
  const subject = info === undefined ? undefined : partsOf(bytes, info)[1];
  if (subject?.tag !== SEQUENCE) return [];
  return partsOf(bytes, subject)
    .filter(({ tag }) => tag === SET)
    .flatMap((set) => partsOf(bytes, set))
    .flatMap((attribute) => {
      const [type, value] = partsOf(bytes, attribute);
      if (type === undefined || value === undefined) return [];
      return bytes.subarray(type.from, type.to).equals(ORGANIZATION)
        ? [bytes.subarray(value.from, value.to).toString('utf8')]
        : [];
    });
}

/** The values inside a value; those before the first that does not fit. */
function partsOf(bytes: Buffer, { from, to }: Value): readonly Value[] {
  const parts: Value[] = [];
  let at = from;
  while (at + 2 <= to) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (more > 4 || at + 2 + more > to) break;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    const begin = at + 2 + more;
    if (begin + length > to) break;
    parts.push({ tag, from: begin, to: begin + length });
    at = begin + length;
  }
  return parts;
}
