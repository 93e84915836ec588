/** What a server says of a token that somebody asks about. */
import { goQuote } from '../ground/revision.js';
import { type User } from './user.js';

/** Who issues the tokens of service accounts; also the one audience of the server itself. */
export const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

export type TokenReview =
  | { readonly ok: true; readonly user: User; readonly audiences: readonly string[] }
  | { readonly ok: false; readonly error: string };

const INVALID_TOKEN = 'invalid bearer token';

export const invalidToken = (why?: string): TokenReview => ({
  ok: false,
  error: why === undefined ? INVALID_TOKEN : `[${INVALID_TOKEN}, ${why}]`,
});

/**
 * A token without audiences of its own: it is meant for the server.
 *
 * Source: apiserver authentication/authenticator/audiences.go and audagnostic.go.
 */
export function staticReview(user: User | undefined, asked: readonly string[]): TokenReview {
  const audiences = targets(asked).filter((one) => one === DEFAULT_ISSUER);
  return user === undefined || audiences.length === 0 ? invalidToken() : { ok: true, user, audiences };
}

/** A token with audiences of its own. Source: apiserver serviceaccount/jwt.go. */
export function audienceReview(user: User, own: readonly string[], asked: readonly string[]): TokenReview {
  const target = targets(asked);
  const audiences = target.filter((one) => own.includes(one));
  if (audiences.length > 0) return { ok: true, user, audiences };
  return invalidToken(`token audiences ${quoted(own)} is invalid for the target audiences ${quoted(target)}`);
}

/** Without any that were asked for, the server's own. */
const targets = (asked: readonly string[]): readonly string[] =>
  asked.length === 0 ? [DEFAULT_ISSUER] : asked;

const quoted = (texts: readonly string[]): string => `[${texts.map(goQuote).join(' ')}]`;
