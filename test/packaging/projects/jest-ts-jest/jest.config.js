module.exports = {
  globalSetup: 'kube-mockserver/jest/global-setup',
  globalTeardown: 'kube-mockserver/jest/global-teardown',
  transform: { '\\.ts$': ['ts-jest', { tsconfig: `${__dirname}/tsconfig.json` }] },
};
