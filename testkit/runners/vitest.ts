/** `kube-mockserver/vitest`: a cluster of its own for each test file, reset after each test. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ClusterClient } from '../client/cluster-client.js';
import { journalMatchers } from '../../mockserver/observe/journal-matchers.js';
import { sharedUrl } from './shared-server.js';
import './vitest-expectations.js';
import { SuiteCluster, type SuiteOptions } from './suite-cluster.js';

export { type SuiteOptions } from './suite-cluster.js';

/** As `useCluster` of `kube-mockserver/jest`. */
export function useCluster(options: SuiteOptions = {}): ClusterClient {
  const suite = new SuiteCluster(options);
  expect.extend(journalMatchers);
  beforeAll(() => suite.begin(sharedUrl('kube-mockserver/vitest/global-setup')));
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(`${await suite.story()}\n`);
    await suite.reset();
  });
  afterAll(() => suite.end());
  return suite.client;
}
