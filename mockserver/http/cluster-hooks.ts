/** What a cluster lets others do with its requests: the entrance of faults, the journal and the routes of the mock server. */
import { type Query } from '../registry/query.js';
import { type Answer } from './answer.js';
import { type Exchange } from './exchange.js';
import { type ExchangeHook, type RequestView } from './exchange-hooks.js';

export interface ClusterHooks {
  /** A request has come. Shape: undefined: nobody is interested in it. */
  begin(view: RequestView): ExchangeHook | undefined;
  /** Serves a path of the mock server's own. Shape: undefined: it is none. Errors: StatusErrors. */
  own(exchange: Exchange, path: string, query: Query): Promise<Answer> | undefined;
}
