/** What a value from outside must look like, as a JSON schema: mistakes are told one by one, each with its path. */
import { createRequire } from 'node:module';
import type * as AjvPackage from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { nearestName } from './nearest-name.js';

/** A JSON schema, draft 7. `title` says in words what is expected where several types are. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Mistake {
  /** Names of members and numbers of items that lead to it, from the value down. */
  readonly at: readonly (string | number)[];
  /** Goes on behind the path: `must be a text, not 3`. */
  readonly what: string;
}

/** A shape is compiled when it is first asked, and kept. */
export class ValueShape<T> {
  readonly schema: JsonSchema;
  #validate: ValidateFunction<T> | undefined;

  constructor(schema: JsonSchema) {
    this.schema = schema;
  }

  /** Whether the value has the shape. */
  fits(value: unknown): value is T {
    return this.#compiled(value);
  }

  /** All that is wrong with a value; none: it has the shape. */
  mistakes(value: unknown): Mistake[] {
    const validate = this.#compiled;
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    // Of a choice, what each branch has against the value says less than the choice itself.
    const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
    const within = (one: ErrorObject): boolean =>
      choices.some(
        (choice) =>
          choice !== one && one.instancePath.startsWith(choice.instancePath) && isBelow(one, choice),
      );
    return errors.filter((one) => !within(one)).map(mistakeOf);
  }

  get #compiled(): ValidateFunction<T> {
    return (this.#validate ??= newAjv().compile<T>(this.schema));
  }
}

/** Loaded by the first value that is checked: a server which is given none does not pay for it. */
function newAjv(): AjvPackage.Ajv {
  // as: createRequire types what it loads as unknown
  const { Ajv } = createRequire(import.meta.url)('ajv') as typeof AjvPackage;
  return new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
}

const isBelow = (one: ErrorObject, choice: ErrorObject): boolean =>
  one.schemaPath.startsWith(`${choice.schemaPath}/`);

function mistakeOf(error: ErrorObject): Mistake {
  const at = error.instancePath.split('/').slice(1).map(unescaped);
  // as: ajv gives each keyword parameters of its own, as its documentation lists them
  const params = error.params as {
    readonly missingProperty?: string;
    readonly additionalProperty?: string;
    readonly allowedValues?: readonly unknown[];
  };
  if (params.missingProperty !== undefined)
    return { at: [...at, params.missingProperty], what: 'is required' };
  if (params.additionalProperty !== undefined) {
    const { additionalProperty } = params;
    const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
    const meant = known.length < 2 ? '' : `; did you mean ${nearestName(additionalProperty, known)}?`;
    return {
      at: [...at, additionalProperty],
      what: `is not known here; known are ${known.join(', ')}${meant}`,
    };
  }
  return { at, what: `must be ${expected(error)}, not ${shown(error.data)}` };
}

const unescaped = (part: string): string | number =>
  /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');

/** In words what would have been right. */
function expected({ keyword, parentSchema, message }: ErrorObject): string {
  const { title, type, enum: choices, minimum, maximum } = parentSchema ?? {};
  if (typeof title === 'string') return title;
  if (keyword === 'enum' && Array.isArray(choices)) return `one of ${choices.join(', ')}`;
  switch (type) {
    case 'string':
      return keyword === 'type' ? 'a text' : `a text that ${(message ?? '').replace('must ', 'does ')}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return keyword === 'minItems' ? 'a list that is not empty' : 'a list';
    case 'object':
      return 'an object';
    case 'integer':
      return `a whole number${bounds(minimum, maximum)}`;
    case 'number':
      return `a number${bounds(minimum, maximum)}`;
    default:
      return (message ?? 'something else').replace('must be ', '');
  }
}

function bounds(least: unknown, most: unknown): string {
  if (typeof least !== 'number') return typeof most === 'number' ? `, at most ${most}` : '';
  return typeof most === 'number' ? ` from ${least} to ${most}` : `, at least ${least}`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** `rules[2].match.verb`, below a root of that name. */
export function pathText(root: string, at: readonly (string | number)[]): string {
  return at.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    root,
  );
}
