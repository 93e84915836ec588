/** Faults and the journal at a cluster's exchanges. */
import { type Clock } from '../ground/clock.js';
import { stringMember, objectMember } from '../ground/json.js';
import { toResourceVersion } from '../ground/revision.js';
import { type Answer } from '../http/answer.js';
import { type ClusterHooks } from '../http/cluster-hooks.js';
import { type Exchange } from '../http/exchange.js';
import {
  type Decision,
  type EventFate,
  type ExchangeHook,
  type Interruption,
  type RequestView,
  type WatchControl,
  type WatchHook,
} from '../http/exchange-hooks.js';
import { bodyAnswer, continueExpiredError, statusErrorOf, statusOf } from '../faults/effect-answer.js';
import { type Candidate, type Firing } from '../faults/fault-plan.js';
import { type Faults } from '../faults/faults.js';
import { type EventView } from '../faults/matcher.js';
import { type Effect } from '../faults/rule.js';
import { type Journal } from '../observe/journal.js';
import { booleanValue, firstValue, type Query } from '../registry/query.js';
import { type WatchEvent } from '../watch/watch-event.js';
import { type ClusterControl, type OpenWatch } from './cluster-control.js';
import { type EventNote, LastNote } from './event-view.js';

export interface MockHooksParts {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly control: ClusterControl;
  readonly clock: Clock;
  /** Serves the paths of the mock server's own. */
  readonly own: (exchange: Exchange, path: string, query: Query) => Promise<Answer> | undefined;
}

interface ExchangeParts extends MockHooksParts {
  readonly notes: LastNote;
}

export class MockHooks implements ClusterHooks {
  readonly #parts: ExchangeParts;

  constructor(parts: MockHooksParts) {
    this.#parts = { ...parts, notes: new LastNote() };
  }

  begin(view: RequestView): ExchangeHook {
    return new MockExchange(this.#parts, view);
  }

  own(exchange: Exchange, path: string, query: Query): Promise<Answer> | undefined {
    return this.#parts.own(exchange, path, query);
  }
}

const NO_CANDIDATES: readonly Candidate[] = [];

class MockExchange implements ExchangeHook {
  readonly #parts: ExchangeParts;
  readonly #view: RequestView;
  readonly #candidates: readonly Candidate[];
  readonly #request: number;

  constructor(parts: ExchangeParts, view: RequestView) {
    const { faults, journal } = parts;
    this.#parts = parts;
    this.#view = view;
    this.#request = journal.addRequest(view);
    this.#candidates = faults.plan.empty ? NO_CANDIDATES : faults.plan.candidates(view);
  }

  beforeVerb(): Decision | undefined | Promise<Decision | undefined> {
    const candidates = this.#candidates.filter(({ stage }) => stage === 'request');
    return candidates.length === 0 ? undefined : this.#beforeVerb(candidates);
  }

  beforeAnswer(answer: Answer): Interruption | undefined {
    const { journal } = this.#parts;
    for (const candidate of this.#candidates) {
      if (candidate.stage !== 'answer' || candidate.effect.kind !== 'lose-answer') continue;
      const firing = this.#fire(candidate);
      if (firing === undefined) continue;
      const { by = 'reset', status } = candidate.effect;
      if (by === 'status' && status !== undefined) {
        journal.addResponse(this.#request, status.code);
        return { kind: 'error', error: statusErrorOf(status, firing.rule) };
      }
      const lost = by === 'hang' ? 'hang' : 'reset';
      this.#lose(lost);
      return { kind: lost };
    }
    journal.addResponse(this.#request, codeOf(answer), resourceVersionOf(answer));
    return undefined;
  }

  opens(control: WatchControl): WatchHook {
    const atEvents = this.#candidates.filter(({ stage }) => stage === 'event');
    const atOpen = this.#candidates.filter(({ stage }) => stage === 'open');
    return new MockWatch({
      parts: this.#parts,
      request: this.#request,
      view: this.#view,
      control,
      atOpen,
      atEvents,
      fire: (candidate, event) => this.#fire(candidate, event),
    });
  }

  async #beforeVerb(candidates: readonly Candidate[]): Promise<Decision | undefined> {
    for (const candidate of candidates) {
      const firing = this.#fire(candidate);
      if (firing === undefined) continue;
      const decision = await this.#decide(candidate, firing);
      if (decision === undefined) continue;
      if (decision.kind === 'reset' || decision.kind === 'hang') this.#lose(decision.kind);
      return decision;
    }
    return undefined;
  }

  async #decide(candidate: Candidate, { rule }: Firing): Promise<Decision | undefined> {
    const { effect } = candidate;
    switch (effect.kind) {
      case 'delay': {
        const { ms, jitterMs = 0 } = effect;
        const delay = ms + (jitterMs === 0 ? 0 : jitterMs * this.#parts.faults.plan.chance(candidate));
        await new Promise<void>((resolve) => this.#parts.clock.after(delay, resolve));
        return undefined;
      }
      case 'compact':
        this.#parts.control.compact(effect.revision);
        return undefined;
      case 'status':
        return { kind: 'error', error: statusErrorOf(effect, rule) };
      case 'answer':
        return { kind: 'answer', answer: bodyAnswer(effect.code ?? 200, effect.body, effect.contentType) };
      case 'expire-continue': {
        const token = firstValue(this.#view.query, 'continue') ?? '';
        return { kind: 'error', error: continueExpiredError(token) };
      }
      case 'lose-commit':
        return { kind: 'dry run' };
      case 'reset':
      case 'hang':
        return { kind: effect.kind };
      default:
        throw new Error(`an effect of kind ${effect.kind} does not take place at requests`);
    }
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

  /** Nothing was answered. */
  #lose(lost: 'reset' | 'hang'): void {
    this.#parts.journal.add({ kind: 'response', request: this.#request, code: 0, lost });
  }
}

const codeOf = (answer: Answer): number =>
  answer.kind === 'list' || answer.kind === 'watch' ? 200 : answer.code;

function resourceVersionOf(answer: Answer): string | undefined {
  if (answer.kind === 'object') return toResourceVersion(answer.object.revision);
  if (answer.kind === 'list') return stringMember(objectMember(answer.head, 'metadata'), 'resourceVersion');
  return undefined;
}

interface MockWatchParts {
  readonly parts: ExchangeParts;
  readonly request: number;
  readonly view: RequestView;
  readonly control: WatchControl;
  readonly atOpen: readonly Candidate[];
  readonly atEvents: readonly Candidate[];
  readonly fire: (candidate: Candidate, event?: EventView) => Firing | undefined;
}

class MockWatch implements WatchHook {
  readonly #watch: MockWatchParts;
  readonly #open: OpenWatch;
  readonly #leave: () => void;
  #phase: 'initial' | 'live';
  /** The rule that stalls it; it goes on when the rule is taken out. */
  #stalledBy: string | undefined;
  readonly #stopListening: () => void;

  constructor(watch: MockWatchParts) {
    this.#watch = watch;
    const { parts, request, view, control } = watch;
    this.#phase = startsWithState(view) ? 'initial' : 'live';
    this.#open = { request, view, control, stalled: false };
    this.#leave = parts.control.register(this.#open);
    this.#stopListening = parts.faults.onRemoved(() => this.#ruleRemoved());
  }

  opened(): EventFate | undefined {
    for (const candidate of this.#watch.atOpen) {
      const firing = this.#watch.fire(candidate);
      if (firing === undefined) continue;
      const fate = this.#fateOf(candidate.effect, firing, []);
      if (fate !== undefined) return this.#noted(fate);
    }
    return undefined;
  }

  beforeDeliver(event: WatchEvent): EventFate | undefined {
    const { atEvents } = this.#watch;
    const note = this.#noteOf(event);
    const { view } = note;
    this.#phase = view.phase;
    if (atEvents.length > 0) {
      for (const candidate of atEvents) {
        const firing = this.#watch.fire(candidate, view);
        if (firing === undefined) continue;
        const fate = this.#fateOf(candidate.effect, firing, [event]);
        if (view.type === 'MARKER') this.#phase = 'live';
        if (fate !== undefined) return this.#noted(fate);
      }
    }
    this.#note(event, note);
    if (view.type === 'MARKER') this.#phase = 'live';
    return undefined;
  }

  closed(by: 'server' | 'client'): void {
    this.#leave();
    this.#stopListening();
    this.#watch.parts.journal.add({ kind: 'end', request: this.#watch.request, by });
  }

  /** Shape: undefined when the event is sent as it is all the same. */
  #fateOf(effect: Effect, { rule }: Firing, events: readonly WatchEvent[]): EventFate | undefined {
    switch (effect.kind) {
      case 'stall':
        this.#stall(rule, effect.forMs);
        return undefined;
      case 'end':
        return { events: [], then: 'end' };
      case 'reset':
        return { events: [], then: 'reset' };
      case 'hang':
        return { events: [], then: 'silence' };
      case 'error':
        return { events: [{ kind: 'error', status: statusOf(effect, rule) }], then: 'end' };
      case 'drop':
        return { events: [] };
      case 'duplicate':
        return { events: events.flatMap((event) => [event, event]) };
      case 'split':
        return { events, cut: 'bytes' };
      case 'half-frame':
        return { events, cut: 'half', then: 'end' };
      default:
        return undefined;
    }
  }

  /** The event that is being delivered still is; what follows waits in the watcher's channel. */
  #stall(rule: string, forMs: number | undefined): void {
    const { control, parts } = this.#watch;
    this.#stalledBy = rule;
    this.#open.stalled = true;
    control.hold();
    if (forMs !== undefined) parts.clock.after(forMs, () => this.#resume());
  }

  #resume(): void {
    this.#stalledBy = undefined;
    this.#open.stalled = false;
    this.#watch.control.release();
  }

  #ruleRemoved(): void {
    const rule = this.#stalledBy;
    if (rule !== undefined && !this.#watch.parts.faults.plan.has(rule)) this.#resume();
  }

  /** Half a frame is no event that was sent. */
  #noted(fate: EventFate): EventFate {
    if (fate.cut !== 'half') {
      for (const event of fate.events) this.#note(event, this.#noteOf(event));
    }
    return fate;
  }

  #noteOf(event: WatchEvent): EventNote {
    return this.#watch.parts.notes.of(event, this.#phase, this.#watch.view.namespace);
  }

  #note(event: WatchEvent, { view, resourceVersion }: EventNote): void {
    const { parts, request } = this.#watch;
    const code = event.kind === 'error' ? event.status.code : undefined;
    if (code === undefined) {
      parts.journal.addEvent(request, view, resourceVersion);
      return;
    }
    const { type, namespace, name } = view;
    parts.journal.add({ kind: 'event', request, type, namespace, name, resourceVersion, code });
  }
}

/** A watch without a version, from 0, or that asks for them begins with initial events. */
function startsWithState({ query }: RequestView): boolean {
  const asked = booleanValue(query, 'sendInitialEvents');
  const version = firstValue(query, 'resourceVersion') ?? '';
  return asked ?? (version === '' || version === '0');
}
