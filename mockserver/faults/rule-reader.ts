/** Reading rules from JSON or YAML: every mistake is told with the path at which it stands. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../ground/json.js';
import { readYaml } from '../ground/yaml.js';
import { canBeAtEvent, type EffectKind, EVENT_KINDS, type FaultRule, stageOf } from './rule.js';

/** A rule, or a file of rules, that cannot be used. */
export class RuleError extends Error {
  /** `rules[2].match.verb` */
  readonly path: string;

  constructor(path: string, what: string) {
    super(`${path}: ${what}`);
    this.name = 'RuleError';
    this.path = path;
  }
}

type Check = (value: unknown, path: string) => void;

interface Shape {
  readonly required?: readonly string[];
  readonly members: Readonly<Record<string, Check>>;
}

const STRING: Check = (value, path) => {
  if (typeof value !== 'string') throw new RuleError(path, `must be a text, not ${shown(value)}`);
};

const BOOLEAN: Check = (value, path) => {
  if (typeof value !== 'boolean') throw new RuleError(path, `must be true or false, not ${shown(value)}`);
};

const ANY: Check = () => undefined;

const PATTERN: Check = (value, path) => {
  if (typeof value === 'string') return;
  if (!Array.isArray(value) || value.length === 0)
    throw new RuleError(path, `must be a text or a list of texts, not ${shown(value)}`);
  value.forEach((one: unknown, i) => STRING(one, `${path}[${i}]`));
};

const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value, path) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `from ${least} to ${most}`;
    throw new RuleError(path, `must be a whole number, ${bounds}, not ${shown(value)}`);
  };

const number =
  (least: number, most: number): Check =>
  (value, path) => {
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw new RuleError(path, `must be a number from ${least} to ${most}, not ${shown(value)}`);
  };

const oneOf =
  (...choices: readonly string[]): Check =>
  (value, path) => {
    if (typeof value !== 'string' || !choices.includes(value))
      throw new RuleError(path, `must be one of ${choices.join(', ')}, not ${shown(value)}`);
  };

const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw new RuleError(path, `must be a list, not ${shown(value)}`);
    value.forEach((one: unknown, i) => check(one, `${path}[${i}]`));
  };

const object =
  ({ required = [], members }: Shape): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new RuleError(path, `must be an object, not ${shown(value)}`);
    for (const [name, given] of Object.entries(value)) {
      if (given === undefined) continue;
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check === undefined) {
        throw new RuleError(
          `${path}.${name}`,
          `is not known here; known are ${Object.keys(members).join(', ')}`,
        );
      }
      check(given, `${path}.${name}`);
    }
    for (const name of required) {
      if (!Object.hasOwn(value, name)) throw new RuleError(`${path}.${name}`, 'is required');
    }
  };

const EVENT_TYPE = oneOf(...EVENT_KINDS);

const MATCH = object({
  members: {
    verb: PATTERN,
    group: PATTERN,
    version: PATTERN,
    resource: PATTERN,
    subresource: PATTERN,
    namespace: PATTERN,
    name: PATTERN,
    userAgent: PATTERN,
    user: PATTERN,
    url: PATTERN,
    watchList: BOOLEAN,
    continued: BOOLEAN,
    request: integer(1),
    event: object({
      members: {
        type: (value, path) => {
          if (Array.isArray(value)) listOf(EVENT_TYPE)(value, path);
          else EVENT_TYPE(value, path);
        },
        number: integer(1),
        phase: oneOf('initial', 'live'),
        namespace: PATTERN,
        name: PATTERN,
      },
    }),
  },
});

const STATUS_MEMBERS: Shape['members'] = {
  code: integer(400, 599),
  reason: STRING,
  message: STRING,
  retryAfterSeconds: integer(0),
  causes: listOf(object({ members: { reason: STRING, message: STRING, field: STRING } })),
};

const EFFECTS: Readonly<Record<EffectKind, Shape>> = {
  delay: { required: ['ms'], members: { ms: number(0, 86_400_000), jitterMs: number(0, 86_400_000) } },
  status: { required: ['code'], members: STATUS_MEMBERS },
  answer: { required: ['body'], members: { code: integer(200, 599), body: ANY, contentType: STRING } },
  'expire-continue': { members: {} },
  reset: { members: {} },
  hang: { members: {} },
  'lose-answer': {
    members: {
      by: oneOf('reset', 'hang', 'status'),
      status: object({ required: ['code'], members: STATUS_MEMBERS }),
    },
  },
  'lose-commit': { members: {} },
  compact: { members: { revision: integer(1) } },
  stall: { members: { forMs: number(0, 86_400_000) } },
  end: { members: {} },
  error: { required: ['code'], members: STATUS_MEMBERS },
  drop: { members: {} },
  duplicate: { members: {} },
  split: { members: {} },
  'half-frame': { members: {} },
};

const EFFECT: Check = (value, path) => {
  object({ required: ['kind'], members: allMembers })(value, path);
  const kind: unknown = (value as { kind?: unknown }).kind; // an object, as the line above has checked
  oneOf(...Object.keys(EFFECTS))(kind, `${path}.kind`);
  const { required = [], members } = EFFECTS[kind as EffectKind]; // one of its keys, as the line above has checked
  object({ required: ['kind', ...required], members: { kind: STRING, ...members } })(value, path);
};

/** Members of any effect: their values are looked at once the kind is known. */
const allMembers: Shape['members'] = Object.fromEntries(
  ['kind', ...Object.values(EFFECTS).flatMap(({ members }) => Object.keys(members))].map((name) => [
    name,
    ANY,
  ]),
);

const RULE = object({
  required: ['effect'],
  members: {
    name: STRING,
    match: MATCH,
    effect: EFFECT,
    times: integer(1),
    probability: number(0, 1),
    after: STRING,
  },
});

/**
 * Checks one rule.
 *
 * @param path how the rule is called in errors
 * Errors: RuleError naming the member.
 */
export function readRule(value: unknown, path: string): FaultRule {
  RULE(value, path);
  const rule = value as FaultRule; // every member has been checked
  if (rule.match?.event !== undefined && !canBeAtEvent(rule.effect.kind)) {
    throw new RuleError(
      `${path}.match.event`,
      `an effect of kind ${rule.effect.kind} takes place at requests, not at events`,
    );
  }
  if (rule.effect.kind === 'lose-answer' && rule.effect.by === 'status' && rule.effect.status === undefined)
    throw new RuleError(`${path}.effect.status`, 'is required when the answer is lost by a status');
  if (stageOf(rule) === 'open' || stageOf(rule) === 'event') {
    const { verb } = rule.match ?? {};
    const verbs = verb === undefined ? [] : typeof verb === 'string' ? [verb] : verb;
    if (verbs.length > 0 && !verbs.some((one) => one === 'watch' || one.includes('*')))
      throw new RuleError(
        `${path}.match.verb`,
        `an effect of kind ${rule.effect.kind} takes place at watches`,
      );
  }
  return rule;
}

/** What a file of rules holds. */
export interface RuleFile {
  /** In words: what the rules reproduce. */
  readonly description?: string;
  /** For rules with a probability. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
}

const FILE = object({
  required: ['rules'],
  members: { description: STRING, clients: STRING, expect: STRING, seed: integer(0), rules: ANY },
});

/** One rule, a list of rules, or an object with `rules`. Errors: RuleError naming the path. */
export function readRules(value: JsonValue): RuleFile {
  if (isJsonArray(value)) return { rules: value.map((one, i) => readRule(one, `rules[${i}]`)) };
  if (!isJsonObject(value)) throw new RuleError('rules', `must be a list of rules, not ${shown(value)}`);
  if (Object.hasOwn(value, 'effect')) return { rules: [readRule(value, 'rule')] };
  FILE(value, 'file');
  const { rules } = value as JsonObject & { rules: JsonValue }; // required by FILE
  if (!isJsonArray(rules)) throw new RuleError('rules', `must be a list of rules, not ${shown(rules)}`);
  const { description, seed } = value;
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof seed === 'number' ? { seed } : {}),
    rules: rules.map((one, i) => readRule(one, `rules[${i}]`)),
  };
}

/** The rules of a YAML or JSON text. Errors: RuleError naming the path, or the line of what is no YAML. */
export function readRuleText(text: string): RuleFile {
  const reading = readYaml(text);
  if (!reading.ok) throw new RuleError('file', reading.error);
  return readRules(reading.value);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
