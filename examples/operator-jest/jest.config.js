export default {
  globalSetup: 'kube-mockserver/jest/global-setup',
  globalTeardown: 'kube-mockserver/jest/global-teardown',
  roots: ['<rootDir>/test'],
  testTimeout: 60_000,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
};
