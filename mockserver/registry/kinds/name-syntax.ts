/** Names that are IP addresses, and prefixes of names that are still to be made. */
import { goQuote } from '../../ground/revision.js';
import { canonicalIp } from './ip-address-text.js';

/** The canonical text of an IP address. Source: apimachinery util/validation/ip.go, IsValidIP. */
export function ipProblems(text: string): readonly string[] {
  const address = canonicalIp(text);
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const problems: string[] = [];
  if (address.leadingZeros) problems.push('must not have leading 0s');
  if (address.mapped) problems.push('must not be an IPv4-mapped IPv6 address');
  if (problems.length === 0 && text !== address.text) {
    problems.push(`must be in canonical form (${goQuote(address.text)})`);
  }
  return problems;
}

/**
 * A prefix to which something is appended: a dash at its end is no fault.
 *
 * Source: apimachinery api/validation/generic.go, maskTrailingDash, which drops one character too many; the result
 * differs from the prefix in its last two characters only.
 */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}
