/** Impersonation: a request that says it is somebody else's. */
import { goQuote } from '../ground/revision.js';
import { badRequest } from '../ground/status.js';
import { type User } from './user.js';

const PREFIX = 'impersonate-extra-';
const ACCOUNT = 'system:serviceaccount:';

/**
 * Whose request it is: the authenticated user, or whom that one impersonates. Everybody may impersonate anybody.
 *
 * @param headers names and values by turns, as they were sent
 * Errors: 400 for groups or extras without a user.
 * Source: apiserver endpoints/filters/impersonation.
 */
export function impersonated(user: User, headers: readonly string[]): User {
  const asked = askedFor(headers);
  if (asked.size === 0) return user;
  const values = (header: string): readonly string[] => asked.get(header) ?? [];
  const [name = ''] = values('impersonate-user');
  const [uid = ''] = values('impersonate-uid');
  const groups = values('impersonate-group');
  const extra = extras(asked);
  if (name === '') {
    if (groups.length === 0 && uid === '' && Object.keys(extra).length === 0) return user;
    throw badRequest(
      `requested &user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${goTexts(groups)}, Extra:${goMap(extra)}} without impersonating a user name`,
    );
  }
  return {
    name,
    uid,
    groups: groupsOf(name, groups),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** The headers of impersonation, by their names in lower case. */
function askedFor(headers: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const asked = new Map<string, string[]>();
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const sent = headers[i] ?? '';
    // Nearly every request has none: the first letter spares the rest.
    if (!/^i/i.test(sent) || !sent.toLowerCase().startsWith('impersonate-')) continue;
    const name = sent.toLowerCase();
    asked.set(name, [...(asked.get(name) ?? []), headers[i + 1] ?? '']);
  }
  return asked;
}

/** Who names no groups has those of the account; all but the anonymous are authenticated. */
function groupsOf(name: string, asked: readonly string[]): readonly string[] {
  const [namespace] = name.startsWith(ACCOUNT) ? name.slice(ACCOUNT.length).split(':') : [];
  const own =
    asked.length > 0 || namespace === undefined
      ? asked
      : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const last = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return own.includes(last) || own.includes('system:unauthenticated') ? own : [...own, last];
}

function extras(asked: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, readonly string[]>> {
  const found = [...asked].filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(found.map(([name, values]) => [unescaped(name.slice(PREFIX.length)), values]));
}

/** Keys stand percent-encoded in the name of a header. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go's `%#v` writes them. */
const goTexts = (texts: readonly string[]): string =>
  texts.length === 0 ? '[]string(nil)' : `[]string{${texts.map(goQuote).join(', ')}}`;

function goMap(extra: Readonly<Record<string, readonly string[]>>): string {
  const members = Object.entries(extra).map(([key, texts]) => `${goQuote(key)}:${goTexts(texts)}`);
  return members.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${members.join(', ')}}`;
}
