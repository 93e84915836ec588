/** Faults and the journal at a cluster's exchanges. */
import { stringMember, objectMember } from '../ground/json.js';
import { toResourceVersion } from '../ground/revision.js';
import { bareError } from '../ground/status.js';
import { type Answer } from '../http/answer.js';
import { type ClusterHooks } from '../http/cluster-hooks.js';
import { type Exchange } from '../http/exchange.js';
import {
  type Change,
  type Cut,
  type Decision,
  type ExchangeHook,
  type Interruption,
  type Pacing,
  type RequestView,
  type WatchControl,
  type WatchHook,
} from '../http/exchange-hooks.js';
import { firstBytes, firstHalf, slowly } from '../faults/cuts.js';
import { statusErrorOf } from '../faults/effect-answer.js';
import { type EffectOf } from '../faults/effects.js';
import { type Stage } from '../faults/effects/declaration.js';
import { COMMIT_ERRORS } from '../faults/effects/store.js';
import { type Candidate, type Firing } from '../faults/fault-plan.js';
import { type Faults } from '../faults/faults.js';
import { type ListPages } from '../faults/list-pages.js';
import { asksForInitialEvents, type EventView } from '../faults/matcher.js';
import { type Journal } from '../observe/journal.js';
import { type Query, textValue } from '../registry/query.js';
import { type ClusterControl } from './cluster-control.js';
import { LastNote } from './event-view.js';
import { atRequest } from './request-effects.js';
import { RuleHolds } from './rule-holds.js';
import { MockWatchHook } from './watch-hook.js';

export interface MockHooksParts {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly control: ClusterControl;
  readonly pages: ListPages;
  /** Serves the paths of the mock server's own. */
  readonly own: (exchange: Exchange, path: string, query: Query) => Promise<Answer> | undefined;
}

interface ExchangeParts extends MockHooksParts {
  readonly notes: LastNote;
  readonly holds: RuleHolds;
}

export class MockHooks implements ClusterHooks {
  readonly #parts: ExchangeParts;

  constructor(parts: MockHooksParts) {
    this.#parts = { ...parts, notes: new LastNote(), holds: new RuleHolds(parts.faults) };
  }

  /** Open watches can be stalled and ended by hand: each is known, whether or not a rule or the journal asks for it. */
  begin(view: RequestView): ExchangeHook | undefined {
    const { faults, journal } = this.#parts;
    if (faults.plan.empty && journal.off && view.verb !== 'watch') return undefined;
    return new MockExchange(this.#parts, view);
  }

  own(exchange: Exchange, path: string, query: Query): Promise<Answer> | undefined {
    return this.#parts.own(exchange, path, query);
  }
}

class MockExchange implements ExchangeHook {
  readonly #parts: ExchangeParts;
  readonly #view: RequestView;
  readonly #candidates: readonly Candidate[];
  /** Of the plan, when they were looked for. */
  readonly #edition: number;
  readonly #request: number;
  /** The commit of the request fails with it. */
  #commitError: EffectOf<'fail-commit'> | undefined;
  /** It commits nothing, whatever it answers. */
  #dry = false;

  constructor(parts: ExchangeParts, view: RequestView) {
    const { faults, journal } = parts;
    this.#parts = parts;
    this.#view = view;
    this.#request = journal.addRequest(view);
    this.#candidates = faults.plan.candidates(view);
    this.#edition = faults.plan.edition;
  }

  beforeVerb(): Decision | undefined | Promise<Decision | undefined> {
    const candidates = this.#at('request');
    return candidates.length === 0 ? undefined : this.#beforeVerb(candidates);
  }

  beforeAnswer(
    answer: Answer,
  ): Interruption | Pacing | undefined | Promise<Interruption | Pacing | undefined> {
    const { faults, journal, pages } = this.#parts;
    if (this.#commitError !== undefined && succeeded(answer)) {
      const { error = 'request timed out' } = this.#commitError;
      journal.addResponse(this.#request, { code: 500, committed: false });
      return { kind: 'error', error: bareError(500, COMMIT_ERRORS[error]) };
    }
    if (answer.kind === 'list' && faults.plan.asksForPages) {
      const token = stringMember(objectMember(answer.head, 'metadata'), 'continue') ?? '';
      if (token !== '') pages.answered(this.#view, token);
    }
    const candidates = this.#at('answer');
    if (candidates.length > 0) return this.#beforeAnswer(answer, candidates);
    this.#written(answer);
    return undefined;
  }

  opens(control: WatchControl): WatchHook {
    const { faults, journal, control: cluster, notes } = this.#parts;
    return new MockWatchHook({
      faults,
      journal,
      cluster,
      notes,
      request: this.#request,
      view: this.#view,
      control,
      atOpen: this.#candidates.filter((one) => one.stage === 'open' || this.#isTooLargeInStream(one)),
      atEvents: this.#candidates.filter((one) => one.stage === 'event' || one.effect.kind === 'bandwidth'),
      edition: this.#edition,
      fire: (candidate, event) => this.#fire(candidate, event),
    });
  }

  #at(stage: Stage): readonly Candidate[] {
    if (this.#candidates.length === 0) return this.#candidates;
    return this.#candidates.filter((one) => one.stage === stage && !this.#isOfWatch(one));
  }

  /** A watch is answered 200 and told of a version too large in its stream; one without initial events is not told. */
  #isOfWatch({ effect: { kind } }: Candidate): boolean {
    return this.#view.verb === 'watch' && (kind === 'too-large-version' || kind === 'bandwidth');
  }

  #isTooLargeInStream({ effect: { kind } }: Candidate): boolean {
    return kind === 'too-large-version' && asksForInitialEvents(this.#view.query);
  }

  async #beforeVerb(candidates: readonly Candidate[]): Promise<Decision | undefined> {
    let change: Change | undefined;
    for (const candidate of candidates) {
      const firing = this.#fire(candidate);
      if (firing === undefined) continue;
      const { effect } = candidate;
      if (effect.kind === 'delay') {
        await this.#wait(candidate, effect);
        continue;
      }
      if (effect.kind === 'fail-commit') this.#commitError = effect;
      if (effect.kind === 'lose-commit' || effect.kind === 'fail-commit') this.#dry = true;
      const { control, holds } = this.#parts;
      const query = change?.query ?? this.#view.query;
      const decision = atRequest(effect, firing, { view: this.#view, query, control, holds });
      if (decision?.kind === 'change') change = { ...change, ...decision };
      else if (decision !== undefined) {
        if (decision.kind === 'reset' || decision.kind === 'hang') this.#lose(decision.kind, false);
        return decision;
      }
    }
    return change;
  }

  async #beforeAnswer(
    answer: Answer,
    candidates: readonly Candidate[],
  ): Promise<Interruption | Pacing | undefined> {
    let pacing: Pacing | undefined;
    for (const candidate of candidates) {
      const { effect } = candidate;
      const firing = this.#fire(candidate);
      if (firing === undefined) continue;
      switch (effect.kind) {
        case 'delay-answer':
          await this.#wait(candidate, effect);
          break;
        case 'bandwidth':
          pacing = this.#paced(slowly(effect.bytesPerSecond), 'end');
          break;
        case 'cut-body': {
          const { afterBytes } = effect;
          const cut = afterBytes === undefined ? firstHalf : firstBytes(afterBytes);
          this.#written(answer, 'reset');
          return this.#paced(cut, 'reset');
        }
        case 'lose-answer':
          return this.#lost(answer, effect, firing);
        default:
          break;
      }
    }
    this.#written(answer);
    return pacing;
  }

  #paced(cut: Cut, then: Pacing['then']): Pacing {
    return { kind: 'paced', cut, clock: this.#parts.control.clock, then };
  }

  #lost(answer: Answer, { by = 'reset', status }: EffectOf<'lose-answer'>, firing: Firing): Interruption {
    const committed = this.#committed(answer);
    if (by === 'status' && status !== undefined) {
      this.#parts.journal.addResponse(this.#request, { code: status.code, committed });
      return { kind: 'error', error: statusErrorOf(status, firing.rule) };
    }
    const lost = by === 'hang' ? 'hang' : 'reset';
    this.#lose(lost, committed);
    return { kind: lost };
  }

  async #wait(candidate: Candidate, { ms, jitterMs = 0 }: Omit<EffectOf<'delay'>, 'kind'>): Promise<void> {
    const { control, faults } = this.#parts;
    const delay = ms + (jitterMs === 0 ? 0 : jitterMs * faults.plan.chance(candidate));
    await new Promise<void>((resolve) => control.clock.after(delay, resolve));
  }

  #fire(candidate: Candidate, event?: EventView): Firing | undefined {
    const { faults, journal } = this.#parts;
    const firing = faults.plan.fire(candidate, event);
    if (firing !== undefined) {
      const { id, rule, effect } = firing;
      journal.add({ kind: 'fault', request: this.#request, id, rule, effect: effect.kind });
    }
    return firing;
  }

  /** The answer goes out. */
  #written(answer: Answer, lost?: 'reset'): void {
    if (this.#parts.journal.off) return;
    this.#parts.journal.addResponse(this.#request, {
      code: codeOf(answer),
      resourceVersion: resourceVersionOf(answer),
      committed: this.#committed(answer),
      lost,
    });
  }

  /** Nothing was answered. */
  #lose(lost: 'reset' | 'hang', committed: boolean): void {
    this.#parts.journal.addResponse(this.#request, { code: 0, lost, committed });
  }

  /** Whether it is a write that was stored. */
  #committed(answer: Answer): boolean {
    const { verb, query } = this.#view;
    return WRITES.has(verb) && succeeded(answer) && !this.#dry && textValue(query, 'dryRun') === '';
  }
}

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const codeOf = (answer: Answer): number =>
  answer.kind === 'list' || answer.kind === 'watch' ? 200 : answer.code;

const succeeded = (answer: Answer): boolean => codeOf(answer) < 300;

function resourceVersionOf(answer: Answer): string | undefined {
  if (answer.kind === 'object') return toResourceVersion(answer.object.revision);
  if (answer.kind === 'list') return stringMember(objectMember(answer.head, 'metadata'), 'resourceVersion');
  return undefined;
}
