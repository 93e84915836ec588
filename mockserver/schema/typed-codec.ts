/** Messages compiled into plans: one walk over a value gives its canonical form, in the order of the Go struct. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
} from '../ground/json.js';
import {
  type Coder,
  boolCoder,
  bytesCoder,
  doubleCoder,
  int32Coder,
  int64Coder,
  listCoder,
  mapCoder,
  stringCoder,
} from './coder.js';
import { type DecodeRun, wordOf } from './decode-run.js';
import { type MessageField, type MessageTable } from './message-table.js';
import { specialCoder } from './special-coders.js';

/** One member of a message. */
export interface FieldPlan {
  readonly name: string;
  /** In Go's error texts: the name, after those of the embedded structs it comes from. */
  readonly goPath: string;
  readonly coder: Coder;
  /** What is written when the member is unset; undefined: nothing. */
  readonly whenUnset: (() => JsonValue) | undefined;
  /** What stands there in the zero value of the kind; undefined: nothing. */
  readonly whenBlank: (() => JsonValue) | undefined;
  /** Empty values count as unset. */
  readonly dropsEmpty: boolean;
  /** An empty list or map is written, until it has been stored: then it counts as unset. */
  readonly forgetsEmpty: boolean;
  /** A pointer whose zero value is null: set to that (by a message, JSON cannot say it) it is written, unset it is not. */
  readonly keepsNull: boolean;
}

/** Whether Go's `omitempty` would leave the value out. */
function isEmpty(value: JsonValue): boolean {
  switch (typeof value) {
    case 'string':
      return value === '';
    case 'number':
      return value === 0;
    case 'boolean':
      return !value;
    case 'object':
      if (value === null) return true;
      if (isJsonArray(value)) return value.length === 0;
      return isJsonObject(value) && hasNoMembers(value);
    default:
      return false;
  }
}

function hasNoMembers(object: JsonObject): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}

/** The coder of one message. Its plan is made when it is first needed, since messages may contain themselves. */
export class MessageCoder implements Coder {
  readonly goType: string;
  readonly #struct: string;
  readonly #compile: () => readonly FieldPlan[];
  #fields: readonly FieldPlan[] | undefined;
  #places: ReadonlyMap<string, number> = new Map();
  #written = 0;
  #forgets: readonly FieldPlan[] | undefined;

  constructor(goType: string, compile: () => readonly FieldPlan[]) {
    this.goType = goType;
    this.#struct = goType.slice(goType.lastIndexOf('.') + 1);
    this.#compile = compile;
  }

  /** In the order in which they are written. */
  get fields(): readonly FieldPlan[] {
    if (this.#fields === undefined) {
      this.#fields = this.#compile();
      this.#places = new Map(this.#fields.map((field, place) => [field.name, place]));
      this.#written = this.#fields.filter((field) => field.whenUnset !== undefined).length;
    }
    return this.#fields;
  }

  zero(): JsonObject {
    return this.#write(this.fields, []);
  }

  /** The zero value as a bookmark shows it. */
  blank(): MutableJsonObject {
    const out: MutableJsonObject = {};
    for (const field of this.fields) if (field.whenBlank !== undefined) out[field.name] = field.whenBlank();
    return out;
  }

  /**
   * Shape: a new object with the known members, those that are always written included. Values of raw JSON are
   * shared with the input, which is therefore the caller's to give away.
   */
  decode(value: JsonValue, run: DecodeRun): JsonObject | undefined {
    if (!isJsonObject(value)) return run.mismatch(wordOf(value), this.goType);
    const fields = this.fields;
    const values: (JsonValue | undefined)[] = [];
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      const place = this.#places.get(name);
      const field = place === undefined ? undefined : fields[place];
      if (place === undefined || field === undefined) {
        run.unknownMember(name);
        continue;
      }
      const one = value[name] ?? null;
      if (one === null) {
        if (field.keepsNull && run.nulls === 'zero') values[place] = null;
        continue;
      }
      const unknownBefore = run.unknown.length;
      const problemBefore = run.problem;
      const decoded = field.coder.decode(one, run);
      if (run.unknown.length > unknownBefore) run.prefixUnknown(unknownBefore, `.${name}`);
      if (run.problem !== problemBefore) {
        run.locate(this.#struct, field.goPath);
        if (run.aborted) return undefined;
      }
      if (decoded !== undefined && !(field.dropsEmpty && isEmpty(decoded))) values[place] = decoded;
    }
    return this.#write(fields, values);
  }

  readonly arrange = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value)) return value;
    const fields = this.fields;
    const values: (JsonValue | undefined)[] = [];
    let same = true;
    let last = -1;
    let written = 0;
    for (const name of Object.keys(value)) {
      const place = this.#places.get(name);
      const field = place === undefined ? undefined : fields[place];
      if (place === undefined || field === undefined) {
        same = false;
        continue;
      }
      const old = value[name] ?? null;
      const next = arrangedMember(field, old);
      if (next !== old || place <= last) same = false;
      last = place;
      if (field.whenUnset !== undefined) written++;
      values[place] = next;
    }
    return same && written === this.#written ? value : this.#write(fields, values);
  };

  /** Members that come back from a store changed, or with parts that do. */
  get #forgetful(): readonly FieldPlan[] {
    if (this.#forgets === undefined) {
      // Of a message that contains itself: it is asked again before this is known.
      this.#forgets = this.fields;
      this.#forgets = this.fields.filter(
        (field) => field.forgetsEmpty || field.coder.storesOtherwise?.() === true,
      );
    }
    return this.#forgets;
  }

  readonly storesOtherwise = (): boolean => this.#forgetful.length > 0;

  readonly asStored = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value)) return value;
    let out: MutableJsonObject | undefined;
    for (const { name, coder, forgetsEmpty } of this.#forgetful) {
      const old = value[name] ?? null;
      if (old === null) continue;
      const next = forgetsEmpty && isEmpty(old) ? null : (coder.asStored?.(old) ?? old);
      if (next !== old) (out ??= { ...value })[name] = next;
    }
    return out ?? value;
  };

  #write(fields: readonly FieldPlan[], values: readonly (JsonValue | undefined)[]): JsonObject {
    const out: MutableJsonObject = {};
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i];
      if (field === undefined) continue;
      const value = values[i];
      if (value !== undefined) out[field.name] = value;
      else if (field.whenUnset !== undefined) out[field.name] = field.whenUnset();
    }
    return out;
  }
}

function arrangedMember(field: FieldPlan, value: JsonValue): JsonValue | undefined {
  if (value === null) return field.keepsNull ? null : field.whenUnset?.();
  const arranged = field.coder.arrange?.(value) ?? value;
  return field.dropsEmpty && isEmpty(arranged) ? undefined : arranged;
}

function blankOf(coder: Coder): JsonValue {
  return coder instanceof MessageCoder ? coder.blank() : coder.zero();
}

const NULL = (): JsonValue => null;

/** The plans of all messages of one table, each compiled once, when it is first used. */
export class MessagePlans {
  readonly table: MessageTable;
  readonly #coders = new Map<string, Coder>();

  constructor(table: MessageTable) {
    this.table = table;
  }

  /** Errors: an Error when the table does not know the message, which is a fault of the table. */
  coder(message: string): Coder {
    let coder = this.#coders.get(message);
    if (coder === undefined) {
      coder =
        specialCoder(message, (other) => this.coder(other)) ??
        new MessageCoder(goTypeOf(message), () => [
          ...(this.table.hasTypeMeta(message) ? TYPE_META : []),
          ...this.fieldPlans(message),
        ]);
      this.#coders.set(message, coder);
    }
    return coder;
  }

  /** The members of a message, those of inlined messages in their place; without kind and apiVersion. */
  fieldPlans(message: string, goPrefix = ''): readonly FieldPlan[] {
    const fields = this.table.fields(message);
    if (fields === undefined) throw new Error(`no such message: ${message}`);
    return fields.flatMap((field) =>
      field.emission === 'inline'
        ? this.fieldPlans(field.type, `${goPrefix}${goTypeOf(field.type).replace(/^.*\./, '')}.`)
        : [this.#plan(field, goPrefix)],
    );
  }

  #plan(field: MessageField, goPrefix: string): FieldPlan {
    const coder = this.#coderOfField(field);
    const container = field.label !== 'opt' || field.type === 'bytes';
    const { emission } = field;
    const written = emission === 'always' && !container;
    const whenUnset = emission === 'null' || (emission === 'always' && container) ? NULL : undefined;
    return {
      name: field.name,
      goPath: goPrefix + field.name,
      coder,
      whenUnset: written ? () => coder.zero() : whenUnset,
      whenBlank: written || field.zeroInBookmark === true ? () => blankOf(coder) : whenUnset,
      dropsEmpty: emission === 'omit' || emission === 'omitzero',
      forgetsEmpty: emission === 'always' && field.label !== 'opt',
      keepsNull: emission === 'ptr' && field.label === 'opt' && coder.nullIsZero === true,
    };
  }

  #coderOfField(field: MessageField): Coder {
    if (field.label === 'opt') return this.#coderOfType(field.type, field.goType);
    const element = this.#coderOfType(field.type, field.goElement);
    return field.label === 'rep'
      ? listCoder(element, field.goType ?? `[]${element.goType}`)
      : mapCoder(element, field.goType ?? `map[string]${element.goType}`);
  }

  #coderOfType(type: string, goType: string | undefined): Coder {
    switch (type) {
      case 'string':
        return stringCoder(goType);
      case 'bool':
        return boolCoder(goType);
      case 'int32':
        return int32Coder(goType);
      case 'int64':
        return int64Coder(goType);
      case 'double':
        return doubleCoder(goType);
      case 'bytes':
        return bytesCoder(goType);
      default:
        return this.coder(type);
    }
  }
}

const TYPE_META: readonly FieldPlan[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  goPath: `TypeMeta.${name}`,
  coder: stringCoder(),
  whenUnset: undefined,
  whenBlank: undefined,
  dropsEmpty: true,
  forgetsEmpty: false,
  keepsNull: false,
}));

/** `k8s.io.api.core.v1.Container` → `v1.Container`. */
function goTypeOf(message: string): string {
  return message.split('.').slice(-2).join('.');
}
