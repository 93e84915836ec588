/** IP addresses and networks as numbers. Source: Go's net/netip. */
import { isIPv6 } from 'node:net';

export interface Address {
  readonly version: 4 | 6;
  readonly bits: bigint;
}

export interface Network {
  readonly address: Address;
  readonly length: number;
}

export const width = ({ version }: Address): number => (version === 4 ? 32 : 128);

/** Undefined for what is no address; zones are not part of one here. */
export function readAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const bits = ipv4Bits(text);
    return bits === undefined ? undefined : { version: 4, bits };
  }
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const ending = /[^:]*\.[^:]*$/.exec(text)?.[0];
  let plain = text;
  if (ending !== undefined) {
    const bits = ipv4Bits(ending);
    if (bits === undefined) return undefined;
    const groups = `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
    plain = text.slice(0, -ending.length) + groups;
  }
  const [front = '', back] = plain.split('::');
  const head = front === '' ? [] : front.split(':');
  const tail = back === undefined || back === '' ? [] : back.split(':');
  const missing = Array<string>(8 - head.length - tail.length).fill('0');
  const groups = [...head, ...(back === undefined ? [] : missing), ...tail];
  return {
    version: 6,
    bits: groups.reduce((bits, group) => (bits << 16n) | BigInt(parseInt(group, 16)), 0n),
  };
}

function ipv4Bits(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  if (!parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)) return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** An IPv4 address inside IPv6. */
export const isMapped = ({ version, bits }: Address): boolean => version === 6 && bits >> 32n === 0xffffn;

/** RFC 5952. */
export function addressText({ version, bits }: Address): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_one, i) => Number((bits >> BigInt(112 - 16 * i)) & 0xffffn));
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

export function readNetwork(text: string): Network | undefined {
  const parts = /^(.*)\/(0|[1-9][0-9]{0,2})$/.exec(text);
  const address = readAddress(parts?.[1] ?? '');
  const length = Number(parts?.[2]);
  return address === undefined || length > width(address) ? undefined : { address, length };
}

/** With zeros behind the prefix. */
export function masked({ address, length }: Network): Address {
  const rest = BigInt(width(address) - length);
  return { version: address.version, bits: (address.bits >> rest) << rest };
}

export function holdsAddress(network: Network, address: Address): boolean {
  if (network.address.version !== address.version) return false;
  return masked({ address, length: network.length }).bits === masked(network).bits;
}
