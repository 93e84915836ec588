/** What a journal holds: one entry for each thing that a client asked, was sent, or met. */
import { type EventKind } from '../faults/match.js';

interface EntryBase {
  /** Counts all entries of a journal from 1. */
  readonly seq: number;
  /** Milliseconds since 1970, on the cluster's clock. */
  readonly at: number;
  /** Milliseconds since 1970 of real time, where the cluster's clock shows another one. */
  readonly realAt?: number;
  /** The request that it belongs to, counted from 1. */
  readonly request: number;
}

/** A request has come. */
export interface RequestEntry extends EntryBase {
  readonly kind: 'request';
  /** The User-Agent header. */
  readonly client: string;
  /** The X-Mock-Client header; absent without it. */
  readonly clientId?: string;
  /** The connection that it came on, counted from 1. */
  readonly connection: number;
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly url: string;
  /** Whether it asks for initial events. */
  readonly watchList: boolean;
  /** The `resourceVersion` parameter; absent when it has none. */
  readonly resourceVersion?: string;
  /** Whether it goes on with a list. */
  readonly continued: boolean;
}

/** A request has been answered, or its answer was lost. */
export interface ResponseEntry extends EntryBase {
  readonly kind: 'response';
  /** 0 when nothing was answered. */
  readonly code: number;
  /** Of the object, or of the list, that was answered. */
  readonly resourceVersion?: string;
  /** Whether it was a write that was stored. */
  readonly committed?: boolean;
  /** What became of it in place of being sent, or while it was. */
  readonly lost?: 'reset' | 'hang';
}

/** An event has been handed to a client's connection. */
export interface EventEntry extends EntryBase {
  readonly kind: 'event';
  readonly type: EventKind;
  readonly namespace: string;
  readonly name: string;
  /** `''` for an ERROR. */
  readonly resourceVersion: string;
  /** Of an ERROR: the code of its Status. */
  readonly code?: number;
}

/** A watch's place has changed: it has fallen behind, caught up, or been stalled on purpose. */
export interface QueueEntry extends EntryBase {
  readonly kind: 'queue';
  readonly state: 'synced' | 'unsynced' | 'stalled' | 'resumed';
  /** Events that wait in its channel. */
  readonly queued: number;
}

/** A watch is over. */
export interface EndEntry extends EntryBase {
  readonly kind: 'end';
  /** `server`: in good order; `client`: the client went away, or was cut off. */
  readonly by: 'server' | 'client';
  /** The firing that ended it: `fault-1`. */
  readonly fault?: string;
}

/** A fault rule has fired. */
export interface FaultEntry extends EntryBase {
  readonly kind: 'fault';
  /** `fault-1`, … */
  readonly id: string;
  readonly rule: string;
  /** Kind of the effect. */
  readonly effect: string;
}

export type JournalEntry = RequestEntry | ResponseEntry | EventEntry | QueueEntry | EndEntry | FaultEntry;

type Draft<E> = E extends EntryBase ? Omit<E, 'seq' | 'at' | 'realAt'> : never;

/** An entry before it has its number and its time. */
export type EntryDraft = Draft<JournalEntry>;
