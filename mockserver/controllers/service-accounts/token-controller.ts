/** Secrets that ask for the token of a ServiceAccount get it, and go with the account. */
import { objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import {
  type ApiObject,
  deletionTimestampOf,
  editMetadata,
  nameOf,
  namespaceOf,
  uidOf,
  withMetadata,
} from '../../ground/object.js';
import { isRefusal, type ObjectPlace } from '../client.js';
import { type Controller, type ControllerFrame } from '../controller.js';

const SECRETS = { group: '', resource: 'secrets' } as const;
const ACCOUNTS = { group: '', resource: 'serviceaccounts' } as const;
const TYPE = 'kubernetes.io/service-account-token';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
/** Such tokens do not expire on a real server; these live as long as anybody's test. */
const LIFETIME_SECONDS = 10 * 365 * 86_400;

const annotation = (object: ApiObject, name: string): string =>
  stringMember(objectMember(object.metadata, 'annotations'), name) ?? '';

const isTokenSecret = (secret: ApiObject): boolean => stringMember(secret, 'type') === TYPE;

/**
 * @param certificate in PEM
 * Source: kubernetes pkg/controller/serviceaccount/tokens_controller.go.
 */
export const tokenController = (certificate: string): Controller => ({
  name: 'serviceaccount-token-controller',
  start(frame) {
    const queue = frame.queue<string>((key) => {
      const [namespace = '', name = ''] = key.split('/');
      const place = { of: SECRETS, namespace, name };
      const secret = frame.client.get(place);
      if (secret === undefined || deletionTimestampOf(secret) !== undefined || !isTokenSecret(secret)) return;
      const account = frame.client.get({
        of: ACCOUNTS,
        namespace,
        name: annotation(secret, ACCOUNT_NAME),
      });
      const expected = annotation(secret, ACCOUNT_UID);
      if (account === undefined || (expected !== '' && expected !== uidOf(account))) {
        removed(frame, place, secret);
      } else {
        const filled = withToken(frame, secret, account, certificate);
        if (filled !== undefined) frame.client.update(SECRETS, filled);
      }
      queue.forget(key);
    });
    const secrets = frame.view(SECRETS, (next) => {
      if (next !== undefined && isTokenSecret(next)) queue.add(`${namespaceOf(next)}/${nameOf(next)}`);
    });
    frame.view(ACCOUNTS, (next, previous) => {
      if (next !== undefined || previous === undefined) return;
      const namespace = namespaceOf(previous);
      for (const secret of secrets.inNamespace(namespace)) {
        if (isTokenSecret(secret) && annotation(secret, ACCOUNT_NAME) === nameOf(previous))
          queue.add(`${namespace}/${nameOf(secret)}`);
      }
    });
  },
});

function removed({ client }: ControllerFrame, place: ObjectPlace, secret: ApiObject): void {
  try {
    client.delete(place, { preconditions: { uid: uidOf(secret) } });
  } catch (error) {
    if (!isRefusal(error, 'NotFound')) throw error;
  }
}

/** Shape: undefined when the secret has everything already. */
function withToken(
  frame: ControllerFrame,
  secret: ApiObject,
  account: ApiObject,
  certificate: string,
): ApiObject | undefined {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const before = objectMember(secret, 'data') ?? {};
  const namespace = namespaceOf(secret);
  const data: JsonObject = {
    ...before,
    'ca.crt': encode(certificate),
    namespace: encode(namespace),
    token: before['token'] ?? encode(signedToken(frame, secret, account)),
  };
  const named = annotation(secret, ACCOUNT_UID) === uidOf(account);
  if (named && ['ca.crt', 'namespace', 'token'].every((name) => before[name] === data[name]))
    return undefined;
  const annotations = { ...objectMember(secret.metadata, 'annotations'), [ACCOUNT_UID]: uidOf(account) };
  return { ...withMetadata(secret, editMetadata(secret.metadata, { annotations })), data };
}

function signedToken(
  { cluster, clock, random }: ControllerFrame,
  secret: ApiObject,
  account: ApiObject,
): string {
  const namespace = namespaceOf(account);
  const issuedAt = Math.floor(clock.now() / 1000);
  return cluster.tokens.sign({
    aud: [cluster.tokens.issuer],
    exp: issuedAt + LIFETIME_SECONDS,
    iat: issuedAt,
    nbf: issuedAt,
    jti: random.uuid(),
    sub: `system:serviceaccount:${namespace}:${nameOf(account)}`,
    'kubernetes.io': {
      namespace,
      secret: { name: nameOf(secret), uid: uidOf(secret) },
      serviceaccount: { name: nameOf(account), uid: uidOf(account) },
    },
  });
}
