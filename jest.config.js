/** One project for what `npm test` runs in under three minutes; slow suites have scripts of their own. */
const base = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  // Projects of their own, with tests of their own.
  modulePathIgnorePatterns: ['<rootDir>/test/packaging/projects'],
};

export default {
  // Some tests move megabytes over sockets, and machines are busy: this ends what hangs, it measures nothing.
  testTimeout: 30_000,
  // Both cores of a small machine: what takes long is loading the server in each file, which is work for one core.
  maxWorkers: '100%',
  projects: [
    {
      ...base,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/{unit,behaviour,cases,layout,differential}/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/differential/planted.test.ts'],
    },
    { ...base, displayName: 'planted', testMatch: ['<rootDir>/test/differential/planted.test.ts'] },
    { ...base, displayName: 'clients', testMatch: ['<rootDir>/test/clients/**/*.test.ts'] },
    { ...base, displayName: 'packaging', testMatch: ['<rootDir>/test/packaging/*.test.ts'] },
    { ...base, displayName: 'projects', testMatch: ['<rootDir>/test/example-projects/*.test.ts'] },
  ],
};
