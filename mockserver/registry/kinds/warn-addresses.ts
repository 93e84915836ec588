/** Warnings about IP addresses that are not written in their canonical form. Source: apimachinery util/validation/ip.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';
import { canonicalIp } from './ip-address-text.js';
import { firstAddress, parseCidr } from './validate-addresses.js';

/** About one address, or each of a list. */
export function addressWarnings(object: JsonObject | undefined, name: string, at: string): readonly string[] {
  const value = member(object, name);
  if (typeof value === 'string') return addressTextWarnings(value, `${at}.${name}`);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one, i) =>
    typeof one === 'string' ? addressTextWarnings(one, `${at}.${name}[${i}]`) : [],
  );
}

export function addressTextWarnings(text: string, field: string): readonly string[] {
  const known = canonicalIp(text);
  if (known === undefined || text === '') return [];
  if (known.leadingZeros || known.mapped)
    return [
      `${field}: non-standard IP address ${goQuote(text)} will be considered invalid in a future Kubernetes release: use ${goQuote(known.text)}`,
    ];
  if (known.text === text) return [];
  return [
    `${field}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(known.text)})`,
  ];
}

export function cidrTextWarnings(text: string, field: string): readonly string[] {
  const cidr = parseCidr(text);
  const [address = '', bits = ''] = text.split('/');
  const known = canonicalIp(address);
  if (cidr === undefined || known === undefined) return [];
  const texts: string[] = [];
  if (known.leadingZeros || known.mapped || String(Number(bits)) !== bits)
    texts.push(
      `${field}: non-standard CIDR value ${goQuote(text)} will be considered invalid in a future Kubernetes release: use ${goQuote(`${known.text}/${cidr.bits}`)}`,
    );
  else if (firstAddress(cidr) !== cidr.address)
    texts.push(
      `${field}: CIDR value ${goQuote(text)} is ambiguous in this context (should be ${goQuote(`${shownNetwork(cidr.size, firstAddress(cidr))}/${cidr.bits}`)} or ${goQuote(`${known.text}/${cidr.size}`)}?)`,
    );
  else if (known.text !== address)
    texts.push(
      `${field}: IPv6 CIDR value ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(`${known.text}/${cidr.bits}`)})`,
    );
  return texts;
}

function shownNetwork(size: 32 | 128, value: bigint): string {
  const width = size === 32 ? 8n : 16n;
  const count = size === 32 ? 4 : 8;
  const parts = Array.from(
    { length: count },
    (_, i) => (value >> (width * BigInt(count - 1 - i))) & ((1n << width) - 1n),
  );
  const text = size === 32 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
  return canonicalIp(text)?.text ?? text;
}
