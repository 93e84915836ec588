/** What one decoding finds on its way: members that nobody knows, and the error that ends it. */
import { type JsonObject, type JsonValue, Float } from '../ground/json.js';

/** A Go decoder keeps no more than this many problems. Source: sigs.k8s.io/json, saveStrictError. */
const MOST_UNKNOWN = 100;

/**
 * What null in the place of a pointer is: in JSON always an unset one; what has been read from a message leaves unset ones out, and
 * null is a pointer to a value that has no other JSON (the zero time).
 */
export type Nulls = 'unset' | 'zero';

interface Mismatch {
  /** What was found: `string`, `number 1.5`, … */
  readonly found: string;
  /** The Go type that was expected. */
  readonly goType: string;
  /** Name of the innermost struct; undefined until the error has risen to one. */
  struct: string | undefined;
  /** Names from the outermost struct down, joined by dots; no list indices. */
  path: string;
}

/**
 * The findings of one decoding.
 *
 * Coders report with a path relative to their own value; whoever called them puts its own name in front (`within…`).
 * As in Go, of several mismatches the first in the order of the document is shown, and decoding goes on after it;
 * what a type's own decoder refuses (`refuse`, `abort`) ends everything and hides earlier mismatches.
 * Source: sigs.k8s.io/json, decode.go (saveError, addErrorContext).
 */
export class DecodeRun {
  /** Paths beginning with `.` or `[`. */
  readonly unknown: string[] = [];
  problem: Mismatch | string | undefined;
  aborted = false;
  readonly nulls: Nulls;

  constructor(nulls: Nulls = 'unset') {
    this.nulls = nulls;
  }

  /** A value of the wrong JSON type. */
  mismatch(found: string, goType: string): JsonObject | undefined {
    this.problem ??= { found, goType, struct: undefined, path: '' };
    return undefined;
  }

  /** An error whose text stands alone, after which decoding goes on. */
  complain(text: string): JsonObject | undefined {
    this.problem ??= text;
    return undefined;
  }

  /** As `mismatch`, from a type with a decoder of its own. */
  abort(found: string, goType: string): JsonObject | undefined {
    this.problem = { found, goType, struct: undefined, path: '' };
    this.aborted = true;
    return undefined;
  }

  /** As `complain`, from a type with a decoder of its own. */
  refuse(text: string): JsonObject | undefined {
    this.problem = text;
    this.aborted = true;
    return undefined;
  }

  /**
   * What a type finds that starts a decoding of its own inside this one: unknown members stay unsaid, and any
   * error ends the whole, named after the struct that it rises to and not after the one in which it arose.
   */
  nested(decode: () => JsonValue | undefined): JsonValue | undefined {
    const unknownBefore = this.unknown.length;
    const earlier = this.problem;
    this.problem = undefined;
    const decoded = decode();
    this.unknown.length = unknownBefore;
    return this.#endNested(earlier, decoded);
  }

  #endNested(earlier: DecodeRun['problem'], decoded: JsonValue | undefined): JsonValue | undefined {
    if (this.problem === undefined) {
      this.problem = earlier;
      return decoded;
    }
    if (typeof this.problem !== 'string') this.problem.struct = undefined;
    this.aborted = true;
    return undefined;
  }

  unknownMember(name: string): void {
    if (this.unknown.length < MOST_UNKNOWN) this.unknown.push(`.${name}`);
  }

  /** Puts `prefix` before the unknown members found since there were `count` of them. */
  prefixUnknown(count: number, prefix: string): void {
    for (let i = count; i < this.unknown.length; i++) this.unknown[i] = `${prefix}${this.unknown[i] ?? ''}`;
  }

  /** Says that the problem arose in the member `goPath` of `struct`. */
  locate(struct: string, goPath: string): void {
    const problem = this.problem;
    if (problem === undefined || typeof problem === 'string') return;
    problem.struct ??= struct;
    problem.path = problem.path === '' ? goPath : `${goPath}.${problem.path}`;
  }

  /** The error as Go words it; undefined when all went well. */
  error(): string | undefined {
    const problem = this.problem;
    if (problem === undefined || typeof problem === 'string') return problem;
    const into =
      problem.struct === undefined ? 'Go value' : `Go struct field ${problem.struct}.${problem.path}`;
    return `json: cannot unmarshal ${problem.found} into ${into} of type ${problem.goType}`;
  }

  /** `spec.containers[0].foo`, in the order of the document. */
  unknownPaths(): readonly string[] {
    return this.unknown.map((path) => path.slice(1));
  }
}

/** The JSON type of a value in Go's words. */
export function wordOf(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      if (value === null) return 'null';
      if (value instanceof Float) return 'number';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

/** The text of a number: as sent where that is known, else its shortest form. Undefined for anything else. */
export function literalOf(value: JsonValue): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Float) return value.literal;
  return undefined;
}

/** As `wordOf`, with the text of a number: how integer types name what they refuse. */
export function wordWithLiteral(value: JsonValue): string {
  const literal = literalOf(value);
  return literal === undefined ? wordOf(value) : `number ${literal}`;
}
