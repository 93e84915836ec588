/** Reads a YAML or JSON text and holds it against a JSON schema: a mistake is told with file, line and path. */
import { createRequire } from 'node:module';
import { type Ajv as AjvInstance, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import { type JsonValue } from './json.js';
import { readYaml, yamlLines } from './yaml.js';

/** One mistake in a document. */
export interface Mistake {
  /** 1-based; where the member stands, or the nearest one around it that does. */
  readonly line: number;
  /** `rules[2].match.verb`; empty for the document itself. */
  readonly path: string;
  /** `must be a number, not "fast"` */
  readonly what: string;
}

/** A document that cannot be used. Its message has one line for each mistake: `FILE:LINE: PATH: WHAT`. */
export class DocumentError extends Error {
  readonly file: string;
  readonly mistakes: readonly Mistake[];

  constructor(file: string, mistakes: readonly Mistake[]) {
    super(
      mistakes
        .map(({ line, path, what }) => `${file}:${line}: ${path === '' ? '' : `${path}: `}${what}`)
        .join('\n'),
    );
    this.name = 'DocumentError';
    this.file = file;
    this.mistakes = mistakes;
  }
}

/** Names of members and indices of lists, from the document inwards. */
type Steps = readonly string[];

/**
 * A kind of document: what its schema accepts is a `T`.
 *
 * The schema (JSON schema, draft 7) is compiled when the first document is read. `discriminator` beside a `oneOf` is
 * understood, which makes for better words where a member says which of several forms an object has.
 */
export class DocumentKind<T> {
  readonly #schema: AnySchemaObject;
  #validate: ValidateFunction | undefined;

  constructor(schema: AnySchemaObject) {
    this.#schema = schema;
  }

  /**
   * The first document of a text. Members that are absent and have a default in the schema stay absent.
   *
   * @param file how the text is called in errors
   * Errors: DocumentError with all mistakes, those of one member once.
   */
  read(text: string, file: string): T {
    const reading = readYaml(text);
    if (!reading.ok) {
      const line = Number(/line (\d+)/.exec(reading.error)?.[1] ?? 1);
      throw new DocumentError(file, [{ line, path: '', what: reading.error }]);
    }
    const found = this.#mistakes(reading.value);
    if (found.length > 0) {
      const lineOf = yamlLines(text);
      throw new DocumentError(
        file,
        found.map(({ steps, what }) => ({ line: lineOf(steps), path: pathText(steps), what })),
      );
    }
    return reading.value as T; // what the schema accepts
  }

  /** The same for a value that was read already. Errors: DocumentError, whose lines are all 1. */
  check(value: JsonValue, file: string): T {
    const found = this.#mistakes(value);
    if (found.length > 0) {
      throw new DocumentError(
        file,
        found.map(({ steps, what }) => ({ line: 1, path: pathText(steps), what })),
      );
    }
    return value as T; // what the schema accepts
  }

  #mistakes(value: JsonValue): readonly { readonly steps: Steps; readonly what: string }[] {
    const validate = (this.#validate ??= newAjv().compile(this.#schema));
    if (validate(value)) return [];
    const found = new Map<string, { steps: Steps; what: string }>();
    for (const error of validate.errors ?? []) {
      if (error.keyword === 'if' || error.keyword === 'oneOf' || error.keyword === 'anyOf') continue;
      const steps = stepsOf(error);
      const path = pathText(steps);
      if (!found.has(path)) found.set(path, { steps, what: wordsOf(error) });
    }
    const [first] = validate.errors ?? [];
    if (found.size === 0 && first !== undefined)
      found.set('', { steps: stepsOf(first), what: wordsOf(first) });
    return [...found.values()];
  }
}

/** Loaded with the first document: a server that reads none does not pay for it. */
function newAjv(): AjvInstance {
  // as: createRequire types what it loads as unknown
  const { Ajv } = createRequire(import.meta.url)('ajv') as { readonly Ajv: typeof AjvInstance };
  return new Ajv({ allErrors: true, verbose: true, discriminator: true, allowUnionTypes: true });
}

/** Where the mistake is: of a member that is missing or unknown, the member itself. */
function stepsOf({ instancePath, keyword, params }: ErrorObject): Steps {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named: unknown =
    keyword === 'additionalProperties'
      ? params['additionalProperty']
      : keyword === 'required'
        ? params['missingProperty']
        : keyword === 'discriminator'
          ? params['tag']
          : undefined;
  return typeof named === 'string' ? [...steps, named] : steps;
}

function wordsOf({ keyword, params, message, data, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return `is not known here (${Object.keys((parentSchema?.['properties'] ?? {}) as object).join(', ')})`;
    case 'required':
      return 'is missing';
    case 'type':
      return `must be ${typeWords(params['type'])}, not ${shown(data)}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}, not ${shown(data)}`;
    case 'discriminator':
      return `must name one of the known forms, not ${shown(params['tagValue'])}`;
    default:
      return `${message ?? `breaks ${keyword}`}, not ${shown(data)}`;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((one) => TYPE_WORDS[String(one)] ?? String(one)).join(' or ');
}

/** A value in an error message, cut when it is long. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const pathText = (steps: Steps): string =>
  steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
