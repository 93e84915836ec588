/** IP addresses as text: what Go's parser takes, and the form in which it writes them. */
import { isIPv6 } from 'node:net';

export interface IpText {
  /** Canonical: IPv6 in lower case with its longest run of zero groups shortened; a mapped address as IPv4. */
  readonly text: string;
  /** Some IPv4 number is written with zeros in front. */
  readonly leadingZeros: boolean;
  /** An IPv4 address inside IPv6: `::ffff:1.2.3.4`. */
  readonly mapped: boolean;
}

/** Reads an address. Errors: undefined when it is none. */
export function canonicalIp(text: string): IpText | undefined {
  if (!text.includes(':')) {
    const numbers = ipv4Numbers(text);
    return numbers && { text: numbers.join('.'), leadingZeros: numbers.join('.') !== text, mapped: false };
  }
  // An IPv4 ending may have zeros in front, which node refuses.
  const ending = /^(.*:)([0-9.]+)$/.exec(text);
  let plain = text;
  let leadingZeros = false;
  if (ending?.[2]?.includes('.')) {
    const numbers = ipv4Numbers(ending[2]);
    if (numbers === undefined) return undefined;
    leadingZeros = numbers.join('.') !== ending[2];
    plain = `${ending[1] ?? ''}${numbers.join('.')}`;
  }
  if (!isIPv6(plain) || plain.includes('%')) return undefined;
  const groups = ipv6Groups(plain);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return { text: [high >> 8, high & 255, low >> 8, low & 255].join('.'), leadingZeros, mapped };
  }
  return { text: shortened(groups), leadingZeros, mapped };
}

function ipv4Numbers(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,}$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? numbers : undefined;
}

/** The eight groups of a valid address. */
function ipv6Groups(text: string): number[] {
  const [front = '', back] = text.split('::');
  const head = groupsOf(front);
  if (back === undefined) return head;
  const tail = groupsOf(back);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    const numbers = group.includes('.') ? ipv4Numbers(group) : undefined;
    if (numbers === undefined) return [parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = numbers;
    return [(a << 8) | b, (c << 8) | d];
  });
}

/** RFC 5952: the longest run of at least two zero groups, the first of equals, becomes `::`. */
function shortened(groups: readonly number[]): string {
  let start = -1;
  let length = 1;
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
    i = Math.max(i, end - 1);
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}
