/**
 * Applies a JSON patch, as the library of the server does it (evanphx/json-patch 4), where that differs from RFC 6902:
 * `replace` adds a member that is not there, `copy` of one that is not there gives null, `add` without a value adds
 * null, `test` without a value passes where there is nothing or null, array indices may be negative, signed or have
 * leading zeros, what stands before the first slash of a path is ignored, and only `replace` and `test` take the
 * whole document.
 */
import { parseInt64 } from '../ground/go-number.js';
import {
  Float,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
} from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import { rejectedRequest } from '../ground/status.js';
import { isWrittenAs } from './json-literal.js';
import { type JsonPatch, type JsonPatchOperation } from './json-patch.js';

/** Bytes that all `copy` operations of a patch may add together. Source: apiserver JSONPatchMaxCopyBytes. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * The document after the patch; neither is changed, and the result may share parts with both.
 *
 * Errors: the 422 that says nothing, for any operation that fails.
 */
export function applyJsonPatch(document: JsonObject, patch: JsonPatch): JsonValue {
  const draft = new Draft(document);
  for (const operation of patch.operations) apply(draft, operation);
  return draft.root;
}

function apply(draft: Draft, operation: JsonPatchOperation): void {
  const { value = null } = operation;
  switch (operation.op) {
    case 'add': {
      draft.add(present(operation.path), value);
      return;
    }
    case 'remove': {
      draft.remove(present(operation.path));
      return;
    }
    case 'replace': {
      draft.replace(present(operation.path), value);
      return;
    }
    case 'move': {
      const from = present(operation.from);
      const moved = draft.get(from);
      draft.remove(from);
      draft.add(present(operation.path), moved ?? null);
      return;
    }
    case 'copy': {
      draft.add(present(operation.path), draft.copyOf(present(operation.from)));
      return;
    }
    case 'test':
      if (!passes(draft.get(present(operation.path), true) ?? null, operation)) throw rejectedRequest();
      return;
    default:
      throw rejectedRequest();
  }
}

function present(path: string | undefined): string {
  if (path === undefined) throw rejectedRequest();
  return path;
}

/** Nothing and null are the same; else the texts are compared. */
function passes(actual: JsonValue, { value, literal }: JsonPatchOperation): boolean {
  if (actual === null || value === undefined || value === null) return actual === (value ?? null);
  return literal === undefined ? isWrittenLike(actual, value) : isWrittenAs(actual, literal);
}

/** 2^63: from here on integers are floats, whose usual text has neither point nor exponent. */
const FLOATS_FROM = 2 ** 63;

function isWrittenLike(actual: JsonValue, sent: JsonValue): boolean {
  if (isJsonArray(sent)) {
    return (
      isJsonArray(actual) &&
      actual.length === sent.length &&
      sent.every((one, i) => isWrittenLike(actual[i] ?? null, one))
    );
  }
  if (isJsonObject(sent)) {
    return (
      isJsonObject(actual) &&
      Object.keys(actual).length === Object.keys(sent).length &&
      Object.entries(sent).every(([name, one]) => {
        const own = member(actual, name);
        return own !== undefined && isWrittenLike(own, one);
      })
    );
  }
  if (isJsonArray(actual) || isJsonObject(actual)) return false;
  // A small whole float was written as `1.0` or `1e0`, as no server writes it.
  if (sent instanceof Float && Math.abs(sent.value) < FLOATS_FROM) return false;
  return writeJson(actual) === writeJson(sent);
}

type Container = MutableJsonObject | JsonValue[];

/** A document under change: containers are copied the first time they are written to. */
class Draft {
  #root: JsonValue;
  /** Containers made here, which nobody else sees yet. */
  readonly #owned = new WeakSet<Container>();
  #copiedBytes = 0;

  constructor(document: JsonObject) {
    this.#root = document;
  }

  get root(): JsonValue {
    return this.#root;
  }

  /** The value at a path; undefined for a member that is not there. Errors: 422 when its container is not there. */
  get(path: string, wholeAllowed = false): JsonValue | undefined {
    if (path === '' && wholeAllowed) return this.#root;
    const { parents, key } = splitPath(path);
    let container = this.#root;
    for (const parent of parents) container = childOf(container, parent) ?? null;
    return childOf(container, key);
  }

  add(path: string, value: JsonValue): void {
    const { container, key } = this.#open(path);
    if (!Array.isArray(container)) {
      setMember(container, key, value);
      return;
    }
    container.splice(key === '-' ? container.length : indexOf(key, container.length + 1), 0, value);
  }

  remove(path: string): void {
    const { container, key } = this.#open(path);
    if (Array.isArray(container)) {
      container.splice(indexOf(key, container.length), 1);
    } else {
      if (!Object.hasOwn(container, key)) throw rejectedRequest();
      Reflect.deleteProperty(container, key);
    }
  }

  replace(path: string, value: JsonValue): void {
    if (path === '') {
      if (!isJsonObject(value) && !isJsonArray(value)) throw rejectedRequest();
      this.#root = value;
      return;
    }
    const { container, key } = this.#open(path);
    if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
    else setMember(container, key, value);
  }

  /** A deep copy, since the original may still change. Errors: 422 when all copies are too large together. */
  copyOf(path: string): JsonValue {
    const value = this.get(path) ?? null;
    if (value === null) return null;
    this.#copiedBytes += Buffer.byteLength(writeJson(value));
    if (this.#copiedBytes > MAX_COPIED_BYTES) throw rejectedRequest();
    return deepCopy(value);
  }

  /** The container that a path ends in, ready to be changed. */
  #open(path: string): { readonly container: Container; readonly key: string } {
    const { parents, key } = splitPath(path);
    let container = this.#own(this.#root);
    this.#root = container;
    for (const parent of parents) {
      const child = this.#own(childOf(container, parent) ?? null);
      if (Array.isArray(container)) container[indexOf(parent, container.length)] = child;
      else setMember(container, parent, child);
      container = child;
    }
    return { container, key };
  }

  #own(value: JsonValue): Container {
    // What is in the set has been made below, by copying.
    if (isContainer(value) && this.#owned.has(value)) return value;
    if (!isJsonArray(value) && !isJsonObject(value)) throw rejectedRequest();
    const own: Container = isJsonArray(value) ? [...value] : { ...value };
    this.#owned.add(own);
    return own;
  }
}

/** As a type only: whether it may be changed, the set of owned containers says. */
const isContainer = (value: JsonValue): value is JsonValue[] | MutableJsonObject =>
  isJsonArray(value) || isJsonObject(value);

function splitPath(path: string): { readonly parents: readonly string[]; readonly key: string } {
  const parts = path.split('/').slice(1).map(unescapeToken);
  const key = parts.pop();
  if (key === undefined) throw rejectedRequest();
  return { parents: parts, key };
}

/** In one pass, so that `~01` is `~1`; any other `~` stands for itself. Source: RFC 6901. */
const unescapeToken = (token: string): string =>
  token.replace(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~'));

/** Errors: 422 for an index that is none, and for what has no children. */
function childOf(container: JsonValue, key: string): JsonValue | undefined {
  if (isJsonArray(container)) return container[indexOf(key, container.length)];
  if (isJsonObject(container)) return member(container, key);
  throw rejectedRequest();
}

/** An index below `length`; negative ones count from the end. Errors: 422. */
function indexOf(key: string, length: number): number {
  const parsed = parseInt64(key);
  if (!parsed.ok) throw rejectedRequest();
  const index = Number(parsed.value) + (parsed.value < 0n ? length : 0);
  if (index < 0 || index >= length) throw rejectedRequest();
  return index;
}

function deepCopy(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(deepCopy);
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const [name, one] of Object.entries(value)) setMember(copy, name, deepCopy(one));
  return copy;
}
