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

/** Where text from behind the server goes, in UTF-8. */
export interface TextSink {
  write(bytes: Buffer): void;
  /** No more will come. */
  end(): void;
}

/**
 * Text as it comes from behind the server. Called once; may write and end before it returns.
 *
 * Shape: to be called when nobody reads any more.
 */
export type TextStream = (sink: TextSink) => () => void;

/** Errors: StatusErrors, also where nobody is there to connect to. */
export interface Connection {
  /** Shape: undefined: there is nothing, not even an empty text (204). */
  readonly connect: (request: ConnectionRequest, context: KindContext) => TextStream | undefined;
  /** Types that it answers in beside those of API objects; undefined: any at all, so that Accept is not looked at. */
  readonly mediaTypes: readonly string[] | undefined;
}
