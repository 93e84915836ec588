/** Finds the rules that may be about a request without asking each of a long plan every time. */
import { type RequestView } from '../http/exchange-hooks.js';
import { type RequestTests } from './matcher.js';
import { plainTexts } from './pattern.js';
import { remembered } from './remembered.js';
import { type FaultRule } from './rule.js';

/** A rule with its place in the plan and what it asks of requests. */
export interface Placed {
  readonly rule: FaultRule;
  readonly tests: RequestTests;
  readonly order: number;
}

/**
 * Clients ask for few sorts of things again and again: what is found for one sort, and for one name within it, is
 * remembered.
 */
export class RuleIndex<R extends Placed> {
  readonly #rules: readonly R[];
  readonly #bySort = new Map<string, NameIndex<R>>();

  /** @param rules in the order of the plan */
  constructor(rules: readonly R[]) {
    this.#rules = rules;
  }

  /** The rules whose sort and name a request has, in the order of the plan. Their `rest` is still to be asked. */
  about(request: RequestView): readonly R[] {
    const sort = sortOf(request);
    const index = remembered(
      this.#bySort,
      sort,
      () => new NameIndex(this.#rules.filter(({ tests }) => tests.sort(request))),
    );
    return index.about(request.name);
  }
}

/** All that `RequestTests.sort` looks at. */
const sortOf = (request: RequestView): string => {
  const { verb, group, version, resource, subresource, namespace, userAgent, client, user } = request;
  return `${verb}\n${group}\n${version}\n${resource}\n${subresource}\n${namespace}\n${client}\n${user?.name ?? ''}\n${userAgent}`;
};

/** Rules for requests of one sort. */
class NameIndex<R extends Placed> {
  /** Those that name plain texts, under each. */
  readonly #plain = new Map<string, R[]>();
  /** The others. */
  readonly #others: R[] = [];
  readonly #found = new Map<string, readonly R[]>();
  readonly #empty: boolean;

  constructor(rules: readonly R[]) {
    this.#empty = rules.length === 0;
    for (const rule of rules) {
      const names = plainTexts(rule.rule.match?.name);
      if (names === undefined) this.#others.push(rule);
      // Equal texts once: a rule must not be found twice.
      else for (const name of new Set(names)) this.#plain.set(name, [...(this.#plain.get(name) ?? []), rule]);
    }
  }

  about(name: string): readonly R[] {
    if (this.#empty) return NOTHING;
    return remembered(this.#found, name, () => {
      const others = this.#others.filter(({ tests }) => tests.name?.(name) ?? true);
      const found = [...(this.#plain.get(name) ?? []), ...others].sort((a, b) => a.order - b.order);
      return found.length === 0 ? NOTHING : found;
    });
  }
}

const NOTHING: readonly never[] = Object.freeze([]);
