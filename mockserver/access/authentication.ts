/** Who a request is from: bearer tokens out of a file, or everybody as one user. */
import { unauthorized } from '../ground/status.js';
import { bearerToken } from './bearer-token.js';
import { type TokenReview, staticReview } from './token-review.js';
import { type User } from './user.js';

/** Who everybody is while no token file is given. */
export const ADMIN: User = Object.freeze({
  name: 'kubernetes-admin',
  uid: '',
  groups: Object.freeze(['system:masters', 'system:authenticated']),
});

export interface Authenticator {
  /** @param authorization the request's header. Errors: 401 for a token that is unknown, or absent where one is needed. */
  authenticate(authorization: string | undefined): User;
  /** Whose token it is, asked on behalf of others. Absent: no token is looked at. */
  review?(token: string, audiences: readonly string[]): TokenReview;
}

export const everybodyIsAdmin: Authenticator = {
  authenticate: () => ADMIN,
  review: (_token, audiences) => staticReview(ADMIN, audiences),
};

/**
 * Users by token, from kube-apiserver's file: lines of `token,user,uid[,"group1,group2"]`.
 *
 * Errors: throws with the line's number when a line has fewer than three columns or an open quote.
 * Source: apiserver plugin/authenticator/token/tokenfile.
 */
export function tokenAuthenticator(file: string): Authenticator {
  const users = new Map<string, User>();
  file.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const columns = csvColumns(line, i + 1);
    const [token, name, uid, groups = ''] = columns;
    if (token === undefined || name === undefined || uid === undefined) {
      throw new Error(`token file, line ${i + 1}: has ${columns.length} columns, needs token, user and uid`);
    }
    if (token === '') throw new Error(`token file, line ${i + 1}: empty token`);
    const own = groups === '' ? [] : groups.split(',').map((group) => group.trim());
    users.set(token, { name, uid, groups: [...own, 'system:authenticated'] });
  });
  return {
    authenticate(authorization) {
      const user = users.get(bearerToken(authorization) ?? '');
      if (user === undefined) throw unauthorized();
      return user;
    },
    review: (token, audiences) => staticReview(users.get(token), audiences),
  };
}

function csvColumns(line: string, number: number): string[] {
  const columns: string[] = [];
  let at = 0;
  while (at <= line.length) {
    if (line[at] === '"') {
      let text = '';
      at++;
      for (;;) {
        const close = line.indexOf('"', at);
        if (close < 0) throw new Error(`token file, line ${number}: a quote is not closed`);
        text += line.slice(at, close);
        at = close + 1;
        if (line[at] !== '"') break;
        text += '"';
        at++;
      }
      columns.push(text);
      at = line.indexOf(',', at);
      if (at < 0) break;
      at++;
    } else {
      const comma = line.indexOf(',', at);
      columns.push(line.slice(at, comma < 0 ? undefined : comma));
      if (comma < 0) break;
      at = comma + 1;
    }
  }
  return columns;
}
