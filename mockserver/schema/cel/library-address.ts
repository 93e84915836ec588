/** Functions of IP addresses and networks. Source: apiserver pkg/cel/library/ip.go, cidr.go. */
import { goQuote } from '../../ground/revision.js';
import {
  type Address,
  type Network,
  addressText,
  holdsAddress,
  isMapped,
  masked,
  readAddress,
  readNetwork,
} from './address.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { text } from './readers.js';
import { Opaque, type Value } from './values.js';

class IpValue extends Opaque {
  readonly typeName = 'net.IP';
  readonly address: Address;
  constructor(address: Address) {
    super();
    this.address = address;
  }
  equals(other: Opaque): boolean {
    if (!(other instanceof IpValue)) return false;
    return other.address.version === this.address.version && other.address.bits === this.address.bits;
  }
}

class CidrValue extends Opaque {
  readonly typeName = 'net.CIDR';
  readonly network: Network;
  constructor(network: Network) {
    super();
    this.network = network;
  }
  equals(other: Opaque): boolean {
    if (!(other instanceof CidrValue) || other.network.length !== this.network.length) return false;
    const [a, b] = [this.network.address, other.network.address];
    return a.version === b.version && a.bits === b.bits;
  }
}

/** Source: Go's netip.ParseAddr, for IPv4. */
function addressProblem(source: string): string {
  if (!source.includes('.') || source.includes(':')) return 'unable to parse IP';
  const odd = source.search(/[^0-9.]/);
  if (odd >= 0) return `unexpected character (at ${goQuote(source.slice(odd))})`;
  const parts = source.split('.');
  if (parts.includes('')) return 'IPv4 field must have at least one digit';
  if (parts.some((one) => one.length > 1 && one.startsWith('0')))
    return 'IPv4 field has octet with leading zero';
  if (parts.some((one) => Number(one) > 255)) return 'IPv4 field has value >255';
  return parts.length < 4 ? 'IPv4 address too short' : 'IPv4 address too long';
}

const ipProblem = (source: string): string | undefined => {
  const [bare = ''] = source.split('%', 1);
  const address = readAddress(bare);
  if (address === undefined) {
    return `IP Address ${goQuote(source)} parse error during conversion from string: ParseAddr(${goQuote(source)}): ${addressProblem(source)}`;
  }
  if (bare !== source) return `IP address ${goQuote(source)} with zone value is not allowed`;
  return isMapped(address) ? `IPv4-mapped IPv6 address ${goQuote(source)} is not allowed` : undefined;
};

function ip(source: string): IpValue {
  const address = readAddress(source);
  const problem = ipProblem(source);
  if (problem !== undefined || address === undefined) throw new CelError(problem ?? '');
  return new IpValue(address);
}

const isCidr = (source: string): boolean => {
  const network = readNetwork(source);
  return network !== undefined && !isMapped(network.address);
};

function cidr(source: string): CidrValue {
  const network = readNetwork(source);
  const prefix = 'network address parse error during conversion from string: ';
  if (network === undefined) {
    throw new CelError(`${prefix}${prefix}netip.ParsePrefix(${goQuote(source)}): ${prefixProblem(source)}`);
  }
  if (isMapped(network.address)) {
    throw new CelError(`${prefix}IPv4-mapped IPv6 address ${goQuote(source)} is not allowed`);
  }
  return new CidrValue(network);
}

/** Source: Go's netip.ParsePrefix. */
function prefixProblem(source: string): string {
  const slash = source.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const bits = source.slice(slash + 1);
  if (readAddress(source.slice(0, slash)) === undefined) {
    return `ParseAddr(${goQuote(source.slice(0, slash))}): ${addressProblem(source.slice(0, slash))}`;
  }
  return /^(?:0|[1-9][0-9]*)$/.test(bits)
    ? 'prefix length out of range'
    : `bad bits after slash: ${goQuote(bits)}`;
}

function address(value: Value): Address {
  if (value instanceof IpValue) return value.address;
  throw noSuchOverload();
}

function network(value: Value): Network {
  if (value instanceof CidrValue) return value.network;
  throw noSuchOverload();
}

const inside = (value: Address, ...networks: readonly string[]): boolean =>
  networks.some((one) => {
    const known = readNetwork(one);
    return known !== undefined && holdsAddress(known, value);
  });

const isUnspecified = (value: Address): boolean => value.bits === 0n;
const isLoopback = (value: Address): boolean => inside(value, '127.0.0.0/8', '::1/128');
const isMulticast = (value: Address): boolean => inside(value, '224.0.0.0/4', 'ff00::/8');
const isLinkLocal = (value: Address): boolean => inside(value, '169.254.0.0/16', 'fe80::/10');
/** Link-local multicast of IPv6: scope 2, whatever the flags. */
const isLinkLocalMulticast = (value: Address): boolean =>
  inside(value, '224.0.0.0/24') || (value.version === 6 && ((value.bits >> 112n) & 0xff0fn) === 0xff02n);
const isGlobalUnicast = (value: Address): boolean =>
  !isUnspecified(value) &&
  !isLoopback(value) &&
  !isMulticast(value) &&
  !isLinkLocal(value) &&
  !inside(value, '255.255.255.255/32');

const containsNetwork = (outer: Network, inner: Network): boolean =>
  outer.length <= inner.length && holdsAddress(outer, inner.address);

function isCanonical(source: string): boolean {
  return addressText(ip(source).address) === source;
}

export const ADDRESS_LIBRARY: readonly Overload[] = [
  func('ip(string): ip', (a) => ip(text(a))),
  func('isIP(string): bool', (a) => ipProblem(text(a)) === undefined),
  func('ip.isCanonical(string): bool', (a) => isCanonical(text(a))),
  func('string(ip): string', (a) => addressText(address(a))),
  method('ip.family(): int', (a) => BigInt(address(a).version)),
  method('ip.isUnspecified(): bool', (a) => isUnspecified(address(a))),
  method('ip.isLoopback(): bool', (a) => isLoopback(address(a))),
  method('ip.isLinkLocalMulticast(): bool', (a) => isLinkLocalMulticast(address(a))),
  method('ip.isLinkLocalUnicast(): bool', (a) => isLinkLocal(address(a))),
  method('ip.isGlobalUnicast(): bool', (a) => isGlobalUnicast(address(a))),
  func('cidr(string): cidr', (a) => cidr(text(a))),
  func('isCIDR(string): bool', (a) => isCidr(text(a))),
  func('string(cidr): string', (a) => `${addressText(network(a).address)}/${network(a).length}`),
  method('cidr.containsIP(ip): bool', (a, b) => holdsAddress(network(a), address(b))),
  method('cidr.containsIP(string): bool', (a, b) => holdsAddress(network(a), ip(text(b)).address)),
  method('cidr.containsCIDR(cidr): bool', (a, b) => containsNetwork(network(a), network(b))),
  method('cidr.containsCIDR(string): bool', (a, b) => containsNetwork(network(a), cidr(text(b)).network)),
  method('cidr.ip(): ip', (a) => new IpValue(network(a).address)),
  method('cidr.prefixLength(): int', (a) => BigInt(network(a).length)),
  method(
    'cidr.masked(): cidr',
    (a) => new CidrValue({ address: masked(network(a)), length: network(a).length }),
  ),
];
