/** Impersonation: who a request is from when it says that it is somebody else's. */
import { impersonated } from '../../../mockserver/access/impersonation.js';
import { refusal } from '../refusal.js';

const oracle = { name: 'oracle', uid: 'u', groups: ['system:masters'] };

test('a request without such headers is its sender’s', () => {
  expect(impersonated(oracle, ['Accept', '*/*', 'If-None-Match', 'x'])).toBe(oracle);
});

test('a user is impersonated with groups, uid and extras, and counts as authenticated', () => {
  const headers = [
    ...['impersonate-user', 'jane'],
    ...['Impersonate-Group', 'devs'],
    ...['Impersonate-Group', 'ops'],
    ...['Impersonate-Uid', '7'],
    ...['Impersonate-Extra-Acme.com%2Freason', 'test'],
  ];
  expect(impersonated(oracle, headers)).toEqual({
    name: 'jane',
    uid: '7',
    groups: ['devs', 'ops', 'system:authenticated'],
    extra: { 'acme.com/reason': ['test'] },
  });
});

test('a service account has the groups of its namespace', () => {
  expect(impersonated(oracle, ['Impersonate-User', 'system:serviceaccount:ns:sa']).groups).toEqual([
    'system:serviceaccounts',
    'system:serviceaccounts:ns',
    'system:authenticated',
  ]);
});

test('a group without a user is refused', () => {
  expect(refusal(() => impersonated(oracle, ['Impersonate-Group', 'devs'])).message).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"devs"}, Extra:map[string][]string(nil)} without impersonating a user name',
  );
});
