/** Rules compiled for one kind: a tree of the messages on the way to what may be missing, and one walk over it. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../../ground/json.js';
import { mapShared } from '../member-order.js';
import { type MessageField, type MessageTable } from '../message-table.js';
import { type DefaultFunction, type DefaultRules, type PlacedValue } from './default-rules.js';
import { inPlace } from './member-place.js';

type Change = (value: JsonValue, now: number) => JsonValue;

/** A value that is still to be placed, from the message that the compiler stands at. */
interface OpenValue {
  readonly path: readonly string[];
  readonly value: JsonValue;
  readonly replacesEmpty: boolean;
}

interface Filling {
  readonly name: string;
  readonly value: JsonValue;
  readonly replacesEmpty: boolean;
}

interface Member {
  readonly name: string;
  readonly change: Change;
}

/** What is done to one message at one place. Filled in after it is made, since messages may contain themselves. */
class Step {
  functions: readonly DefaultFunction[] = [];
  fillings: readonly Filling[] = [];
  members: readonly Member[] = [];
  /** All members of the message, in the order of the wire. */
  order: readonly string[] = [];

  readonly apply = (value: JsonValue, now: number): JsonValue => {
    if (!isJsonObject(value)) return value;
    let out: JsonObject = value;
    for (const change of this.functions) out = change(out, now);
    let moved = out !== value;
    let copy: MutableJsonObject | undefined;
    for (const { name, value: wanted, replacesEmpty } of this.fillings) {
      const old = out[name];
      const missing = old === undefined || old === null || (replacesEmpty && (old === '' || old === 0));
      if (!missing) continue;
      copy ??= { ...out };
      copy[name] = wanted;
      if (old === undefined) moved = true;
    }
    if (copy !== undefined) out = copy;
    for (const { name, change } of this.members) {
      const old = out[name];
      if (old === undefined || old === null) continue;
      const next = change(old, now);
      if (next === old) continue;
      if (copy === undefined) out = copy = { ...out };
      copy[name] = next;
    }
    return moved ? inPlace(out, this.order) : out;
  };
}

/**
 * Compiles rules for messages of one table.
 *
 * Messages without any rule in or below them cost nothing: the walk does not enter them.
 */
export class DefaultPlans {
  readonly #table: MessageTable;
  readonly #rules: DefaultRules;
  readonly #values = new Map<string, OpenValue[]>();
  /** Steps that no value from above reaches into: one for each message. */
  readonly #steps = new Map<string, Step>();
  readonly #reached = new Map<string, boolean>();

  constructor(table: MessageTable, rules: DefaultRules) {
    this.#table = table;
    this.#rules = rules;
    for (const value of rules.values) {
      const known = this.#values.get(value.message);
      if (known === undefined) this.#values.set(value.message, [value]);
      else known.push(value);
    }
  }

  /**
   * The function that fills in objects of a kind whose message is `message`.
   *
   * Errors: an Error when a rule names a member that the table does not have, which is a fault of the facts.
   */
  ofKind(message: string): DefaultFunction {
    if (!this.#isReached(message)) return (object) => object;
    const step = this.#compile(message, []);
    step.order = [...new Set(['kind', 'apiVersion', ...step.order])];
    return (object, now) => {
      const filled = step.apply(object, now);
      return isJsonObject(filled) ? filled : object;
    };
  }

  #step(message: string, above: readonly OpenValue[]): Step {
    if (above.length > 0) return this.#compile(message, above);
    const known = this.#steps.get(message);
    if (known !== undefined) return known;
    const step = new Step();
    this.#steps.set(message, step);
    return this.#fill(step, message, above);
  }

  #compile(message: string, above: readonly OpenValue[]): Step {
    return this.#fill(new Step(), message, above);
  }

  #fill(step: Step, message: string, above: readonly OpenValue[]): Step {
    const open = [...above, ...(this.#values.get(message) ?? [])];
    const fields = this.#fieldsOf(message);
    const known = new Set(fields.map(({ name }) => name));
    for (const { path } of open) {
      if (!known.has(path[0] ?? ''))
        throw new Error(`a default for ${path.join('.')}, which ${message} has not`);
    }
    step.order = [...(this.#table.hasTypeMeta(message) ? ['kind', 'apiVersion'] : []), ...known];
    step.functions = this.#rules.functions.get(message) ?? [];
    step.fillings = open.flatMap(({ path, value, replacesEmpty }) =>
      path.length === 1 ? [{ name: path[0] ?? '', value, replacesEmpty }] : [],
    );
    step.members = fields.flatMap((field) => {
      const inside = open
        .filter(({ path }) => path.length > 1 && path[0] === field.name)
        .map((one) => ({ ...one, path: one.path.slice(1) }));
      const change = this.#changeOf(field, inside);
      return change === undefined ? [] : [{ name: field.name, change }];
    });
    return step;
  }

  #changeOf(field: MessageField, inside: readonly OpenValue[]): Change | undefined {
    if (field.label === 'map') {
      const whole = this.#rules.mapFunctions.get(field.goType ?? '');
      if (whole !== undefined) return (value, now) => (isJsonObject(value) ? whole(value, now) : value);
    }
    if (inside.length === 0 && !this.#isReached(field.type)) return undefined;
    const { apply } = this.#step(field.type, inside);
    switch (field.label) {
      case 'opt':
        return apply;
      case 'rep':
        return (value, now) => (isJsonArray(value) ? mapShared(value, (one) => apply(one, now)) : value);
      case 'map':
        return (value, now) => (isJsonObject(value) ? eachValue(value, apply, now) : value);
    }
  }

  /** Whether there is a rule in the message, or in one that it contains. */
  #isReached(message: string): boolean {
    const known = this.#reached.get(message);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    const search = (one: string): boolean => {
      if (seen.has(one) || this.#rules.untouched.has(one)) return false;
      seen.add(one);
      if (this.#values.has(one) || this.#rules.functions.has(one)) return true;
      return this.#fieldsOf(one).some(
        (field) => this.#rules.mapFunctions.has(field.goType ?? '') || search(field.type),
      );
    };
    const reached = search(message);
    this.#reached.set(message, reached);
    return reached;
  }

  /** The members of a message, those of inlined messages in their place. Empty for what is no message. */
  #fieldsOf(message: string): readonly MessageField[] {
    return (this.#table.fields(message) ?? []).flatMap((field) =>
      field.emission === 'inline' ? this.#fieldsOf(field.type) : [field],
    );
  }
}

function eachValue(object: JsonObject, change: Change, now: number): JsonObject {
  let out: MutableJsonObject | undefined;
  for (const [name, old] of Object.entries(object)) {
    const next = change(old, now);
    if (next !== old) setMember((out ??= { ...object }), name, next);
  }
  return out ?? object;
}

/** The message in which the last member of the path stands. Errors: an Error when the table has no such path. */
export function ownerOf(table: MessageTable, { message, path }: PlacedValue): string {
  let at = message;
  for (const name of path.slice(0, -1)) at = typeOfMember(table, at, name);
  return at;
}

/** Whether the table has every member of the path. */
export function hasMembers(table: MessageTable, { message, path }: PlacedValue): boolean {
  let at: string | undefined = message;
  for (const name of path) {
    at = typeIn(table, at, name);
    if (at === undefined) return false;
  }
  return true;
}

function typeOfMember(table: MessageTable, message: string, name: string): string {
  const type = typeIn(table, message, name);
  if (type === undefined) throw new Error(`${message} has no member ${name}`);
  return type;
}

function typeIn(table: MessageTable, message: string, name: string): string | undefined {
  const search = (one: string): string | undefined => {
    for (const field of table.fields(one) ?? []) {
      const found =
        field.emission === 'inline' ? search(field.type) : field.name === name ? field.type : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(message);
}
