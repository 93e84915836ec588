/** Lets service accounts in by their tokens, and everybody else as before. */
import { arrayMember, numberMember, objectMember, stringMember, type JsonObject } from '../ground/json.js';
import { type Clock } from '../ground/clock.js';
import { unauthorized } from '../ground/status.js';
import { type Authenticator } from './authentication.js';
import { bearerToken } from './bearer-token.js';
import { type ServiceAccountTokens } from './service-account-tokens.js';
import { type TokenReview, audienceReview, invalidToken, staticReview } from './token-review.js';
import { type User } from './user.js';

export interface ServiceAccountAuthentication {
  readonly tokens: ServiceAccountTokens;
  readonly clock: Clock;
  /** Whether the account, and what the token is bound to, are still those that the token was made for. */
  readonly stands: (claims: JsonObject) => boolean;
  readonly others: Authenticator;
}

/** Tokens that the cluster did not sign are the business of `others`. */
export function withServiceAccounts(parts: ServiceAccountAuthentication): Authenticator {
  const { others } = parts;
  return {
    authenticate(authorization) {
      const token = bearerToken(authorization);
      const review = token === undefined ? undefined : reviewed(parts, token, []);
      if (review === undefined) return others.authenticate(authorization);
      if (!review.ok) throw unauthorized();
      return review.user;
    },
    review: (token, audiences) =>
      reviewed(parts, token, audiences) ??
      others.review?.(token, audiences) ??
      staticReview(undefined, audiences),
  };
}

/** Shape: undefined when the token is none of ours. Source: kubernetes pkg/serviceaccount/jwt.go and claims.go. */
function reviewed(
  { tokens, clock, stands }: ServiceAccountAuthentication,
  token: string,
  audiences: readonly string[],
): TokenReview | undefined {
  // Most tokens are short words: they cost nothing.
  if (token.split('.').length !== 3) return undefined;
  const verified = tokens.verify(token);
  switch (verified.kind) {
    case 'foreign':
      return undefined;
    case 'forged':
      return invalidToken('go-jose/go-jose: error in cryptographic primitive');
    case 'ours': {
      const { claims } = verified;
      const own = (arrayMember(claims, 'aud') ?? []).filter((one) => typeof one === 'string');
      const review = audienceReview(userOf(claims), own, audiences);
      if (!review.ok) return review;
      if ((numberMember(claims, 'exp') ?? 0) * 1000 <= clock.now()) {
        return invalidToken('service account token has expired');
      }
      return stands(claims) ? review : invalidToken('service account token has been invalidated');
    }
  }
}

const PREFIX = 'authentication.kubernetes.io';

function userOf(claims: JsonObject): User {
  const own = objectMember(claims, 'kubernetes.io');
  const namespace = stringMember(own, 'namespace') ?? '';
  const extra: Record<string, readonly string[]> = {
    [`${PREFIX}/credential-id`]: [`JTI=${stringMember(claims, 'jti') ?? ''}`],
  };
  for (const bound of ['node', 'pod']) {
    const ref = objectMember(own, bound);
    if (ref === undefined) continue;
    extra[`${PREFIX}/${bound}-name`] = [stringMember(ref, 'name') ?? ''];
    const uid = stringMember(ref, 'uid') ?? '';
    if (uid !== '') extra[`${PREFIX}/${bound}-uid`] = [uid];
  }
  return {
    name: stringMember(claims, 'sub') ?? '',
    uid: stringMember(objectMember(own, 'serviceaccount'), 'uid') ?? '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra,
  };
}
