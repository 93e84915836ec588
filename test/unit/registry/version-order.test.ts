import { compareVersions } from '../../../mockserver/registry/version-order.js';

test('released versions come first, then beta, alpha and other names', () => {
  const ordered = 'v10 v2 v1 v0 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10 v1gamma1 x'.split(
    ' ',
  );
  expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered);
});

test('a version equals itself', () => {
  for (const version of ['v1', 'v1beta1', 'foo']) expect(compareVersions(version, version)).toBe(0);
});
