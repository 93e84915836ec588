/** Subresources that are a way to something behind the server (logs, exec, proxies) and not an API object. */
import { type KindContext } from './kind-context.js';
import { type Query } from './query.js';

export interface ConnectionRequest {
  readonly namespace: string;
  /** As in the path; a proxy's may hold a scheme and a port. */
  readonly name: string;
  readonly query: Query;
  /** Whether the client asks for the connection itself (a WebSocket, SPDY), not for an answer. */
  readonly upgrade: boolean;
}

/** Text as it comes from behind the server; undefined: there is nothing, not even an empty text (204). */
export interface ConnectionAnswer {
  readonly text: string | undefined;
}

/** Errors: StatusErrors, also where nobody is there to connect to. */
export interface Connection {
  readonly connect: (request: ConnectionRequest, context: KindContext) => ConnectionAnswer;
  /** Types that it answers in beside those of API objects; undefined: any at all, so that Accept is not looked at. */
  readonly mediaTypes: readonly string[] | undefined;
}
