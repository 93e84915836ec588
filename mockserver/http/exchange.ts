/** One request and its answer, as everything in this folder sees them. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Clock } from '../ground/clock.js';
import { type Random } from '../ground/random.js';
import { type CacheSource } from '../registry/call.js';
import { type Cluster } from '../registry/cluster.js';
import { type ExchangeHook, type Pacing } from './exchange-hooks.js';
import { type Observation } from './request-observer.js';

export type { IncomingMessage, ServerResponse };

/** The socket of a request that wants to become a WebSocket. Node's parser has let go of it. */
export interface Upgrade {
  readonly socket: Socket;
  /** What the client sent behind its request. */
  readonly head: Buffer;
}

/** Serves one request. Both the listener and an express app call it. Must not throw. */
export type ApiHandler = (req: IncomingMessage, res: ServerResponse, upgrade?: Upgrade) => void;

/** The X-Kubernetes-Pf-* uids: fixed for a cluster. */
export interface FlowIds {
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}

export interface ExchangeOptions {
  /** Makes audit ids. */
  readonly random: Random;
  /** Real time, also for a cluster whose own clock stands still: it bounds how long a connection lingers. */
  readonly clock: Clock;
  readonly upgrade?: Upgrade | undefined;
  /** Number of the connection that it came on. @default 0 */
  readonly connection?: number;
}

export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The client's Audit-ID as it is, or a new one. */
  readonly auditId: string;
  /** Present only for WebSocket requests that came through the listener. */
  readonly upgrade: Upgrade | undefined;
  /** Set once the request has been classified, which is after authentication: a 401 has no such headers. */
  flow: FlowIds | undefined;
  /** Set once the request is known to be about a resource: to be called with the code that it is answered with. */
  answered: ((code: number) => void) | undefined;
  /** Set by body.ts: the body was asked for, whole or in part. */
  bodyTouched = false;
  /** Set by body.ts: what the body is, or will be. */
  body: Promise<Buffer> | undefined;
  /** Who looks on and may step in; usually nobody. */
  hook: ExchangeHook | undefined;
  /** How the body is to be written; usually in one go. */
  pacing: Pacing | undefined;
  /** Where verbs read from; usually the cluster's own caches. */
  replicaOf: ((cluster: Cluster) => CacheSource | undefined) | undefined;

  readonly clock: Clock;
  readonly connection: number;
  /** Of whoever keeps a log. */
  observation: Observation | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, options: ExchangeOptions) {
    this.req = req;
    this.res = res;
    this.clock = options.clock;
    this.upgrade = options.upgrade;
    this.connection = options.connection ?? 0;
    const given = firstHeader(req, 'audit-id');
    this.auditId = given === undefined || given === '' ? options.random.uuid() : given;
  }

  /** The first Accept header: the one that counts. */
  get accept(): string | undefined {
    return firstHeader(this.req, 'accept');
  }

  /** Nobody is there to read an answer. */
  get gone(): boolean {
    return this.res.destroyed || this.res.writableFinished || this.req.socket.destroyed;
  }
}

/** The value of the first header of that name (in lower case), as Go's Header.Get has it. */
export function firstHeader(req: IncomingMessage, name: string): string | undefined {
  const { rawHeaders } = req;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i];
    // Most names differ in their length, which is cheaper to compare than letters of either case.
    if (sent?.length === name.length && sent.toLowerCase() === name) return rawHeaders[i + 1];
  }
  return undefined;
}
