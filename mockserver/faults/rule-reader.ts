/** Reading rules, from values and from YAML or JSON: every mistake is told with the path, and the line, at which it stands. */
import { DocumentError, placed, readDocuments } from '../ground/checked-document.js';
import { type JsonSchema, type Mistake, pathText, ValueShape } from '../ground/value-shape.js';
import { type Effect, type EffectKind, EFFECT_KINDS, EFFECTS, isEffectKind } from './effects.js';
import { objectSchema, type Members, text, whole, anything, needed } from './member.js';
import { plainTexts, textTest } from './pattern.js';
import { type Match, MATCH_MEMBERS } from './match.js';
import { canBeAtEvent, type FaultRule, WHEN_MEMBERS } from './rule.js';

/** A rule, or a set of rules, that cannot be used. Its message has a line for each mistake. */
export class RuleError extends Error {
  constructor(mistakes: readonly Mistake[], root: string) {
    super(mistakes.map(({ at, what }) => `${pathText(root, at)}: ${what}`).join('\n'));
    this.name = 'RuleError';
  }
}

/** What a file of rules holds. */
export interface RuleFile {
  /** In words: what the rules reproduce. */
  readonly description?: string;
  /** For which clients. */
  readonly clients?: string;
  /** What those are known to do. */
  readonly expect?: string;
  /** For rules with a probability. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
}

const FILE_MEMBERS = {
  description: text('what the rules reproduce'),
  clients: text('for which clients'),
  expect: text('what those are known to do'),
  seed: whole('for rules with a probability', 0),
  rules: needed(anything('the rules')),
};

/** Which members belong to an effect depends on its kind: they are looked at once that is known. */
const EFFECT_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: EFFECT_KINDS } },
};

const effectSchema = (kind: EffectKind): JsonSchema => {
  const members: Members = { kind: needed(text('which effect')), ...EFFECTS[kind].members };
  return objectSchema(members);
};

const ruleSchema = (effect: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: ['effect'],
  properties: {
    ...(objectSchema(WHEN_MEMBERS)['properties'] as JsonSchema), // as: objectSchema makes it
    match: objectSchema(MATCH_MEMBERS),
    effect,
  },
});

const RULE = new ValueShape<FaultRule>(ruleSchema(EFFECT_SCHEMA));
const FILE = new ValueShape<Omit<RuleFile, 'rules'> & { readonly rules: unknown }>(
  objectSchema(FILE_MEMBERS),
);
const EFFECT_SHAPES: ReadonlyMap<EffectKind, ValueShape<Effect>> = new Map(
  EFFECT_KINDS.map((kind) => [kind, new ValueShape<Effect>(effectSchema(kind))]),
);

/** The schema of a rule file, for editors. */
export const ruleFileSchema = (): JsonSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...FILE.schema,
  properties: {
    ...(FILE.schema['properties'] as JsonSchema), // as: objectSchema makes it
    rules: {
      type: 'array',
      items: ruleSchema({ oneOf: EFFECT_KINDS.map((kind) => withKind(kind)) }),
    },
  },
});

const withKind = (kind: EffectKind): JsonSchema => {
  const schema = effectSchema(kind);
  const properties = schema['properties'] as JsonSchema; // as: objectSchema makes it
  return { ...schema, properties: { ...properties, kind: { const: kind } } };
};

/** What is wrong with one rule; nothing: it is one. */
function mistakesOf(value: unknown): Mistake[] {
  if (!RULE.fits(value)) {
    const found = RULE.mistakes(value);
    return [...found, ...effectMistakes(value)];
  }
  const found = effectMistakes(value);
  return found.length > 0 ? found : contradictions(value);
}

function effectMistakes(value: unknown): Mistake[] {
  const effect = typeof value === 'object' && value !== null && 'effect' in value ? value.effect : undefined;
  const kind = typeof effect === 'object' && effect !== null && 'kind' in effect ? effect.kind : undefined;
  if (!isEffectKind(kind)) return [];
  const mistakes = EFFECT_SHAPES.get(kind)?.mistakes(effect) ?? [];
  return mistakes.map(({ at, what }) => ({ at: ['effect', ...at], what }));
}

/** Rules that have the form of one and could never do what they say. */
function contradictions(rule: FaultRule): Mistake[] {
  const { match = {}, effect } = rule;
  const found: Mistake[] = patternMistakes(match);
  if (match.event !== undefined && !canBeAtEvent(effect.kind)) {
    const what = `an effect of kind ${effect.kind} takes place at requests, not at events`;
    found.push({ at: ['match', 'event'], what });
  }
  if (effect.kind === 'lose-answer' && effect.by === 'status' && effect.status === undefined)
    found.push({ at: ['effect', 'status'], what: 'is required when the answer is lost by a status' });
  const verb = found.length === 0 ? textTest(match.verb) : undefined;
  const takes = plainTexts(EFFECTS[effect.kind].needs?.verb);
  if (verb !== undefined && takes?.some(verb) === false) {
    const what = `an effect of kind ${effect.kind} takes place at ${takes.join(', ')}`;
    found.push({ at: ['match', 'verb'], what });
  }
  return found;
}

function patternMistakes(match: Match): Mistake[] {
  const { event, ...rest } = match;
  const texts = [
    ...Object.entries(rest),
    ...Object.entries(event ?? {}).map(([name, one]) => [`event.${name}`, one] as const),
  ];
  return texts.flatMap(([name, one]): Mistake[] => {
    try {
      // as: what is no pattern has no regex
      for (const each of [one].flat() as unknown[])
        if (typeof each === 'object' && each !== null && 'regex' in each)
          textTest({ regex: String(each.regex) });
      return [];
    } catch (error) {
      return [
        { at: ['match', ...name.split('.')], what: error instanceof Error ? error.message : String(error) },
      ];
    }
  });
}

/** Checks one rule. @param root how it is called in errors. Errors: RuleError with every mistake. */
export function readRule(value: unknown, root: string): FaultRule {
  // What is given as undefined is not there; a value of the program may have such members.
  const plain: unknown = withoutUndefined(value);
  const mistakes = mistakesOf(plain);
  if (mistakes.length > 0) throw new RuleError(mistakes, root);
  return plain as FaultRule; // it has been checked
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      one === undefined ? [] : [[name, withoutUndefined(one)]],
    ),
  );
}

interface Reading {
  readonly file: RuleFile;
  readonly mistakes: readonly Mistake[];
}

/** One rule, a list of rules, or an object with `rules`. */
function reading(value: unknown): Reading {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('effect' in value)) {
    if (!FILE.fits(value)) return { file: { rules: [] }, mistakes: FILE.mistakes(value) };
    const { rules, ...rest } = value;
    if (!Array.isArray(rules))
      return { file: { rules: [] }, mistakes: [{ at: ['rules'], what: 'must be a list of rules' }] };
    return {
      file: { ...rest, rules: rules as FaultRule[] }, // told to be good by `mistakes` alone
      mistakes: rules.flatMap((rule: unknown, i) => below(['rules', i], mistakesOf(rule))),
    };
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return {
    file: { rules: list as FaultRule[] }, // told to be good by `mistakes` alone
    mistakes: list.flatMap((rule, i) => below(Array.isArray(value) ? [i] : [], mistakesOf(rule))),
  };
}

const below = (at: Mistake['at'], mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.map((mistake) => ({ ...mistake, at: [...at, ...mistake.at] }));

/** The rules of a value: one rule, a list of them, or an object with `rules`. Errors: RuleError with every mistake. */
export function readRules(value: unknown, root = 'rules'): RuleFile {
  const { file, mistakes } = reading(withoutUndefined(value));
  if (mistakes.length > 0) throw new RuleError(mistakes, Array.isArray(value) ? root : '');
  return file;
}

/**
 * The rules of a YAML or JSON text: one rule, a list of them, or an object with `rules`.
 *
 * @param name how the text is called in errors
 * Errors: DocumentError with every mistake: `plan.yaml:7: rules[0].match.verb: must be …`.
 */
export function readRuleText(text: string, name = 'rules'): RuleFile {
  const [document] = readDocuments(text, name);
  const { file, mistakes } = reading(document?.value ?? null);
  if (mistakes.length > 0) throw new DocumentError(name, placed(mistakes, document));
  return file;
}
