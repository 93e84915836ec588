/** Faults and the journal at one open watch. */
import { type Timer } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import {
  allButLastByte,
  firstHalf,
  inOne,
  inPieces,
  inRandomPieces,
  insideCharacters,
  insideEscapes,
  lateLastByte,
  slowly,
} from '../faults/cuts.js';
import { statusOf } from '../faults/effect-answer.js';
import { type Effect, type EffectOf } from '../faults/effects.js';
import { EventCandidates } from '../faults/event-candidates.js';
import { type Candidate, type Firing } from '../faults/fault-plan.js';
import { type Faults } from '../faults/faults.js';
import { type EventView } from '../faults/matcher.js';
import {
  type Cut,
  type EventFate,
  type RequestView,
  type WatchControl,
  type WatchHook,
} from '../http/exchange-hooks.js';
import { type Journal } from '../observe/journal.js';
import { booleanValue, firstValue } from '../registry/query.js';
import { type WatchEvent } from '../watch/watch-event.js';
import { type ClusterControl, type OpenWatch } from './cluster-control.js';
import { type EventNote, type LastNote } from './event-view.js';
import { tooLarge } from './request-effects.js';

export interface WatchHookParts {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly cluster: ClusterControl;
  readonly notes: LastNote;
  /** Number of its request. */
  readonly request: number;
  readonly view: RequestView;
  readonly control: WatchControl;
  readonly atOpen: readonly Candidate[];
  readonly atEvents: readonly Candidate[];
  /** Of the plan, when these were looked for. */
  readonly edition: number;
  readonly fire: (candidate: Candidate, event?: EventView) => Firing | undefined;
}

/** An event that is sent behind later ones. */
interface HeldBack {
  readonly event: WatchEvent;
  behind: number;
}

/** Cuts that leave something out of a frame: nothing can follow it. */
const ENDING_CUTS: ReadonlySet<Effect['kind']> = new Set(['half-frame', 'no-newline']);

/** How long frames that are to be joined wait for one another. */
const JOIN_WITHIN_MS = 1000;

export class MockWatchHook implements WatchHook {
  readonly #parts: WatchHookParts;
  readonly #open: OpenWatch;
  readonly #leave: () => void;
  readonly #stopListening: () => void;
  #atEvents: EventCandidates;
  /** Of the plan, when its rules were last looked at. */
  #edition: number;
  #phase: 'initial' | 'live';
  /** The rule that stalls it; it goes on when the rule is taken out. */
  #stalledBy: string | undefined;
  #heldBack: HeldBack[] = [];
  #joined: WatchEvent[] = [];
  /** The firing that ends it. */
  #endedBy: string | undefined;
  /** What faults of this watch wait for; nothing of it is left once the watch is over. */
  readonly #timers = new Set<Timer>();

  constructor(parts: WatchHookParts) {
    this.#parts = parts;
    const { faults, cluster, request, view, control } = parts;
    this.#atEvents = new EventCandidates(parts.atEvents);
    this.#edition = parts.edition;
    this.#phase = startsWithState(view) ? 'initial' : 'live';
    this.#open = { request, view, control, stalled: false };
    this.#leave = cluster.register(this.#open);
    this.#stopListening = faults.onRemoved(() => this.#ruleRemoved());
  }

  opened(): EventFate | undefined {
    for (const candidate of this.#parts.atOpen) {
      const firing = this.#parts.fire(candidate);
      if (firing === undefined) continue;
      const fate = this.#fateOf(candidate, firing, undefined);
      if (fate !== undefined) return this.#noted(fate);
    }
    return undefined;
  }

  get watchful(): boolean {
    if (this.#edition !== this.#parts.faults.plan.edition) this.#takeNewRules();
    return !this.#atEvents.empty || this.#heldBack.length > 0 || !this.#parts.journal.off;
  }

  beforeDeliver(event: WatchEvent): EventFate | undefined {
    const note = this.#noteOf(event);
    const { view } = note;
    this.#phase = view.phase;
    const fate = this.#atEvents.empty ? undefined : this.#fateAt(event, view);
    if (view.type === 'MARKER') this.#phase = 'live';
    if (fate !== undefined) return this.#noted(this.#withHeldBack(fate));
    if (this.#heldBack.length > 0) return this.#noted(this.#withHeldBack({ events: [event] }));
    this.#note(event, note);
    return undefined;
  }

  moved(state: 'synced' | 'unsynced', queued: number): void {
    this.#parts.journal.add({ kind: 'queue', request: this.#parts.request, state, queued });
  }

  closed(by: 'server' | 'client'): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#leave();
    this.#stopListening();
    const { journal, request } = this.#parts;
    const fault = this.#endedBy;
    journal.add({ kind: 'end', request, by, ...(fault === undefined ? {} : { fault }) });
  }

  /** Rules at events hold for what is sent after they were added, also on a watch that was open before. */
  #takeNewRules(): void {
    const { faults, view } = this.#parts;
    const more = faults.plan.candidatesSince(this.#edition, view);
    this.#edition = faults.plan.edition;
    if (more.length === 0) return;
    const left = this.#atEvents.all.filter(({ rule }) => !rule.removed);
    this.#atEvents = new EventCandidates([...left, ...more]);
  }

  #fateAt(event: WatchEvent, view: EventView): EventFate | undefined {
    for (const candidate of this.#atEvents.about(view.name)) {
      const firing = this.#parts.fire(candidate, view);
      if (firing === undefined) continue;
      const fate = this.#fateOf(candidate, firing, event);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }

  /** Shape: undefined when the event is sent as it is all the same. */
  #fateOf(candidate: Candidate, firing: Firing, event: WatchEvent | undefined): EventFate | undefined {
    const { effect } = candidate;
    const { rule } = firing;
    const events = event === undefined ? [] : [event];
    switch (effect.kind) {
      case 'stall':
        this.#stall(rule, effect.forMs);
        return undefined;
      case 'drip':
        this.#stall(rule, undefined);
        this.#drip(effect);
        return undefined;
      case 'timeout':
        this.#after(effect.ms, () => this.#parts.control.timeOut());
        return undefined;
      case 'end':
      case 'reset':
        this.#endedBy = firing.id;
        return { events: [], then: effect.kind };
      case 'hang':
        return { events: [], then: 'silence' };
      case 'error':
        return this.#failing(firing, { kind: 'error', status: statusOf(effect, rule) });
      case 'too-large-version': {
        const { status } = tooLarge(this.#parts.view, this.#parts.cluster);
        return this.#failing(firing, { kind: 'error', status });
      }
      case 'delay': {
        const { ms, jitterMs = 0 } = effect;
        const more = jitterMs === 0 ? 0 : jitterMs * this.#parts.faults.plan.chance(candidate);
        return { events, waitMs: ms + more };
      }
      case 'drop':
        return { events: [] };
      case 'duplicate':
        return { events: [...events, ...events] };
      case 'reorder':
        // One more, since it is counted down at its own place too.
        for (const one of events) this.#heldBack.push({ event: one, behind: (effect.behind ?? 1) + 1 });
        return { events: [] };
      case 'shift-version':
        return { events: events.map((one) => shifted(one, effect.by)) };
      case 'join':
        return this.#join(events, effect);
      default: {
        const cut = cutOf(effect, () => this.#parts.faults.plan.chance(candidate));
        if (cut === undefined) return undefined;
        return { events, cut, ...(ENDING_CUTS.has(effect.kind) ? this.#ending(firing) : {}) };
      }
    }
  }

  #failing(firing: Firing, event: WatchEvent): EventFate {
    return { events: [event], ...this.#ending(firing) };
  }

  #ending({ id }: Firing): { readonly then: 'end' } {
    this.#endedBy = id;
    return { then: 'end' };
  }

  /** Adds what was held back and is now behind enough later events. */
  #withHeldBack(fate: EventFate): EventFate {
    for (const one of this.#heldBack) one.behind--;
    const due = this.#heldBack.filter(({ behind }) => behind <= 0);
    if (due.length === 0) return fate;
    this.#heldBack = this.#heldBack.filter(({ behind }) => behind > 0);
    return { ...fate, events: [...fate.events, ...due.map(({ event }) => event)] };
  }

  #join(events: readonly WatchEvent[], { frames, withinMs = JOIN_WITHIN_MS }: EffectOf<'join'>): EventFate {
    if (this.#joined.length === 0)
      this.#after(withinMs, () => this.#parts.control.send(this.#noted(this.#takeJoined())));
    this.#joined.push(...events);
    return this.#joined.length < frames ? { events: [] } : this.#takeJoined();
  }

  #takeJoined(): EventFate {
    return { events: this.#joined.splice(0), cut: inOne };
  }

  /** The event that is being delivered still is; what follows waits in the watcher's channel. */
  #stall(rule: string, forMs: number | undefined): void {
    const { control, journal, request } = this.#parts;
    this.#stalledBy = rule;
    this.#open.stalled = true;
    control.hold();
    journal.add({ kind: 'queue', request, state: 'stalled', queued: 0 });
    if (forMs !== undefined) this.#after(forMs, () => this.#resume());
  }

  #resume(): void {
    if (this.#stalledBy === undefined) return;
    const { control, journal, request } = this.#parts;
    this.#stalledBy = undefined;
    this.#open.stalled = false;
    journal.add({ kind: 'queue', request, state: 'resumed', queued: 0 });
    control.release();
  }

  #drip({ events = 1, everyMs }: EffectOf<'drip'>): void {
    this.#after(everyMs, () => {
      if (this.#stalledBy === undefined) return;
      this.#parts.control.drip(events);
      this.#drip({ kind: 'drip', events, everyMs });
    });
  }

  #ruleRemoved(): void {
    const rule = this.#stalledBy;
    if (rule !== undefined && !this.#parts.faults.plan.has(rule)) this.#resume();
  }

  #after(ms: number, then: () => void): void {
    const timer = this.#parts.cluster.clock.after(ms, () => {
      this.#timers.delete(timer);
      then();
    });
    this.#timers.add(timer);
  }

  /** Half a frame is no event that was sent. */
  #noted(fate: EventFate): EventFate {
    if (fate.cut !== firstHalf) for (const event of fate.events) this.#note(event, this.#noteOf(event));
    return fate;
  }

  #noteOf(event: WatchEvent): EventNote {
    return this.#parts.notes.of(event, this.#phase, this.#parts.view.namespace);
  }

  #note(event: WatchEvent, { sent }: EventNote): void {
    const { journal, request } = this.#parts;
    const code = event.kind === 'error' ? event.status.code : undefined;
    if (code === undefined) journal.addEvent(request, sent);
    else journal.add({ kind: 'event', request, ...sent, code });
  }
}

/** Shape: undefined for an effect that cuts nothing. */
function cutOf(effect: Effect, chance: () => number): Cut | undefined {
  switch (effect.kind) {
    case 'split': {
      const { size = 1, at, pauseMs } = effect;
      if (at === undefined) return inPieces(size, pauseMs);
      if (at === 'random') return inRandomPieces(size, chance, pauseMs);
      return at === 'characters' ? insideCharacters(pauseMs) : insideEscapes(pauseMs);
    }
    case 'late-newline':
      return lateLastByte(effect.ms);
    case 'no-newline':
      return allButLastByte;
    case 'half-frame':
      return firstHalf;
    case 'bandwidth':
      return slowly(effect.bytesPerSecond);
    default:
      return undefined;
  }
}

/** Only bookmarks name a version of their own; objects have theirs. */
function shifted(event: WatchEvent, by: number): WatchEvent {
  if (event.kind !== 'bookmark') return event;
  return { ...event, revision: Math.max(1, event.revision + by) as Revision }; // a whole number above 0
}

/** A watch without a version, from 0, or that asks for them begins with initial events. */
function startsWithState({ query }: RequestView): boolean {
  const asked = booleanValue(query, 'sendInitialEvents');
  const version = firstValue(query, 'resourceVersion') ?? '';
  return asked ?? (version === '' || version === '0');
}
