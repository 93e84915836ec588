/** Effects at requests, before they are served: what becomes of each. */
import { conflict, MODIFIED_SINCE } from '../ground/status.js';
import {
  bodyAnswer,
  continueExpiredError,
  reinitializing,
  statusErrorOf,
  unhealthyAnswer,
  WATCH_LIST_REFUSED,
} from '../faults/effect-answer.js';
import { type Effect, type EffectOf } from '../faults/effects.js';
import { type Firing } from '../faults/fault-plan.js';
import { type Decision, type Interruption, type RequestView } from '../http/exchange-hooks.js';
import { encodeContinueToken, decodeContinueToken } from '../registry/continue-token.js';
import { type CacheSource } from '../registry/call.js';
import { type Query, textValue } from '../registry/query.js';
import { readJson } from '../ground/json-read.js';
import { tooLargeRevision } from '../watch/watch-cache.js';
import { type ClusterControl } from './cluster-control.js';
import { type RuleHolds } from './rule-holds.js';

export interface EffectPlace {
  readonly view: RequestView;
  /** The parameters, as earlier rules have left them. */
  readonly query: Query;
  readonly control: ClusterControl;
  readonly holds: RuleHolds;
}

/** Shape: undefined when the request is served as it is. Errors: StoreErrors of a revision that is out of reach. */
export function atRequest(effect: Effect, { rule }: Firing, place: EffectPlace): Decision | undefined {
  const { view, query, control, holds } = place;
  switch (effect.kind) {
    case 'status':
      return { kind: 'error', error: statusErrorOf(effect, rule) };
    case 'answer':
      return { kind: 'answer', answer: bodyAnswer(effect.code ?? 200, effect.body, effect.contentType) };
    case 'reset':
    case 'hang':
      return { kind: effect.kind };
    case 'refuse':
      control.refuseConnections(effect.forMs);
      return { kind: 'reset' };
    case 'lose-commit':
    case 'fail-commit':
      return { kind: 'change', query: withParameter(query, 'dryRun', 'All') };
    case 'expire-continue':
      return { kind: 'error', error: continueExpiredError(textValue(query, 'continue')) };
    case 'inconsistent-continue':
      return { kind: 'change', query: withParameter(query, 'continue', tokenOfNow(query)) };
    case 'page-size':
      return { kind: 'change', query: inPages(query, effect.limit) };
    case 'too-large-version':
      return { kind: 'error', error: tooLarge(view, control) };
    case 'lag':
      hold(holds, rule, () =>
        control.lag(
          resourceOf(view),
          effect.revisions === undefined ? { ms: effect.ms ?? 0 } : { revisions: effect.revisions },
        ),
      );
      return undefined;
    case 'freeze':
      hold(holds, rule, () => control.freeze(resourceOf(view)));
      if (effect.forMs !== undefined) control.clock.after(effect.forMs, () => holds.release(rule));
      return undefined;
    case 'time-travel':
      return { kind: 'change', reads: past(effect, rule, place) };
    case 'replica':
      return { kind: 'change', reads: control.replica(effect.name).cacheOf };
    case 'reinitialize':
      control.reinitialize(resourceOf(view), { forMs: effect.forMs ?? 1000 });
      return { kind: 'error', error: statusErrorOf(reinitializing(), rule) };
    case 'compact':
      control.compact(effect.revision);
      return undefined;
    case 'conflict':
      if (effect.by !== 'write')
        return { kind: 'error', error: conflict(resourceOf(view), view.name, MODIFIED_SINCE) };
      control.touch(view);
      return undefined;
    case 'revision-gap':
      control.skipRevisions(effect.by);
      return undefined;
    case 'restore':
      control.rewind(effect.revision ?? control.revisionBack(effect.back ?? 1));
      return undefined;
    case 'restart':
      control.restart(effect);
      return { kind: 'reset' };
    case 'unhealthy':
      return unhealthy(view, effect);
    case 'emulate':
      if (effect.version === '1.33') return { kind: 'error', error: statusErrorOf(WATCH_LIST_REFUSED, rule) };
      // Without the feature there is no marker either, which newer servers send whoever takes bookmarks.
      return {
        kind: 'change',
        query: without(query, 'sendInitialEvents', 'resourceVersionMatch'),
        features: { ...control.features, WatchList: false },
      };
    default:
      return undefined;
  }
}

const resourceOf = ({ group, resource }: RequestView): { group: string; resource: string } => ({
  group,
  resource,
});

const withParameter = (query: Query, name: string, value: string): Query =>
  new Map([...query, [name, [value]]]);

const without = (query: Query, ...names: readonly string[]): Query =>
  new Map([...query].filter(([name]) => !names.includes(name)));

/** The same place in a list, at the state of now. Errors: 400 for a token that is none. */
function tokenOfNow(query: Query): string {
  const { startKey } = decodeContinueToken(textValue(query, 'continue'), readJson);
  return encodeContinueToken({ revision: undefined, startKey, fromCache: false });
}

/** A list from a cache "as old as may be" has no pages: it is read as one of now. */
function inPages(query: Query, limit: number): Query {
  const paged = withParameter(query, 'limit', String(limit));
  return textValue(query, 'resourceVersion') === '0' ? without(paged, 'resourceVersion') : paged;
}

export const tooLarge = (
  { query }: RequestView,
  control: ClusterControl,
): ReturnType<typeof tooLargeRevision> => {
  const asked = textValue(query, 'resourceVersion');
  const { revision } = control;
  return tooLargeRevision(asked === '' ? String(revision + 1) : asked, revision);
};

function hold(holds: RuleHolds, rule: string, begin: () => () => void): void {
  if (!holds.has(rule)) holds.add(rule, begin());
}

/** A replica of the rule's own, which stands still at an older revision. */
function past(
  { back = 1, revision }: EffectOf<'time-travel'>,
  rule: string,
  { control, holds }: EffectPlace,
): CacheSource {
  const name = `past of ${rule}`;
  const replica = control.replica(name);
  hold(holds, rule, () => {
    replica.travelTo(control.revisionBack(revision === undefined ? back : control.revision - revision));
    return () => control.closeReplica(name);
  });
  return replica.cacheOf;
}

function unhealthy({ url }: RequestView, { check = 'etcd' }: EffectOf<'unhealthy'>): Interruption {
  const [endpoint = ''] = url.slice(1).split(/[/?]/);
  return { kind: 'answer', answer: unhealthyAnswer(endpoint, check) };
}
