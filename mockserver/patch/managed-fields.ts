/** metadata.managedFields, read and written. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
  stringMember,
} from '../ground/json.js';
import { type MemberOrder } from '../ground/object-meta.js';
import { type FieldSet } from './field-set.js';
import { type FieldSetTable } from './fields-v1.js';
import { TwoAges } from './two-ages.js';

export type Operation = 'Apply' | 'Update';

/** Who owns what: one entry of managedFields. */
export interface Owner {
  /** Tells owners apart: those with equal names here share one entry. */
  readonly id: string;
  /** As in `manager`. */
  readonly name: string;
  readonly operation: Operation;
  /** In which `set` is to be read. */
  readonly apiVersion: string;
  /** `''` for the main resource. */
  readonly subresource: string;
  /** `2026-11-29T12:14:06Z`; absent where none was ever set. */
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** Owners by id, in no order that counts. */
export type Owners = ReadonlyMap<string, Owner>;

/** The name of who writes before anybody has applied an object that was not tracked. */
export const BEFORE_FIRST_APPLY = 'before-first-apply';

/** What tells owners apart: name, operation, subresource and, for those who update, the version. */
export const ownerId = (
  name: string,
  operation: Operation,
  apiVersion: string,
  subresource: string,
): string => `${name}\n${operation}\n${operation === 'Apply' ? '' : apiVersion}\n${subresource}`;

/**
 * The text by which a real server tells them apart and puts them in order where nothing else does.
 * Source: apimachinery managedfields/internal/managedfields.go BuildManagerIdentifier.
 */
export function identifierOf({ name, operation, apiVersion, subresource }: Owner): string {
  return JSON.stringify({
    ...(name === '' ? {} : { manager: name }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

export const ownerOf = (parts: Omit<Owner, 'id'>): Owner => ({
  id: ownerId(parts.name, parts.operation, parts.apiVersion, parts.subresource),
  name: parts.name,
  operation: parts.operation,
  apiVersion: parts.apiVersion,
  subresource: parts.subresource,
  time: parts.time,
  set: parts.set,
});

export type Reading =
  | { readonly ok: true; readonly owners: Owners }
  /** Why it is not valid, in the words of a server. */
  | { readonly ok: false; readonly error: string };

/** Of one half of a table. */
const MOST_LISTS = 512;

/** Reads and writes managedFields with the sets of one table. */
export class ManagedFields {
  readonly table: FieldSetTable;
  /** What lists say that this object has written lately. */
  readonly #written = new TwoAges<JsonArray, Owners>(MOST_LISTS);
  /** Entries as they were read or written, by owner: who is unchanged keeps theirs. */
  readonly #entries = new WeakMap<Owner, JsonObject>();

  constructor(table: FieldSetTable) {
    this.table = table;
  }

  /**
   * The owners of a list.
   *
   * Errors: an entry without a valid operation, version, fieldsType or fieldsV1. Source: DecodeManagedFields.
   */
  read(list: JsonValue | undefined): Reading {
    if (!isJsonArray(list)) return { ok: true, owners: new Map() };
    const known = this.#written.get(list);
    if (known !== undefined) return { ok: true, owners: known };
    const owners = new Map<string, Owner>();
    for (const [i, entry] of list.entries()) {
      const owner = this.#owner(isJsonObject(entry) ? entry : {}, i);
      if (typeof owner === 'string') return { ok: false, error: owner };
      owners.set(owner.id, owner);
    }
    return { ok: true, owners };
  }

  #owner(entry: JsonObject, i: number): Owner | string {
    const operation = stringMember(entry, 'operation') ?? '';
    const apiVersion = stringMember(entry, 'apiVersion') ?? '';
    const fieldsType = stringMember(entry, 'fieldsType') ?? '';
    if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
    if (apiVersion === '') return 'apiVersion must not be empty';
    if (fieldsType === '') return `missing fieldsType in managed fields entry ${i}`;
    if (fieldsType !== 'FieldsV1') return `invalid fieldsType "${fieldsType}" in managed fields entry ${i}`;
    const set = this.table.decode(member(entry, 'fieldsV1') ?? null);
    if (set === undefined) return 'error decoding set';
    return ownerOf({
      name: stringMember(entry, 'manager') ?? '',
      operation,
      apiVersion,
      subresource: stringMember(entry, 'subresource') ?? '',
      time: stringMember(entry, 'time'),
      set,
    });
  }

  /**
   * The list of some owners.
   *
   * Shape: undefined when there are none; else frozen, those who apply first, then by time in whole seconds (none first),
   * name, version, subresource.
   * Source: encodeManagedFields, sortEncodedManagedFields.
   */
  write(owners: Owners, order: MemberOrder): JsonArray | undefined {
    if (owners.size === 0) return undefined;
    const canonical = new Map<string, Owner>();
    for (const [id, owner] of owners) {
      const set = this.table.canonical(owner.set);
      canonical.set(id, set === owner.set ? owner : { ...owner, set });
    }
    const list: JsonArray = Object.freeze(
      [...canonical.values()].sort(inWireOrder).map((owner) => this.#kept(owner, order)),
    );
    this.#written.set(list, canonical);
    return list;
  }

  #kept(owner: Owner, order: MemberOrder): JsonObject {
    const known = this.#entries.get(owner);
    if (known !== undefined) return known;
    const entry = this.#entry(owner, order, order);
    this.#entries.set(owner, entry);
    return entry;
  }

  /** Whether the list is one that `write` made of these very owners. */
  says(list: JsonArray, owners: Owners): boolean {
    return this.#written.get(list) === owners;
  }

  /**
   * The list of owners of whom two may have one id, as it comes from the scale of a resource: FieldsV1 has its members in
   * byte order there, for all kinds.
   */
  writeFromScale(owners: readonly Owner[], order: MemberOrder): JsonArray | undefined {
    if (owners.length === 0) return undefined;
    return Object.freeze([...owners].sort(inWireOrder).map((owner) => this.#entry(owner, order, 'sorted')));
  }

  #entry(owner: Owner, order: MemberOrder, fieldsOrder: MemberOrder): JsonObject {
    const { name, operation, apiVersion, time, subresource } = owner;
    const fieldsV1 = this.table.encode(owner.set, fieldsOrder);
    const entry: MutableJsonObject = {};
    if (order === 'typed') {
      if (name !== '') entry['manager'] = name;
      entry['operation'] = operation;
      entry['apiVersion'] = apiVersion;
      if (time !== undefined) entry['time'] = time;
      entry['fieldsType'] = 'FieldsV1';
      entry['fieldsV1'] = fieldsV1;
      if (subresource !== '') entry['subresource'] = subresource;
    } else {
      entry['apiVersion'] = apiVersion;
      entry['fieldsType'] = 'FieldsV1';
      entry['fieldsV1'] = fieldsV1;
      if (name !== '') entry['manager'] = name;
      entry['operation'] = operation;
      if (subresource !== '') entry['subresource'] = subresource;
      if (time !== undefined) entry['time'] = time;
    }
    return Object.freeze(entry);
  }
}

/** No time counts as the first second there is. */
const EPOCH = '1970-01-01T00:00:00Z';
const compare = (a: string, b: string): number => (a === b ? 0 : compareUtf8(a, b));

/** Times are in one form of one zone, so that their texts order as they do. */
export const compareTimes = (a: Owner, b: Owner): number => compare(a.time ?? EPOCH, b.time ?? EPOCH);

const inWireOrder = (a: Owner, b: Owner): number =>
  compare(a.operation, b.operation) ||
  compareTimes(a, b) ||
  compare(a.name, b.name) ||
  compare(a.apiVersion, b.apiVersion) ||
  compare(a.subresource, b.subresource);

const ENTRY_MEMBERS = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'];

/**
 * Whether a body's metadata, as sent, asks to forget all owners: one entry that says nothing, and for built-in kinds
 * (`typed`) also `managedFields: []`. Metadata of custom resources is decoded once more, which makes no list of that.
 * Source: apimachinery managedfields/internal/fieldmanager.go isResetManagedFields.
 */
export function resetsOwners(metadata: JsonObject | undefined, order: MemberOrder): boolean {
  const list = member(metadata, 'managedFields');
  if (!isJsonArray(list)) return false;
  if (list.length !== 1) return list.length === 0 && order === 'typed';
  const [entry = null] = list;
  if (entry === null) return true;
  return isJsonObject(entry) && ENTRY_MEMBERS.every((name) => (member(entry, name) ?? '') === '');
}

/** Whether two lists say the same but for times. */
export function sameButForTimes(a: JsonArray, b: JsonArray): boolean {
  return (
    a.length === b.length &&
    a.every((entry, i) => {
      const other = b[i];
      if (entry === other) return true;
      return (
        isJsonObject(entry) &&
        isJsonObject(other) &&
        jsonEqual({ ...entry, time: null }, { ...other, time: null })
      );
    })
  );
}
