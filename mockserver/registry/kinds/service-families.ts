/** IP families of a service: which it has, and whether one or two, on a cluster with IPv4 addresses for services. */
import { isIPv6 } from 'node:net';
import { type FieldError, duplicate, invalid, notSupported, required } from '../../ground/field-error.js';
import {
  type JsonObject,
  type MutableJsonObject,
  arrayMember,
  jsonEqual,
  member,
  stringMember,
} from '../../ground/json.js';
import { canonicalIp } from './ip-address-text.js';

export type SettledSpec =
  | { readonly ok: true; readonly spec: JsonObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const CLUSTER_FAMILY = 'IPv4';
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'] as const;

/** Texts of a list member. Shape: empty when it is absent. */
export const textsOf = (spec: JsonObject | undefined, name: string): readonly string[] =>
  (arrayMember(spec, name) ?? []).filter((one): one is string => typeof one === 'string');

export const typeOf = (spec: JsonObject | undefined): string => stringMember(spec, 'type') ?? 'ClusterIP';

const familyOf = (address: string): string => (isIPv6(address) ? 'IPv6' : 'IPv4');

/**
 * The spec with ipFamilyPolicy and ipFamilies.
 *
 * Shape: the spec itself for a service without addresses, and for one whose two families stay as they were.
 * Errors: in the words of a real server, which stops at the first sort of them.
 * Source: kubernetes registry/core/service/storage/alloc.go, initIPFamilyFields; KEP-563.
 */
export function settleFamilies(spec: JsonObject, before: JsonObject | undefined): SettledSpec {
  if (typeOf(spec) === 'ExternalName' || staysPreferred(spec, before)) return { ok: true, spec };
  const selectorless = Object.keys((member(spec, 'selector') ?? {}) as JsonObject).length === 0;
  const headless = stringMember(spec, 'clusterIP') === 'None' && selectorless;
  const policy =
    stringMember(spec, 'ipFamilyPolicy') ??
    stringMember(before, 'ipFamilyPolicy') ??
    (headless ? 'RequireDualStack' : 'SingleStack');
  const next: MutableJsonObject = { ...spec, ipFamilyPolicy: policy };
  const formErrors = addressErrors(next, before);
  if (formErrors.length > 0) return { ok: false, errors: formErrors };

  const errors: FieldError[] = [];
  if (before !== undefined) errors.push(...reductionErrors(next, before));
  if (policy === 'SingleStack') {
    const why = (what: string): FieldError =>
      invalid(
        'spec.ipFamilyPolicy',
        policy,
        `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
      );
    if (textsOf(next, 'clusterIPs').length === 2) errors.push(why('cluster IPs'));
    if (textsOf(next, 'ipFamilies').length === 2) errors.push(why('IP families'));
  }
  const families = [...textsOf(next, 'ipFamilies')];
  const addresses = textsOf(next, 'clusterIPs');
  for (const [i, address] of addresses.entries()) {
    if (address === 'None') break;
    if (i < families.length) continue;
    const family = familyOf(address);
    if (family === CLUSTER_FAMILY) families.push(family);
    else
      errors.push(invalid(`spec.clusterIPs[${i}]`, addresses, `${family} is not configured on this cluster`));
  }
  if (errors.length > 0) return { ok: false, errors };
  if (families.length === 0) families.push(CLUSTER_FAMILY);

  if (headless) {
    if (families.length < 2 && policy !== 'SingleStack') {
      families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
    }
    return { ok: true, spec: { ...next, ipFamilies: families } };
  }
  if (policy === 'RequireDualStack') {
    errors.push(
      invalid('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services'),
    );
  }
  for (const [i, family] of families.entries()) {
    if (family !== CLUSTER_FAMILY) {
      errors.push(invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
    }
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, spec: { ...next, ipFamilies: families } };
}

const same = (a: JsonObject, b: JsonObject, name: string): boolean =>
  jsonEqual(textsOf(a, name), textsOf(b, name));

/** A service that preferred two families, still does, and changes neither them nor its addresses. */
function staysPreferred(spec: JsonObject, before: JsonObject | undefined): boolean {
  if (before === undefined || stringMember(spec, 'ipFamilyPolicy') !== 'PreferDualStack') return false;
  return (
    typeOf(spec) === typeOf(before) &&
    (stringMember(before, 'ipFamilyPolicy') ?? 'PreferDualStack') === 'PreferDualStack' &&
    same(spec, before, 'clusterIPs') &&
    same(spec, before, 'ipFamilies')
  );
}

/** On the way to one family the second ones go by themselves, when nothing else is said; else they may not go. */
function reductionErrors(next: MutableJsonObject, before: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, what] of [
    ['clusterIPs', 'cluster IP'],
    ['ipFamilies', 'IP family'],
  ] as const) {
    const [given, had] = [textsOf(next, name), textsOf(before, name)];
    if (next['ipFamilyPolicy'] === 'SingleStack') {
      if (given.length > 1 && jsonEqual(given, had)) next[name] = given.slice(0, 1);
    } else if (given.length > 0 && given.length < had.length) {
      errors.push(
        invalid(
          'spec.ipFamilyPolicy',
          next['ipFamilyPolicy'] ?? null,
          `must be 'SingleStack' to release the secondary ${what}`,
        ),
      );
    }
  }
  return errors;
}

/**
 * What is wrong with addresses, families and policy by themselves.
 * Source: kubernetes apis/core/validation/validation.go, ValidateServiceClusterIPsRelatedFields.
 */
function addressErrors(spec: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [address, addresses] = [stringMember(spec, 'clusterIP') ?? '', textsOf(spec, 'clusterIPs')];
  if (address !== '' && addresses.length === 0) errors.push(required('spec.clusterIPs'));
  else if (address !== '' && addresses[0] !== address) {
    errors.push(invalid('spec.clusterIPs', addresses, 'first value must match `clusterIP`'));
  } else if (address === '' && addresses.length > 0) {
    errors.push(invalid('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'));
  }
  const families = textsOf(spec, 'ipFamilies');
  for (const [i, family] of families.entries()) {
    const field = `spec.ipFamilies[${i}]`;
    if (family !== 'IPv4' && family !== 'IPv6') errors.push(notSupported(field, family, ['IPv4', 'IPv6']));
    if (families.indexOf(family) < i) errors.push(duplicate(field, family));
  }
  const policy = stringMember(spec, 'ipFamilyPolicy') ?? '';
  if (!POLICIES.some((one) => one === policy)) {
    errors.push(notSupported('spec.ipFamilyPolicy', policy, POLICIES));
  }
  const known = new Set(textsOf(before, 'clusterIPs'));
  let broken = false;
  for (const [i, one] of addresses.entries()) {
    if (i === 0 && one === 'None') {
      if (addresses.length === 1) continue;
      broken = true;
      errors.push(invalid('spec.clusterIPs', addresses, "'None' must be the first and only value"));
    } else if (!known.has(one) && canonicalIp(one) === undefined) {
      broken = true;
      errors.push(
        invalid(
          `spec.clusterIPs[${i}]`,
          one,
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ),
      );
    }
  }
  if (addresses.length > 2) {
    errors.push(invalid('spec.clusterIPs', addresses, 'may only hold up to 2 values'));
  }
  if (broken) return errors;
  if (addresses.length > 1 && new Set(addresses.map(familyOf)).size < addresses.length) {
    errors.push(invalid('spec.clusterIPs', addresses, 'may specify no more than one IP for each IP family'));
  }
  if (address === 'None') return errors;
  for (const [i, one] of addresses.entries()) {
    const family = families[i];
    if (family === undefined) break;
    if (familyOf(one) !== family && (family === 'IPv4' || family === 'IPv6')) {
      const article = `an ${family}`;
      errors.push(
        invalid(
          `spec.clusterIPs[${i}]`,
          one,
          `expected ${article} value as indicated by \`ipFamilies[${i}]\``,
        ),
      );
    }
  }
  return errors;
}
