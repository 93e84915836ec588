// The same tests without a server call.
require('kube-mockserver/client');
const { TESTS, objectOf } = require('./tests.cjs');

test.each(TESTS)('test %i', (i) => {
  expect(objectOf(i).size).toBe(i);
});
