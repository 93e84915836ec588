/** What the members of each built-in message are: names, types, and how each is written when unset. */

export type FieldLabel = 'opt' | 'rep' | 'map';

/**
 * How a member is written in JSON.
 *
 * `always`: also when unset (`""`, 0, false, null for lists, maps and times, `{}` with its own always-members);
 * `omit`: left out when empty; `ptr`: left out when unset, written when set, also to an empty value;
 * `null`: null when unset; `omitzero`: left out when zero; `inline`: its members stand in the parent.
 */
export type Emission = 'always' | 'omit' | 'ptr' | 'null' | 'omitzero' | 'inline';

export interface MessageField {
  /** The member's name in JSON. */
  readonly name: string;
  /** string, bool, int32, int64, bytes, double, or a full message name. For a map: the type of its values. */
  readonly type: string;
  readonly label: FieldLabel;
  readonly emission: Emission;
  /** Go type that error texts name; absent when it follows from `type` (`v1.Container`, `[]string`). */
  readonly goType?: string;
  /** The same of an element of a list or map. */
  readonly goElement?: string;
  /** The zero value of the kind, as bookmarks show it, has this member too: inside the server it is no pointer. */
  readonly zeroInBookmark?: boolean;
}

export interface MessageTable {
  /** In the order of the Go struct, which is that of the JSON. Undefined for an unknown message. */
  fields(message: string): readonly MessageField[] | undefined;
  /** Whether the message, where it stands inside another one, may carry kind and apiVersion. */
  hasTypeMeta(message: string): boolean;
}

/** One row of the protobuf document: name, number, type, label, emission, JSON name when it differs. */
export type ProtobufRow = readonly (string | number | null | undefined)[];

export interface ProtobufDocument {
  readonly messages: Readonly<Record<string, readonly ProtobufRow[]>>;
}

export interface GoTypesDocument {
  readonly typeMeta: readonly string[];
  /** message → fields. */
  readonly zeroInBookmark?: Readonly<Record<string, readonly string[]>>;
  /** message → field → [Go type, Go type of an element]. */
  readonly types: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const EMISSIONS: ReadonlySet<string> = new Set(['always', 'omit', 'ptr', 'null', 'omitzero', 'inline']);

function isEmission(text: unknown): text is Emission {
  return typeof text === 'string' && EMISSIONS.has(text);
}

/** The table of a `protobuf-*.json`, with the Go type names of a `go-types-*.json` when there is one. */
export function messageTable(protobuf: ProtobufDocument, goTypes?: GoTypesDocument): MessageTable {
  const typeMeta: ReadonlySet<string> = new Set(goTypes?.typeMeta ?? []);
  return {
    fields(message) {
      const rows = Object.hasOwn(protobuf.messages, message) ? protobuf.messages[message] : undefined;
      const types =
        goTypes !== undefined && Object.hasOwn(goTypes.types, message) ? goTypes.types[message] : undefined;
      const zeros = goTypes?.zeroInBookmark?.[message] ?? [];
      return rows?.map((row) => fieldOf(row, types, zeros));
    },
    hasTypeMeta: (message) => typeMeta.has(message),
  };
}

function fieldOf(
  row: ProtobufRow,
  types: Readonly<Record<string, readonly string[]>> | undefined,
  zeros: readonly string[],
): MessageField {
  const name = String(row[5] ?? row[0]);
  const type = String(row[2]);
  const label = row[3];
  const own = types !== undefined && Object.hasOwn(types, name) ? types[name] : undefined;
  return {
    name,
    type: /^map<string,(.*)>$/.exec(type)?.[1] ?? type,
    label: label === 'rep' || label === 'map' ? label : 'opt',
    emission: isEmission(row[4]) ? row[4] : 'always',
    ...(own?.[0] === undefined ? {} : { goType: own[0] }),
    ...(own?.[1] === undefined ? {} : { goElement: own[1] }),
    ...(zeros.includes(name) ? { zeroInBookmark: true } : {}),
  };
}
