module.exports = {
  globalSetup: 'kube-mockserver/jest/global-setup',
  globalTeardown: 'kube-mockserver/jest/global-teardown',
  testTimeout: 60_000,
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }],
  },
};
