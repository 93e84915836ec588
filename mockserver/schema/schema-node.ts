/** The form of a schema that ownership walks: which values may stand at a place, and what of them is owned as a whole. */
import { type PathElement } from '../patch/path-element.js';
import { type JsonValue, Float, isJsonArray } from '../ground/json.js';

export type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListShape {
  /** `atomic`: one thing; `associative`: items of their own, told apart by keys, or by value where there are none. */
  readonly relationship: 'atomic' | 'associative';
  readonly keys: readonly string[];
  readonly items: SchemaNode;
}

export interface FieldShape {
  /** The step that leads to it. */
  readonly element: PathElement;
  readonly node: SchemaNode;
  /** Counts where the field is a list's key and an item does not have it. */
  readonly default: JsonValue | undefined;
}

export interface MapShape {
  readonly relationship: 'atomic' | 'separable';
  /** The declared members. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Of all other members; undefined when there may be none. */
  readonly others: SchemaNode | undefined;
  /** Whether it declares nothing and takes anything: what is owned in it does not follow the schema. */
  readonly deduced: boolean;
}

/**
 * What may stand at one place: of scalar, list and map those that are there. Nodes refer to each other in circles where
 * types do, so a node's parts are read when they are asked for.
 */
export interface SchemaNode {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListShape | undefined;
  readonly map: MapShape | undefined;
}

const NO_FIELDS: ReadonlyMap<string, FieldShape> = new Map();

const itself = (relationship: MapShape['relationship'], deduced: boolean): SchemaNode => {
  const node: SchemaNode = {
    scalar: 'untyped',
    get list() {
      return list;
    },
    get map() {
      return map;
    },
  };
  const list: ListShape = {
    relationship: 'atomic',
    keys: [],
    get items() {
      return deduced ? UNTYPED : node;
    },
  };
  const map: MapShape = { relationship, fields: NO_FIELDS, others: node, deduced };
  return node;
};

/** Anything, as one thing. Source: structured-merge-diff, `__untyped_atomic_`. */
export const UNTYPED: SchemaNode = itself('atomic', false);

/** Anything: members of objects are things of their own, lists are one. Source: the same, `__untyped_deduced_`. */
export const DEDUCED: SchemaNode = itself('separable', true);

/** Which of a node's parts a value is about; `any` when the value (null, or of a type that may not be here) says nothing. */
export type Form = 'scalar' | 'list' | 'map' | 'any';

/** Source: structured-merge-diff typed/helpers.go deduceAtom, handleAtom. */
export function formOf(node: SchemaNode, value: JsonValue): Form {
  if (value === null) return 'any';
  if (typeof value !== 'object' || value instanceof Float) return node.scalar === undefined ? 'any' : 'scalar';
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
