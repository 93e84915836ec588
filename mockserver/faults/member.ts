/** Members of rules, declared once: the type of their values, their JSON schema, and what they say in the documentation. */
import { type JsonValue } from '../ground/json.js';
import { type JsonSchema } from '../ground/value-shape.js';

export interface Member<T, Needed extends boolean = false> {
  readonly schema: JsonSchema;
  /** For the reference: a clause without a full stop. */
  readonly says: string;
  readonly needed: Needed;
  /** Never there: carries the type. */
  readonly value?: T;
}

export type Members = Readonly<Record<string, Member<unknown, boolean>>>;

type ValueOf<M> = M extends Member<infer T, boolean> ? T : never;

type NeededNames<M extends Members> = { [K in keyof M]: M[K]['needed'] extends true ? K : never }[keyof M];

/** The object that members describe. */
export type ValuesOf<M extends Members> = { readonly [K in NeededNames<M>]: ValueOf<M[K]> } & {
  readonly [K in Exclude<keyof M, NeededNames<M>>]?: ValueOf<M[K]>;
};

const member = <T>(schema: JsonSchema, says: string): Member<T> => ({ schema, says, needed: false });

export const needed = <T>(one: Member<T>): Member<T, true> => ({ ...one, needed: true });

export const text = (says: string): Member<string> => member({ type: 'string' }, says);

export const flag = (says: string): Member<boolean> => member({ type: 'boolean' }, says);

export const whole = (says: string, least: number, most?: number): Member<number> =>
  member({ type: 'integer', minimum: least, ...(most === undefined ? {} : { maximum: most }) }, says);

/** A day at the most. */
export const milliseconds = (says: string): Member<number> =>
  member({ type: 'number', minimum: 0, maximum: 86_400_000 }, says);

export const share = (says: string): Member<number> =>
  member({ type: 'number', minimum: 0, maximum: 1 }, says);

export const oneOf = <const T extends string>(choices: readonly T[], says: string): Member<T> =>
  member({ type: 'string', enum: choices }, says);

export const anything = (says: string): Member<JsonValue> => member({}, says);

export const listOf = <T>(item: Member<T>, says: string): Member<readonly T[]> =>
  member({ type: 'array', items: item.schema }, says);

export const objectOf = <M extends Members>(members: M, says: string): Member<ValuesOf<M>> =>
  member(objectSchema(members), says);

/** One of a list, or several. */
export const someOf = <const T extends string>(
  choices: readonly T[],
  says: string,
): Member<T | readonly T[]> =>
  member(
    {
      title: `one of ${choices.join(', ')}, or a list of them`,
      anyOf: [
        { type: 'string', enum: choices },
        { type: 'array', minItems: 1, items: { type: 'string', enum: choices } },
      ],
    },
    says,
  );

/** A text in which `*` stands for any characters and `?` for one, or a regular expression. */
export type OnePattern = string | { readonly regex: string };
/** Several: any of them. */
export type Pattern = OnePattern | readonly OnePattern[];

const ONE_PATTERN: JsonSchema = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      additionalProperties: false,
      required: ['regex'],
      properties: { regex: { type: 'string' } },
    },
  ],
};

export const pattern = (says: string): Member<Pattern> =>
  member(
    {
      title: 'a text, an object with regex, or a list of them',
      anyOf: [ONE_PATTERN, { type: 'array', minItems: 1, items: ONE_PATTERN }],
    },
    says,
  );

/** A number, or bounds that belong to it. */
export type Span = number | { readonly from?: number; readonly to?: number };

export const span = (says: string, least = 1): Member<Span> =>
  member(
    {
      title: `a whole number, at least ${least}, or an object with from and to`,
      anyOf: [
        { type: 'integer', minimum: least },
        {
          type: 'object',
          additionalProperties: false,
          properties: { from: { type: 'integer', minimum: least }, to: { type: 'integer', minimum: least } },
        },
      ],
    },
    says,
  );

/** The schema of an object that holds these members and no others. */
export const objectSchema = (members: Members): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.entries(members)
    .filter(([, one]) => one.needed)
    .map(([name]) => name),
  properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
});
