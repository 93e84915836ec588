/** The form of a schema that ownership walks: which values may stand at a place, and what of them is owned as a whole. */
import { type PathElement } from '../patch/path-element.js';
import { type JsonValue, Float, isJsonArray } from '../ground/json.js';

export type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

/** Made when it is first asked for: types refer to each other in circles, and most are never walked. */
type Later<T> = () => T;

export class ListShape {
  /** `atomic`: one thing; `associative`: items of their own, told apart by keys, or by value where there are none. */
  readonly relationship: 'atomic' | 'associative';
  readonly keys: readonly string[];
  readonly #later: Later<SchemaNode>;
  #items: SchemaNode | undefined;

  constructor(relationship: ListShape['relationship'], keys: readonly string[], items: Later<SchemaNode>) {
    this.relationship = relationship;
    this.keys = keys;
    this.#later = items;
  }

  get items(): SchemaNode {
    return (this.#items ??= this.#later());
  }
}

export class FieldShape {
  /** The step that leads to it. */
  readonly element: PathElement;
  /** Counts where the field is a list's key and an item does not have it. */
  readonly default: JsonValue | undefined;
  readonly #later: Later<SchemaNode>;
  #node: SchemaNode | undefined;

  constructor(element: PathElement, fallback: JsonValue | undefined, node: Later<SchemaNode>) {
    this.element = element;
    this.default = fallback;
    this.#later = node;
  }

  get node(): SchemaNode {
    return (this.#node ??= this.#later());
  }
}

export class MapShape {
  readonly relationship: 'atomic' | 'separable';
  /** The declared members. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Whether it declares nothing and takes anything: what is owned in it does not follow the schema. */
  readonly deduced: boolean;
  readonly #later: Later<SchemaNode> | undefined;
  #others: SchemaNode | undefined;

  constructor(
    relationship: MapShape['relationship'],
    fields: ReadonlyMap<string, FieldShape>,
    others: Later<SchemaNode> | undefined,
    deduced: boolean,
  ) {
    this.relationship = relationship;
    this.fields = fields;
    this.#later = others;
    this.deduced = deduced;
  }

  /** Of all members that are not declared; undefined when there may be none. */
  get others(): SchemaNode | undefined {
    return (this.#others ??= this.#later?.());
  }

  owned(relationship: MapShape['relationship']): MapShape {
    return new MapShape(relationship, this.fields, this.#later, this.deduced);
  }
}

/** What may stand at one place: of scalar, list and map those that are there. */
export class SchemaNode {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListShape | undefined;
  readonly map: MapShape | undefined;

  constructor(parts: {
    readonly scalar?: ScalarKind | undefined;
    readonly list?: ListShape | undefined;
    readonly map?: MapShape | undefined;
  }) {
    this.scalar = parts.scalar;
    this.list = parts.list;
    this.map = parts.map;
  }
}

const NO_FIELDS: ReadonlyMap<string, FieldShape> = new Map();

/** Anything, as one thing. Source: structured-merge-diff, `__untyped_atomic_`. */
export const UNTYPED: SchemaNode = new SchemaNode({
  scalar: 'untyped',
  list: new ListShape('atomic', [], () => UNTYPED),
  map: new MapShape('atomic', NO_FIELDS, () => UNTYPED, false),
});

/** Anything: members of objects are things of their own, lists are one. Source: the same, `__untyped_deduced_`. */
export const DEDUCED: SchemaNode = new SchemaNode({
  scalar: 'untyped',
  list: new ListShape('atomic', [], () => UNTYPED),
  map: new MapShape('separable', NO_FIELDS, () => DEDUCED, true),
});

/** Which of a node's parts a value is about; `any` when the value (null, or of a type that may not be here) says nothing. */
export type Form = 'scalar' | 'list' | 'map' | 'any';

/** Source: structured-merge-diff typed/helpers.go deduceAtom, handleAtom. */
export function formOf(node: SchemaNode, value: JsonValue): Form {
  if (value === null) return 'any';
  if (typeof value !== 'object' || value instanceof Float)
    return node.scalar === undefined ? 'any' : 'scalar';
  if (isJsonArray(value)) return node.list === undefined ? 'any' : 'list';
  return node.map === undefined ? 'any' : 'map';
}

/** The part that counts for a value of this form: an object's before a scalar's before a list's. */
export function partOf(node: SchemaNode, form: Form): Exclude<Form, 'any'> | undefined {
  if (form !== 'any') return form;
  return node.map !== undefined
    ? 'map'
    : node.scalar !== undefined
      ? 'scalar'
      : node.list !== undefined
        ? 'list'
        : undefined;
}
