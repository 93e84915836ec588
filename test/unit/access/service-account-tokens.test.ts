import { generateKeyPairSync } from 'node:crypto';
import { everybodyIsAdmin, tokenAuthenticator } from '../../../mockserver/access/authentication.js';
import { withServiceAccounts } from '../../../mockserver/access/service-account-authentication.js';
import { ServiceAccountTokens } from '../../../mockserver/access/service-account-tokens.js';
import { DEFAULT_ISSUER } from '../../../mockserver/access/token-review.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { refusal } from '../refusal.js';

const NOW = Date.UTC(2026, 0, 1);
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const tokens = new ServiceAccountTokens(() => key);
const claims = {
  aud: [DEFAULT_ISSUER],
  exp: NOW / 1000 + 600,
  jti: 'j1',
  sub: 'system:serviceaccount:ns:robot',
  'kubernetes.io': {
    namespace: 'ns',
    serviceaccount: { name: 'robot', uid: 'u1' },
    pod: { name: 'p', uid: 'u2' },
  },
};
const token = tokens.sign(claims);

const authentication = (
  parts: { readonly stands?: boolean; readonly clock?: VirtualClock } = {},
): ReturnType<typeof withServiceAccounts> =>
  withServiceAccounts({
    tokens,
    clock: parts.clock ?? new VirtualClock(NOW),
    stands: () => parts.stands ?? true,
    others: tokenAuthenticator('secret,jane,7\n'),
  });

test('a token is a JSON Web Token whose claims are sorted and name the issuer', () => {
  const [head = '', body = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head)).toEqual({ alg: 'RS256', kid: tokens.publicKeys()[0]?.['kid'] });
  expect(Object.keys(JSON.parse(body) as object)).toEqual([
    'aud',
    'exp',
    'iss',
    'jti',
    'kubernetes.io',
    'sub',
  ]);
});

test('the public key is shown as a JSON Web Key', () => {
  expect(tokens.publicKeys()).toEqual([
    {
      use: 'sig',
      kty: 'RSA',
      kid: expect.stringMatching(/^[\w-]{43}$/) as string,
      alg: 'RS256',
      n: expect.any(String) as string,
      e: 'AQAB',
    },
  ]);
});

test('the key is made once, when it is first needed', () => {
  let made = 0;
  const lazy = new ServiceAccountTokens(() => {
    made++;
    return key;
  });
  expect(made).toBe(0);
  lazy.sign({});
  lazy.publicKeys();
  expect(made).toBe(1);
});

test('a service account comes in by its token, with what the token is bound to', () => {
  expect(authentication().authenticate(`Bearer ${token}`)).toEqual({
    name: 'system:serviceaccount:ns:robot',
    uid: 'u1',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    extra: {
      'authentication.kubernetes.io/credential-id': ['JTI=j1'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['u2'],
    },
  });
});

test('other tokens are looked up as before', () => {
  expect(authentication().authenticate('Bearer secret')).toMatchObject({ name: 'jane' });
  expect(refusal(() => authentication().authenticate('Bearer a.b.c'))).toMatchObject({ code: 401 });
});

const later = new VirtualClock(NOW);
later.advance(600_000);
const forged = `${token.slice(0, -6)}${token.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}`;

test.each([
  ['its own audience', authentication(), token, [], undefined],
  [
    'another audience',
    authentication(),
    token,
    ['zz'],
    `[invalid bearer token, token audiences ["${DEFAULT_ISSUER}"] is invalid for the target audiences ["zz"]]`,
  ],
  [
    'a forged signature',
    authentication(),
    forged,
    [],
    '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]',
  ],
  [
    'its time over',
    authentication({ clock: later }),
    token,
    [],
    '[invalid bearer token, service account token has expired]',
  ],
  [
    'its account gone',
    authentication({ stands: false }),
    token,
    [],
    '[invalid bearer token, service account token has been invalidated]',
  ],
  ['no such word', authentication(), 'bad', [], 'invalid bearer token'],
  ['a word of the file for another audience', authentication(), 'secret', ['zz'], 'invalid bearer token'],
])('a review of a token with %s says so', (_, authenticator, given, audiences, error) => {
  const review = authenticator.review?.(given, audiences);
  expect(review).toMatchObject(
    error === undefined ? { ok: true, audiences: [DEFAULT_ISSUER] } : { ok: false, error },
  );
});

test('without a token file every token is reviewed as the one user', () => {
  expect(everybodyIsAdmin.review?.('x', [])).toMatchObject({ ok: true, user: { name: 'kubernetes-admin' } });
});
