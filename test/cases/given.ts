/** What cases begin with: a server on a virtual clock, and a client that writes. */
import { type MockServer, type ServerOptions, startMockServer } from '../../mockserver/index.js';
import { closeIdleConnections, type Answer, type Place, send } from '../behaviour/connection.js';
import { ObservedClock } from '../behaviour/observed-clock.js';

export const MAPS = '/api/v1/namespaces/default/configmaps';
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
export const WATCH_LIST = `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

export interface Given {
  readonly server: MockServer;
  readonly clock: ObservedClock;
  readonly place: Place;
  readonly ask: (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>;
  /** A ConfigMap. Shape: its version. */
  readonly create: (name: string, more?: object) => Promise<string>;
}

/** For a whole file or `describe`: a fresh one for each test. */
export function given(options: ServerOptions = {}): () => Given {
  let one: Given | undefined;
  beforeEach(async () => {
    const clock = new ObservedClock();
    const server = await startMockServer({ clock, ...options });
    const place = { url: server.url, token: '' };
    const ask: Given['ask'] = (method, path, body, type) =>
      send(place, method, path, {
        ...(body === undefined ? {} : { body }),
        ...(type === undefined ? {} : { type }),
      });
    const create: Given['create'] = async (name, more = {}) => {
      const { doc } = await ask('POST', MAPS, { metadata: { name }, ...more });
      return doc.metadata.resourceVersion;
    };
    one = { server, clock, place, ask, create };
  });
  afterEach(async () => {
    closeIdleConnections();
    await one?.server.stop();
  });
  return () => {
    if (one === undefined) throw new Error('a case is given within a test');
    return one;
  };
}
