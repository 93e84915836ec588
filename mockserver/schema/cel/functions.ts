/** All functions that expressions know, by name. Source: apiserver pkg/cel/environment/base.go, of 1.36. */
import { ADDRESS_LIBRARY } from './library-address.js';
import { LIST_LIBRARY } from './library-list.js';
import { NAMED_FORMAT_LIBRARY } from './library-named-format.js';
import { OPERATORS } from './library-operators.js';
import { OPTIONAL_LIBRARY } from './library-optional.js';
import { QUANTITY_LIBRARY } from './library-quantity.js';
import { REGEX_LIBRARY } from './library-regex.js';
import { SEMVER_LIBRARY } from './library-semver.js';
import { STANDARD } from './library-standard.js';
import { TEXT_LIBRARY } from './library-text.js';
import { URL_LIBRARY } from './library-url.js';
import { type Overload } from './overload.js';

const ALL: readonly Overload[] = [
  ...OPERATORS,
  ...STANDARD,
  ...TEXT_LIBRARY,
  ...LIST_LIBRARY,
  ...REGEX_LIBRARY,
  ...OPTIONAL_LIBRARY,
  ...QUANTITY_LIBRARY,
  ...URL_LIBRARY,
  ...ADDRESS_LIBRARY,
  ...SEMVER_LIBRARY,
  ...NAMED_FORMAT_LIBRARY,
];

function byName(overloads: readonly Overload[]): ReadonlyMap<string, readonly Overload[]> {
  const map = new Map<string, Overload[]>();
  for (const one of overloads) {
    const known = map.get(one.name);
    if (known === undefined) map.set(one.name, [one]);
    else known.push(one);
  }
  return map;
}

export const FUNCTIONS: ReadonlyMap<string, readonly Overload[]> = byName(ALL);

/** Types that may be named, as in `type(x) == int`. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
  'optional_type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'kubernetes.URL',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.NamedFormat',
  'net.IP',
  'net.CIDR',
]);
