/** `kube-mockserver/node-test`: a cluster of its own for each test file of node:test, reset after each test. */
import { after, afterEach, before } from 'node:test';
import { type ClusterClient } from '../client/cluster-client.js';
import { ownServer, URL_VARIABLE } from './shared-server.js';
import { SuiteCluster, type SuiteOptions } from './suite-cluster.js';

export { type SuiteOptions } from './suite-cluster.js';

/**
 * To be called at the top of a test file; what it answers is usable within hooks and tests. node:test has no setup for
 * a whole run and a program for each file: without a server that KUBE_MOCKSERVER_URL names, the file starts its own.
 */
export function useCluster(options: SuiteOptions = {}): ClusterClient {
  const suite = new SuiteCluster(options);
  let stop = (): Promise<void> => Promise.resolve();
  before(async () => {
    let url = process.env[URL_VARIABLE];
    if (url === undefined) {
      const server = await ownServer();
      stop = () => server.stop();
      url = server.url;
    }
    await suite.begin(url);
  });
  afterEach(async (context: unknown) => {
    if (hasFailed(context)) process.stderr.write(`${await suite.story()}\n`);
    await suite.reset();
  });
  after(async () => {
    await suite.end();
    await stop();
  });
  return suite.client;
}

/** Newer versions of Node tell hooks how the test went. */
const hasFailed = (context: unknown): boolean =>
  typeof context === 'object' &&
  context !== null &&
  'error' in context &&
  context.error !== null &&
  context.error !== undefined;
