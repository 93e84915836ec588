/** Checks of IP addresses and ranges. Source: apimachinery util/validation/ip.go; kubernetes apis/core/validation. */
import { type Findings } from '../../schema/validation/findings.js';
import { canonicalIp } from './ip-address-text.js';

export const IP_PROBLEM = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
export const CIDR_PROBLEM = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** As fields that are older than the strict form take it: leading zeros and all. */
export function ipAddress(found: Findings, text: string, field: string): void {
  if (canonicalIp(text) === undefined) found.invalid(field, text, IP_PROBLEM);
}

/** A range of addresses. */
export interface Cidr {
  readonly family: 'IPv4' | 'IPv6';
  readonly address: bigint;
  /** Leading bits that count. */
  readonly bits: number;
  readonly size: 32 | 128;
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** The address as a number; undefined for what is none. */
export function addressValue(text: string): { readonly value: bigint; readonly size: 32 | 128 } | undefined {
  const known = canonicalIp(text)?.text;
  if (known === undefined) return undefined;
  const parts = IPV4.exec(known);
  if (parts !== null)
    return { value: parts.slice(1).reduce((sum, part) => sum * 256n + BigInt(part), 0n), size: 32 };
  const [head = '', tail] = known.split('::');
  const words = (half: string): string[] => (half === '' ? [] : half.split(':'));
  const [before, after] = [words(head), words(tail ?? '')];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return { value: all.reduce((sum, word) => sum * 65536n + BigInt(`0x${word}`), 0n), size: 128 };
}

/** Shape: undefined for what is no range. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  const address = slash < 0 ? undefined : addressValue(text.slice(0, slash));
  if (address === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  const bits = Number(length);
  if (bits > address.size) return undefined;
  const family = address.size === 32 ? 'IPv4' : 'IPv6';
  return { family, address: address.value, bits, size: address.size };
}

const network = ({ address, size }: Cidr, bits: number): bigint => address >> BigInt(size - bits);

/** Whether `inner` lies in `outer` and is not all of it. */
export const isStrictlyInside = (inner: Cidr, outer: Cidr): boolean =>
  inner.size === outer.size &&
  inner.bits > outer.bits &&
  network(inner, outer.bits) === network(outer, outer.bits);

export const firstAddress = (cidr: Cidr): bigint => network(cidr, cidr.bits) << BigInt(cidr.size - cidr.bits);

/** What addresses of endpoints may not be. Source: validation.go, ValidateEndpointIP. */
export function endpointAddress(found: Findings, text: string, field: string): void {
  const address = addressValue(text);
  if (address === undefined) {
    found.invalid(field, text, 'must be a valid IP address');
    return;
  }
  for (const problem of specialAddressProblems(address)) found.invalid(field, text, problem);
}

export function specialAddressProblems({
  value,
  size,
}: {
  readonly value: bigint;
  readonly size: 32 | 128;
}): readonly string[] {
  const starts = (bits: number, prefix: bigint): boolean => value >> BigInt(size - bits) === prefix;
  const four = size === 32;
  const problems: string[] = [];
  if (value === 0n) problems.push(`may not be unspecified (${four ? '0.0.0.0' : '::'})`);
  if (four ? starts(8, 127n) : value === 1n)
    problems.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (four ? starts(16, 0xa9fen) : starts(10, 0x3fan))
    problems.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (four ? starts(24, 0xe00000n) : starts(16, 0xff02n))
    problems.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return problems;
}

/** An address with the length of its network. Source: apimachinery util/validation/ip.go, IsValidInterfaceAddress. */
export function interfaceAddress(found: Findings, text: string, field: string): void {
  const cidr = parseCidr(text);
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : canonicalIp(text.slice(0, slash));
  if (cidr === undefined || address === undefined) {
    found.invalid(field, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)');
    return;
  }
  const canonical = `${address.text}/${cidr.bits}`;
  if (text !== canonical)
    found.invalid(field, text, `must be in canonical form (${JSON.stringify(canonical)})`);
}

/** A range, written in its one form. Source: apimachinery util/validation/ip.go, IsValidCIDR. */
export function canonicalCidr(found: Findings, text: string, field: string): void {
  const cidr = parseCidr(text);
  const [address = '', bits = ''] = text.split('/');
  const known = canonicalIp(address);
  if (cidr === undefined || known === undefined) found.invalid(field, text, CIDR_PROBLEM);
  else if (known.leadingZeros || String(cidr.bits) !== bits)
    found.invalid(field, text, 'must not have leading 0s in IP or prefix length');
  else if (known.mapped) found.invalid(field, text, 'must not have an IPv4-mapped IPv6 address');
  else if (firstAddress(cidr) !== cidr.address)
    found.invalid(field, text, 'must not have bits set beyond the prefix length');
  else if (known.text !== address)
    found.invalid(field, text, `must be in canonical form (${JSON.stringify(`${known.text}/${bits}`)})`);
}
