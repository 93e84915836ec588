// The suites that test/bench/clusters.mjs compares. Each has so many tests; `forks` has a cluster for each of them.
module.exports = {
  rootDir: __dirname,
  testMatch: [`${__dirname}/${process.env.BENCH_SUITE}.suite.cjs`],
  globalSetup: 'kube-mockserver/jest/global-setup',
  globalTeardown: 'kube-mockserver/jest/global-teardown',
  testTimeout: 60_000, // loading the objects, on a busy machine
  transform: {},
};
