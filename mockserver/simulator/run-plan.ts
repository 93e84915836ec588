/** The runs of a scenario: each of its cases and combinations, on each of its servers. */
import { DocumentError, placed } from '../ground/checked-document.js';
import {
  copyObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  member,
  setMember,
  jsonObject,
} from '../ground/json.js';
import { ALPHA_STALL_RESUME, DEFAULT_STALL_RESUME } from '../watch/stall-resume.js';
import { DEFAULT_WATCH_CACHE, type WatchCacheOptions } from '../watch/watch-cache-options.js';
import { type Scenario, type ServerSpec } from './scenario.js';
import { SCENARIO } from './scenario-schema.js';

export interface Run {
  /** What distinguishes it: `{ case: …, 'watchers.stalled.count': 100 }`. */
  readonly labels: Readonly<Record<string, JsonValue>>;
  readonly variant: string;
  readonly scenario: Scenario;
  readonly server: ServerSpec;
}

/** What is compared where a scenario names nothing. */
export const DEFAULT_VARIANTS: Readonly<Record<string, ServerSpec>> = Object.freeze({
  target: { stallResume: true },
  alpha: { stallResume: true, design: 'alpha' },
  'gate off': { stallResume: false },
});

/**
 * @param file how the scenario is called in errors
 * Shape: cases outside, combinations inside, variants innermost; at least one run.
 * Errors: DocumentError for what a case or a combination makes of the scenario.
 */
export function planRuns(scenario: Scenario, file: string): readonly Run[] {
  const { cases = { '': {} }, sweep = {}, variants = DEFAULT_VARIANTS } = scenario;
  const runs: Run[] = [];
  for (const [name, changes] of Object.entries(cases)) {
    for (const combination of combinations(Object.entries(sweep))) {
      const labels = name === '' ? combination : { case: name, ...combination };
      let changed = jsonObject(scenario);
      for (const [path, value] of Object.entries({ ...changes, ...combination }))
        changed = withValueAt(changed, path.split('.'), value);
      const whole = checked(changed, file);
      for (const [variant, spec] of Object.entries(variants)) {
        runs.push({ labels, variant, scenario: whole, server: { ...whole.server, ...spec } });
      }
    }
  }
  return runs;
}

function checked(scenario: JsonObject, file: string): Scenario {
  if (SCENARIO.fits(scenario)) return scenario;
  throw new DocumentError(file, placed(SCENARIO.mistakes(scenario), undefined));
}

function* combinations(
  axes: readonly (readonly [string, readonly JsonValue[]])[],
): Generator<Readonly<Record<string, JsonValue>>> {
  const [first, ...others] = axes;
  if (first === undefined) {
    yield {};
    return;
  }
  const [path, values] = first;
  for (const value of values) for (const rest of combinations(others)) yield { [path]: value, ...rest };
}

function withValueAt(object: JsonObject, [name, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (name === undefined) return object;
  const copy = copyObject(object);
  const inner = member(object, name);
  setMember(
    copy,
    name,
    rest.length === 0 ? value : withValueAt(isJsonObject(inner) ? inner : {}, rest, value),
  );
  return copy;
}

/** The options of the watch cache of a server. */
export function cacheOptions(server: ServerSpec): WatchCacheOptions {
  const base = server.design === 'alpha' ? ALPHA_STALL_RESUME : DEFAULT_STALL_RESUME;
  const { minChannel, maxChannel, maxChannelByTrigger, maxChannelBesideTrigger } = DEFAULT_WATCH_CACHE;
  const { least = minChannel, most } = server.channel ?? {};
  return {
    ...DEFAULT_WATCH_CACHE,
    window: { ...DEFAULT_WATCH_CACHE.window, ...server.window },
    bookmarks: { ...DEFAULT_WATCH_CACHE.bookmarks, ...server.bookmarks },
    minChannel: least,
    maxChannel: most ?? maxChannel,
    maxChannelByTrigger: most ?? maxChannelByTrigger,
    maxChannelBesideTrigger: most ?? maxChannelBesideTrigger,
    stallResume: {
      ...base,
      ...server.engine,
      budgets: { ...base.budgets, ...server.budgets },
      periods: { ...base.periods, ...server.periods },
    },
    timeBudget: { ...DEFAULT_WATCH_CACHE.timeBudget, ...server.timeBudget },
    incomingCapacity: server.incomingCapacity ?? DEFAULT_WATCH_CACHE.incomingCapacity,
  };
}
