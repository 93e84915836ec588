/** `kube-mockserver/jest`: a cluster of its own for each test file, reset after each test. */
import { type ClusterClient } from '../client/cluster-client.js';
import { journalMatchers } from '../../mockserver/observe/journal-matchers.js';
import './jest-expectations.js';
import { errorsOfRunningTest, tell } from './jest-failure.js';
import { sharedUrl } from './shared-server.js';
import { SuiteCluster, type SuiteOptions } from './suite-cluster.js';

export { type SuiteOptions } from './suite-cluster.js';

type Hook = (work: () => Promise<void>) => void;

interface JestGlobals {
  readonly beforeAll: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
  readonly expect: { extend(matchers: object): void };
}

/**
 * To be called at the top of a test file or in a `describe`; what it answers is usable within hooks and tests. The
 * report of a test that fails tells what the clients did.
 *
 * Errors: an Error when the run has no server, in beforeAll.
 */
export function useCluster(options: SuiteOptions = {}): ClusterClient {
  const { beforeAll, afterEach, afterAll, expect } = jestGlobals();
  const suite = new SuiteCluster(options);
  expect.extend(journalMatchers);
  beforeAll(() => suite.begin(sharedUrl('kube-mockserver/jest/global-setup')));
  afterEach(async () => {
    const [error] = errorsOfRunningTest();
    if (error !== undefined) tell(error, await suite.story());
    await suite.reset();
  });
  afterAll(() => suite.end());
  return suite.client;
}

/** Errors: an Error outside of jest. */
function jestGlobals(): JestGlobals {
  const found = globalThis as Partial<JestGlobals>; // jest puts them there; looked at before use
  const { beforeAll, afterEach, afterAll, expect } = found;
  if (beforeAll === undefined || afterEach === undefined || afterAll === undefined || expect === undefined)
    throw new Error('useCluster is to be called in a test file of jest, with its globals injected');
  return { beforeAll, afterEach, afterAll, expect };
}
