/** The path that a client took, read from the journal alone. */
import { type JournalEntry, type RequestEntry } from './journal-entry.js';

/** One request of a client with what came of it. */
export interface Step {
  readonly request: RequestEntry;
  /** 0 while nothing has been answered. */
  readonly code: number;
  readonly lost: 'reset' | 'hang' | undefined;
  readonly counts: Readonly<Record<string, number>>;
  /** Whether the marker of the initial events was sent. */
  readonly marked: boolean;
  /** Code of the ERROR event; undefined when there was none. */
  readonly errorCode: number | undefined;
  readonly end: 'open' | 'server' | 'client';
  /** Milliseconds since 1970. */
  readonly endedAt: number | undefined;
  readonly faults: readonly string[];
  /** When it was answered; undefined while it is not. */
  readonly answeredAt: number | undefined;
  /** Of the list that was answered. */
  readonly listVersion: string | undefined;
  /** Version of the last bookmark, and of the last event that was none. */
  readonly lastBookmark: string | undefined;
  readonly lastVersion: string | undefined;
  readonly eventTimes: readonly number[];
  readonly markedAt: number | undefined;
  readonly faultTimes: readonly number[];
}

/** A client's requests for one resource, in order. */
export interface ClientPath {
  readonly client: string;
  /** `configmaps`, `gauges.example.com`, or the path of documents. */
  readonly resource: string;
  readonly steps: readonly Step[];
}

/** The requests of each client for each resource; in the order in which they first came. */
export function clientPaths(entries: readonly JournalEntry[]): ClientPath[] {
  const byRequest = new Map<number, JournalEntry[]>();
  for (const entry of entries) {
    const known = byRequest.get(entry.request);
    if (known === undefined) byRequest.set(entry.request, [entry]);
    else known.push(entry);
  }
  const paths = new Map<string, { client: string; resource: string; steps: Step[] }>();
  for (const group of byRequest.values()) {
    const request = group.find((entry) => entry.kind === 'request');
    if (request === undefined) continue;
    const resource = resourceText(request);
    const key = `${request.client}\n${resource}`;
    const path = paths.get(key) ?? { client: request.client, resource, steps: [] };
    paths.set(key, path);
    path.steps.push(stepOf(request, group));
  }
  return [...paths.values()];
}

function resourceText({ resource, group, subresource }: RequestEntry): string {
  if (resource === '') return 'documents';
  return `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
}

function stepOf(request: RequestEntry, entries: readonly JournalEntry[]): Step {
  const counts: Record<string, number> = {};
  let code = 0;
  let lost: Step['lost'];
  let marked = false;
  let errorCode: number | undefined;
  let end: Step['end'] = 'open';
  let endedAt: number | undefined;
  const faults: string[] = [];
  const faultTimes: number[] = [];
  const eventTimes: number[] = [];
  let answeredAt: number | undefined;
  let listVersion: string | undefined;
  let lastBookmark: string | undefined;
  let lastVersion: string | undefined;
  let markedAt: number | undefined;
  for (const entry of entries) {
    switch (entry.kind) {
      case 'request':
      case 'queue':
        break;
      case 'response':
        code = entry.code;
        lost = entry.lost;
        answeredAt = entry.at;
        if (request.verb === 'list') listVersion = entry.resourceVersion;
        break;
      case 'event':
        counts[entry.type] = (counts[entry.type] ?? 0) + 1;
        if (entry.type === 'MARKER') {
          marked = true;
          markedAt = entry.at;
        } else eventTimes.push(entry.at);
        if (entry.type === 'MARKER' || entry.type === 'BOOKMARK') lastBookmark = entry.resourceVersion;
        else if (entry.type !== 'ERROR') lastVersion = entry.resourceVersion;
        if (entry.type === 'ERROR') errorCode = entry.code;
        break;
      case 'end':
        end = entry.by;
        endedAt = entry.at;
        break;
      case 'fault':
        faultTimes.push(entry.at);
        if (!faults.includes(entry.rule)) faults.push(entry.rule);
        break;
    }
  }
  return {
    request,
    code,
    lost,
    counts,
    marked,
    errorCode,
    end,
    endedAt,
    faults,
    answeredAt,
    listVersion,
    lastBookmark,
    lastVersion,
    eventTimes,
    markedAt,
    faultTimes,
  };
}

/** The list or watch before a step: writes in between are no part of the path. */
export const stepBefore = (steps: readonly Step[], index: number): Step | undefined =>
  steps.slice(0, index).findLast(({ request }) => request.verb === 'list' || request.verb === 'watch');

/** What a step was, given the one before. */
export function nameStep(step: Step, before: Step | undefined): string {
  const { request, code, errorCode } = step;
  const expiredBefore = before !== undefined && (before.code === 410 || before.errorCode === 410);
  const refusedBefore = before?.request.watchList === true && before.code >= 400;
  if (request.verb === 'list') {
    if (request.continued) return code === 410 ? 'next page, continue token expired' : 'next page';
    if (refusedBefore) return 'falls back to list';
    if (expiredBefore) return 'lists again after 410';
    return before === undefined ? 'lists' : 'lists again';
  }
  if (request.verb === 'watch') {
    const what = watchName(request, before);
    if (code >= 400) return `${what}, refused ${code}`;
    if (errorCode !== undefined) return `${what}, ERROR ${errorCode}`;
    return what;
  }
  return request.verb;
}

function watchName(request: RequestEntry, before: Step | undefined): string {
  if (request.watchList) {
    const again = before?.request.watchList === true && before.code < 400;
    return again ? 'watch-list again' : 'watch-list';
  }
  const { resourceVersion = '' } = request;
  if (resourceVersion === '' || resourceVersion === '0') return 'watches from now';
  const resumes = before?.request.verb === 'watch' && before.code < 400;
  return resumes ? `resumes the watch from ${resourceVersion}` : `watches from ${resourceVersion}`;
}

export function describeStep(step: Step, before: Step | undefined): string {
  const parts = [nameStep(step, before)];
  const counted = Object.entries(step.counts).map(([type, count]) => `${count} ${type}`);
  if (step.request.verb === 'watch') {
    if (counted.length > 0) parts.push(`sent ${counted.join(', ')}`);
    if (step.request.watchList && step.code === 200 && !step.marked) parts.push('no marker yet');
    if (step.end === 'server') parts.push('ended by the server');
    if (step.end === 'client') parts.push('cut off or left by the client');
  } else if (step.code >= 400) parts.push(`answered ${step.code}`);
  if (step.lost !== undefined) parts.push(`answer lost (${step.lost})`);
  if (step.faults.length > 0) parts.push(`faults: ${step.faults.join(', ')}`);
  return parts.join('; ');
}
