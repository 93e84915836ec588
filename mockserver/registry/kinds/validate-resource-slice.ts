/** Validation of ResourceSlices, the devices of a driver. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { type ApiObject } from '../../ground/object.js';
import { eachOf, eachOfSet } from '../../schema/validation/bounded-lists.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { type KindValidation } from '../kind-validation.js';
import { deviceCapacity, nodeResourceMappings } from './validate-device-capacity.js';
import { bindingConditions } from './validate-device-claim-status.js';
import { driverName, poolName, qualifiedName } from './validate-device-names.js';
import { deviceTaint } from './validate-device-taint.js';
import { nodeSelector } from './validate-pod-scheduling.js';

const MOST_DEVICES = 128;
const MOST_RICH_DEVICES = 64;
const MOST_COUNTER_SETS = 8;
const MOST_COUNTERS = 32;
const MOST_CONSUMPTIONS = 2;
const MOST_TAINTS = 16;
const MOST_PROPERTIES = 32;
const MOST_VALUES = 48;
const LONGEST_VALUE = 64;

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

const PLACES = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';

function resourceSlice(found: Findings, object: ApiObject, previous?: ApiObject): void {
  const spec = specOf(object);
  const pool = partOrEmpty(spec, 'pool');
  driverName(found, textAt(spec, 'driver'), 'spec.driver');
  poolName(found, textAt(pool, 'name'), 'spec.pool.name');
  const count = integerAt(pool, 'resourceSliceCount');
  if (count <= 0) found.invalid('spec.pool.resourceSliceCount', count, 'must be greater than zero');
  const generation = integerAt(pool, 'generation');
  if (generation < 0)
    found.invalid('spec.pool.generation', generation, 'must be greater than or equal to zero');
  const before = previous === undefined ? undefined : specOf(previous);
  if (before !== undefined) {
    same(found, pool, partOrEmpty(before, 'pool'), 'spec.pool', 'name');
    same(found, spec, before, 'spec', 'driver');
    same(found, spec, before, 'spec', 'nodeName');
  }
  onePlace(found, spec);
  if (isSet(spec, 'sharedCounters') && isSet(spec, 'devices'))
    found.invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed');
  devices(found, spec, before);
  eachOfSet(
    found,
    itemsAt(spec, 'sharedCounters'),
    'spec.sharedCounters',
    MOST_COUNTER_SETS,
    (set, at) => {
      counters(found, set, at, 'name');
    },
    (set) => textAt(set, 'name'),
  );
}

function same(found: Findings, next: JsonObject, previous: JsonObject, at: string, name: string): void {
  const [now, before] = [member(next, name) ?? null, member(previous, name) ?? null];
  if (!jsonEqual(now, before)) found.invalid(`${at}.${name}`, now, IMMUTABLE);
}

/** Where the devices are: said in one way. */
function onePlace(found: Findings, spec: JsonObject): void {
  const chosen = placesOf(found, spec, 'spec', 'must be either unset or set to a non-empty string');
  const selector = partAt(spec, 'nodeSelector');
  const terms = listAt(selector, 'nodeSelectorTerms');
  if (selector !== undefined && terms.length !== 1)
    found.invalid(
      'spec.nodeSelector.nodeSelectorTerms',
      [...terms],
      'must have exactly one node selector term',
    );
  if (isSet(spec, 'perDeviceNodeSelection')) {
    if (flagAt(spec, 'perDeviceNodeSelection')) chosen.push('`perDeviceNodeSelection`');
    else found.invalid('spec.perDeviceNodeSelection', false, 'must be either unset or set to true');
  }
  if (chosen.length === 0) found.required('spec', `exactly one of ${PLACES} is required`);
  else if (chosen.length > 1)
    found.invalid(
      'spec',
      `{${chosen.join(', ')}}`,
      `exactly one of ${PLACES} is required, but multiple fields are set`,
    );
}

/** Shape: the ways in which a slice or a device says where it is, as messages name them. */
function placesOf(found: Findings, owner: JsonObject, at: string, emptyName: string): string[] {
  const chosen: string[] = [];
  if (isSet(owner, 'nodeName')) {
    const name = textAt(owner, 'nodeName');
    if (name === '') found.invalid(`${at}.nodeName`, name, emptyName);
    else {
      chosen.push('`nodeName`');
      found.problems(`${at}.nodeName`, name, dns1123SubdomainProblems);
    }
  }
  const selector = partAt(owner, 'nodeSelector');
  if (selector !== undefined) {
    chosen.push('`nodeSelector`');
    nodeSelector(found, selector, `${at}.nodeSelector`);
  }
  if (flagAt(owner, 'allNodes')) chosen.push('`allNodes`');
  else if (isSet(owner, 'allNodes'))
    found.invalid(`${at}.allNodes`, false, 'must be either unset or set to true');
  return chosen;
}

const LIST_VALUES = ['ints', 'bools', 'strings', 'versions'] as const;
const SCALAR_VALUES = ['int', 'bool', 'string', 'version'] as const;

const attributesOf = (device: JsonObject): readonly JsonObject[] => {
  const attributes = partOrEmpty(device, 'attributes');
  return Object.keys(attributes).map((name) => partOrEmpty(attributes, name));
};

/** Slices whose devices need more work may have fewer of them. */
const isRich = (device: JsonObject): boolean =>
  listAt(device, 'taints').length > 0 ||
  listAt(device, 'consumesCounters').length > 0 ||
  attributesOf(device).some((attribute) => LIST_VALUES.some((name) => isSet(attribute, name)));

function devices(found: Findings, spec: JsonObject, before: JsonObject | undefined): void {
  const all = itemsAt(spec, 'devices');
  const perDevice = flagAt(spec, 'perDeviceNodeSelection');
  eachOfSet(
    found,
    all,
    'spec.devices',
    all.some(isRich) ? MOST_RICH_DEVICES : MOST_DEVICES,
    (device, at) => {
      const name = textAt(device, 'name');
      const known = itemsAt(before, 'devices').find((one) => textAt(one, 'name') === name);
      oneDevice(found, device, at, { known, perDevice });
    },
    (device) => textAt(device, 'name'),
  );
}

interface DeviceSurroundings {
  /** The device as it was. */
  readonly known: JsonObject | undefined;
  /** Whether each device says where it is. */
  readonly perDevice: boolean;
}

function oneDevice(
  found: Findings,
  device: JsonObject,
  at: string,
  { known, perDevice }: DeviceSurroundings,
): void {
  found.problems(`${at}.name`, textAt(device, 'name'), dns1123LabelProblems);
  properties(found, device, at);
  const taints = listAt(device, 'taints');
  if (known === undefined || !jsonEqual([...taints], [...listAt(known, 'taints')]))
    eachOf(found, itemsAt(device, 'taints'), `${at}.taints`, MOST_TAINTS, (taint, place) => {
      deviceTaint(found, taint, place);
    });
  eachOfSet(
    found,
    itemsAt(device, 'consumesCounters'),
    `${at}.consumesCounters`,
    MOST_CONSUMPTIONS,
    (consumption, place) => {
      counters(found, consumption, place, 'counterSet');
    },
    (consumption) => textAt(consumption, 'counterSet'),
  );
  devicePlace(found, device, at, perDevice);
  bindingConditions(found, device, at);
  nodeResourceMappings(found, device, `${at}.nodeAllocatableResourceMappings`);
}

function devicePlace(found: Findings, device: JsonObject, at: string, perDevice: boolean): void {
  const names = ['nodeName', 'nodeSelector', 'allNodes'];
  if (!perDevice) {
    if (names.some((name) => isSet(device, name)))
      found.invalid(
        at,
        null,
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      );
    return;
  }
  const chosen = placesOf(found, device, at, 'must not be empty');
  const rule =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (chosen.length === 0) found.required(at, rule);
  else if (chosen.length > 1) found.invalid(at, `{${chosen.join(', ')}}`, rule);
}

function properties(found: Findings, device: JsonObject, at: string): void {
  const attributes = partOrEmpty(device, 'attributes');
  const capacity = partOrEmpty(device, 'capacity');
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > MOST_PROPERTIES)
    found.invalid(
      at,
      count,
      `the total number of attributes and capacities must not exceed ${MOST_PROPERTIES}`,
    );
  const values = attributesOf(device).reduce((sum, one) => sum + valuesOf(one), 0);
  if (values > MOST_VALUES)
    found.invalid(at, values, `the total number of attribute values must not exceed ${MOST_VALUES}`);
  for (const name of Object.keys(attributes)) {
    qualifiedName(found, name, `${at}.attributes`);
    attribute(found, partOrEmpty(attributes, name), `${at}.attributes[${name}]`);
  }
  for (const name of Object.keys(capacity)) {
    qualifiedName(found, name, `${at}.capacity`);
    const place = `${at}.capacity[${name}]`;
    deviceCapacity(found, partOrEmpty(capacity, name), place, flagAt(device, 'allowMultipleAllocations'));
  }
}

function valuesOf(attribute: JsonObject): number {
  const count = LIST_VALUES.reduce((sum, name) => sum + listAt(attribute, name).length, 0);
  return count === 0 ? 1 : count;
}

const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

function attribute(found: Findings, one: JsonObject, at: string): void {
  const text = (value: string, field: string, isVersion: boolean): void => {
    if (isVersion && !VERSION.test(value))
      found.invalid(field, value, 'must be a string compatible with semver.org spec 2.0.0');
    if (Buffer.byteLength(value) > LONGEST_VALUE) found.tooLong(field, LONGEST_VALUE);
  };
  for (const name of ['string', 'version'] as const)
    if (isSet(one, name)) text(textAt(one, name), `${at}.${name}`, name === 'version');
  for (const name of LIST_VALUES) {
    if (!isSet(one, name)) continue;
    const list = listAt(one, name);
    if (list.length === 0) found.invalid(`${at}.${name}`, [], 'must not be empty if specified');
    list.forEach((value, i) => {
      if (typeof value === 'string') text(value, `${at}.${name}[${i}]`, name === 'versions');
    });
  }
  const names = [...SCALAR_VALUES, ...LIST_VALUES].filter((name) => isSet(one, name));
  if (names.length !== 1)
    found.invalid(at, names.length === 0 ? '' : one, 'exactly one value must be specified');
}

/** @param name the member that names the set */
function counters(found: Findings, owner: JsonObject, at: string, name: string): void {
  found.needsForm(owner, at, name, dns1123LabelProblems);
  const keys = Object.keys(partOrEmpty(owner, 'counters'));
  if (keys.length === 0) found.required(`${at}.counters`);
  else if (keys.length > MOST_COUNTERS) found.tooMany(`${at}.counters`, keys.length, MOST_COUNTERS);
  else for (const key of keys) found.problems(`${at}.counters`, key, dns1123LabelProblems);
}

export const resourceSliceValidation: KindValidation = {
  group: 'resource.k8s.io',
  resource: 'resourceslices',
  create(found, object) {
    resourceSlice(found, object);
  },
  update: resourceSlice,
};
