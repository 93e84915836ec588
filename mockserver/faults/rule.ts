/** A fault rule: what it matches, what it does, how often. Plain data that a test, a file or a request can hold. */
import { type Effect, EFFECTS } from './effects.js';
import { type Stage } from './effects/declaration.js';
import { type Match } from './match.js';
import { milliseconds, share, text, type ValuesOf, whole } from './member.js';

/** What a rule holds besides matcher and effect: when it is in force, and how often it fires. */
export const WHEN_MEMBERS = {
  name: text('names the rule in the journal; `rule-N` by default'),
  times: whole('it fires so many times at the most', 1),
  probability: share(
    "it fires by chance; each rule draws from a sequence of its own, seeded by the plan's `seed`",
  ),
  after: text('only after the rule of this name has fired'),
  until: text('no more once the rule of this name has fired'),
  signal: text('only after the test has given this signal'),
  untilSignal: text('no more once the test has given this signal'),
  fromMs: milliseconds("only so long after it was added, on the cluster's clock"),
  toMs: milliseconds("no more so long after it was added, on the cluster's clock"),
};

export type When = ValuesOf<typeof WHEN_MEMBERS>;

export interface FaultRule extends When {
  /** @default everything */
  readonly match?: Match;
  readonly effect: Effect;
}

export const canBeAtEvent = (kind: Effect['kind']): boolean => EFFECTS[kind].atEvents;

/** The stage of a rule: at the event when it matches events, else where its effect belongs. */
export const stageOf = ({ match, effect }: FaultRule): Stage =>
  match?.event !== undefined && canBeAtEvent(effect.kind) ? 'event' : EFFECTS[effect.kind].stage;
