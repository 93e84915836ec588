module.exports = {
  globalSetup: 'kube-mockserver/jest/global-setup',
  globalTeardown: 'kube-mockserver/jest/global-teardown',
  testTimeout: 60_000,
};
