/** Finds the rules that may be about a request without asking each of a long plan. */
import { type RequestView } from '../http/exchange-hooks.js';
import { EFFECTS } from './effects.js';
import { plainTexts } from './pattern.js';
import { type FaultRule } from './rule.js';

/** A rule with its place in the plan. */
export interface Placed {
  readonly rule: FaultRule;
  readonly order: number;
}

/** Stands for "any", where a rule names no text or a pattern. */
const ANY = '\u0000';

const keyOf = (resource: string, verb: string, name: string): string => `${resource}\n${verb}\n${name}`;

/** Rules lie under each resource, verb and name that they name as plain texts. */
export class RuleIndex<R extends Placed> {
  readonly #byKey = new Map<string, R[]>();

  constructor(rules: readonly R[]) {
    for (const rule of rules) {
      const { match = {}, effect } = rule.rule;
      for (const resource of keysOf(match.resource))
        for (const verb of keysOf(match.verb ?? EFFECTS[effect.kind].needs?.verb))
          for (const name of keysOf(match.name)) {
            const key = keyOf(resource, verb, name);
            const known = this.#byKey.get(key);
            if (known === undefined) this.#byKey.set(key, [rule]);
            else known.push(rule);
          }
    }
  }

  /** A superset of the rules about a request, in the order of the plan. */
  about({ resource, verb, name }: RequestView): readonly R[] {
    let found: R[] | undefined;
    let lists = 0;
    for (const one of [resource, ANY])
      for (const two of [verb, ANY])
        for (const three of [name, ANY]) {
          const list = this.#byKey.get(keyOf(one, two, three));
          if (list === undefined) continue;
          lists++;
          found = found === undefined ? list : [...found, ...list];
        }
    if (found === undefined) return [];
    return lists === 1 ? found : found.sort((a, b) => a.order - b.order);
  }
}

/** Equal texts once: a rule must not be found twice. */
const keysOf = (pattern: Parameters<typeof plainTexts>[0]): Iterable<string> => {
  const texts = plainTexts(pattern);
  return texts === undefined ? [ANY] : new Set(texts);
};
