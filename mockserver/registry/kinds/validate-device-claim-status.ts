/** Validation of the status of a ResourceClaim. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { dns1123LabelProblems, labelKeyProblems } from '../../ground/name-syntax.js';
import { type ApiObject } from '../../ground/object.js';
import { eachOf, eachOfSet } from '../../schema/validation/bounded-lists.js';
import {
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { interfaceAddress } from './validate-addresses.js';
import { conditions } from './validate-conditions.js';
import { type RequestNames, requestNamesOf, requestReference } from './device-request-names.js';
import { deviceConfiguration, rawObject, requestReferences } from './validate-device-configuration.js';
import { driverName, poolName, uniqueId } from './validate-device-names.js';
import { nodeSelector } from './validate-pod-scheduling.js';

const MOST_CONSUMERS = 256;
const MOST_RESULTS = 32;
const MOST_CONFIGS = 64;
const MOST_CONDITIONS = 8;
const MOST_ADDRESSES = 16;
const MOST_BINDING_CONDITIONS = 4;
const LONGEST_DEVICE_STATUS = 10 * 1024;
const LONGEST_INTERFACE = 256;
const LONGEST_HARDWARE_ADDRESS = 128;

export function claimStatus(found: Findings, next: ApiObject, previous: ApiObject): void {
  const [status, before] = [partOrEmpty(next, 'status'), partOrEmpty(previous, 'status')];
  const allocation = partAt(status, 'allocation');
  eachOfSet(
    found,
    itemsAt(status, 'reservedFor'),
    'status.reservedFor',
    MOST_CONSUMERS,
    (consumer, at) => {
      for (const name of ['resource', 'name', 'uid']) found.needs(consumer, at, name);
    },
    (consumer) => textAt(consumer, 'uid'),
  );
  const allocated = new Set(
    itemsAt(partOrEmpty(allocation, 'devices'), 'results').map((result) => deviceId(result)),
  );
  eachOfSet(
    found,
    itemsAt(status, 'devices'),
    'status.devices',
    Infinity,
    (device, at) => {
      deviceStatus(found, device, at, allocated);
    },
    deviceId,
  );
  reservations(found, next, before);
  const known = partAt(before, 'allocation');
  if (allocation === undefined) return;
  if (known === undefined)
    allocationResult(found, allocation, requestNamesOf(partOrEmpty(partOrEmpty(next, 'spec'), 'devices')));
  else if (!jsonEqual(allocation, known)) found.invalid('status.allocation', allocation, IMMUTABLE);
}

function reservations(found: Findings, next: ApiObject, before: JsonObject): void {
  const status = partOrEmpty(next, 'status');
  const reserved = itemsAt(status, 'reservedFor');
  if (reserved.length === 0) return;
  if (!isSet(status, 'allocation')) {
    found.forbidden('status.reservedFor', 'may not be specified when `allocated` is not set');
    return;
  }
  const known = itemsAt(before, 'reservedFor');
  const isNew = (one: JsonObject): boolean => !known.some((other) => jsonEqual(one, other));
  if (isSet(next.metadata, 'deletionTimestamp') && reserved.some(isNew))
    found.forbidden(
      'status.reservedFor',
      'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
    );
}

/** `<driver>/<pool>/<device>`, and the share where there is one. */
function deviceId(device: JsonObject): string {
  const parts = ['driver', 'pool', 'device'].map((name) => textAt(device, name));
  return [...parts, ...(isSet(device, 'shareID') ? [textAt(device, 'shareID')] : [])].join('/');
}

function deviceStatus(found: Findings, device: JsonObject, at: string, allocated: ReadonlySet<string>): void {
  driverName(found, textAt(device, 'driver'), `${at}.driver`);
  poolName(found, textAt(device, 'pool'), `${at}.pool`);
  found.problems(`${at}.device`, textAt(device, 'device'), dns1123LabelProblems);
  if (isSet(device, 'shareID')) uniqueId(found, textAt(device, 'shareID'), `${at}.shareID`);
  const id = deviceId(device);
  if (!allocated.has(id)) found.invalid(at, id, 'must be an allocated device in the claim');
  const count = itemsAt(device, 'conditions').length;
  if (count > MOST_CONDITIONS) found.tooMany(`${at}.conditions`, count, MOST_CONDITIONS);
  conditions(found, device, `${at}.conditions`);
  if (isSet(device, 'data'))
    rawObject(found, member(device, 'data') ?? null, `${at}.data`, LONGEST_DEVICE_STATUS);
  networkStatus(found, partAt(device, 'networkData'), `${at}.networkData`);
}

function networkStatus(found: Findings, network: JsonObject | undefined, at: string): void {
  if (network === undefined) return;
  for (const [name, longest] of [
    ['interfaceName', LONGEST_INTERFACE],
    ['hardwareAddress', LONGEST_HARDWARE_ADDRESS],
  ] as const)
    if (Buffer.byteLength(textAt(network, name)) > longest) found.tooLong(`${at}.${name}`, longest);
  eachOfSet(
    found,
    textsAt(network, 'ips'),
    `${at}.ips`,
    MOST_ADDRESSES,
    (address, place) => {
      interfaceAddress(found, address, place);
    },
    (address) => address,
  );
}

function allocationResult(found: Findings, allocation: JsonObject, names: RequestNames): void {
  const at = 'status.allocation';
  const devices = partOrEmpty(allocation, 'devices');
  eachOf(found, itemsAt(devices, 'results'), `${at}.devices.results`, MOST_RESULTS, (result, place) => {
    requestReference(found, textAt(result, 'request'), `${place}.request`, names);
    driverName(found, textAt(result, 'driver'), `${place}.driver`);
    poolName(found, textAt(result, 'pool'), `${place}.pool`);
    found.problems(`${place}.device`, textAt(result, 'device'), dns1123LabelProblems);
    bindingConditions(found, result, place);
    if (isSet(result, 'shareID')) uniqueId(found, textAt(result, 'shareID'), `${place}.shareID`);
  });
  eachOf(found, itemsAt(devices, 'config'), `${at}.devices.config`, MOST_CONFIGS, (config, place) => {
    found.among(config, place, 'source', ['FromClaim', 'FromClass'], 'missing');
    requestReferences(found, config, place, names);
    deviceConfiguration(found, config, place, false);
  });
  const selector = partAt(allocation, 'nodeSelector');
  if (selector !== undefined) nodeSelector(found, selector, `${at}.nodeSelector`);
}

export function bindingConditions(found: Findings, owner: JsonObject, at: string): void {
  const [wanted, failures] = [
    textsAt(owner, 'bindingConditions'),
    textsAt(owner, 'bindingFailureConditions'),
  ];
  const both = [
    ['bindingConditions', wanted],
    ['bindingFailureConditions', failures],
  ] as const;
  for (const [name, list] of both)
    eachOf(found, list, `${at}.${name}`, MOST_BINDING_CONDITIONS, (condition, place) => {
      found.problems(place, condition, labelKeyProblems);
    });
  for (const [name, list] of both)
    list.forEach((condition, i) => {
      const place = `${at}.${name}[${i}]`;
      if (list.indexOf(condition) < i) found.duplicate(place, condition);
      if (list === failures && wanted.includes(condition))
        found.invalid(place, condition, 'bindingFailureConditions must not overlap with bindingConditions');
    });
  if (wanted.length === 0 && failures.length > 0)
    found.invalid(
      `${at}.bindingConditions`,
      null,
      'bindingConditions are required to use bindingFailureConditions',
    );
  if (failures.length === 0 && wanted.length > 0)
    found.invalid(
      `${at}.bindingFailureConditions`,
      null,
      'bindingFailureConditions are required to use bindingConditions',
    );
}
