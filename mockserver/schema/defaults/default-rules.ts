/** What a server fills in, message by message: the regular part as values, the rest as functions. */
import { type JsonObject, type JsonValue } from '../../ground/json.js';

/**
 * Fills in one value of a message, from what stands in it.
 *
 * Pure and idempotent; the value itself when nothing is missing. Members that it adds at the top may stand anywhere,
 * those inside what it adds stand in the order of the wire.
 * @param now milliseconds since 1970: the default of a few members
 */
export type DefaultFunction = (value: JsonObject, now: number) => JsonObject;

/** A value for a member of a message, or of one that it contains. */
export interface PlacedValue {
  /** Full name of the message that the path starts from, wherever it stands. */
  readonly message: string;
  readonly path: readonly string[];
  /** Frozen. */
  readonly value: JsonValue;
  readonly replacesEmpty: boolean;
}

export interface DefaultRules {
  readonly values: readonly PlacedValue[];
  /** By full name of the message. They run before the values of `values`, as Go's functions run before its tags. */
  readonly functions: ReadonlyMap<string, readonly DefaultFunction[]>;
  /** Of maps, by the name of their Go type (`v1.ResourceList`). */
  readonly mapFunctions: ReadonlyMap<string, DefaultFunction>;
  /** Messages in which nothing is filled in, whatever their members are. */
  readonly untouched: ReadonlySet<string>;
}
