/** ServiceAccounts: tokens are made for them. */
import { formatTime } from '../../ground/clock.js';
import { type FieldError, invalid } from '../../ground/field-error.js';
import { arrayMember, numberMember, objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import { parseApiVersion } from '../../ground/kind.js';
import { type ApiObject, editMetadata, nameOf, uidOf, withMetadata } from '../../ground/object.js';
import { badRequest, conflict, invalidObject, notFound } from '../../ground/status.js';
import { type Action, type ActionContext, answering } from '../action.js';
import { type KindContext } from '../kind-context.js';
import { type KindRules } from '../kind-rules.js';
import { withPlainSecrets } from './service-account-secrets.js';

const OF = { group: '', resource: 'serviceaccounts' } as const;
const REQUEST = { group: 'authentication.k8s.io', resource: 'TokenRequest' } as const;
const DEFAULT_SECONDS = 3600;
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;

/** What a token may be bound to, by kind. */
const BOUND = {
  Pod: { resource: 'pods', namespaced: true, claim: 'pod' },
  Node: { resource: 'nodes', namespaced: false, claim: 'node' },
  Secret: { resource: 'secrets', namespaced: true, claim: 'secret' },
} as const;

/** Source: kubernetes registry/core/serviceaccount/storage/token.go; serviceaccount/claims.go. */
const requestToken: Action = (request, context) => {
  const { namespace, name, clock, random, tokens } = context;
  const given = nameOf(request);
  if (given !== '' && given !== name) {
    throw invalidObject(REQUEST, name, [
      invalid('metadata.name', given, 'must match the service account name if specified'),
    ]);
  }
  const account = context.find(OF.group, OF.resource, namespace, name);
  if (account === undefined) throw notFound(OF, name);
  if (uidOf(request) !== '' && uidOf(request) !== uidOf(account)) {
    throw conflict(
      REQUEST,
      name,
      `the UID in the token request (${uidOf(request)}) does not match the UID of the service account (${uidOf(account)})`,
    );
  }
  const now = clock.now();
  const spec = objectMember(request, 'spec');
  const seconds = numberMember(spec, 'expirationSeconds') ?? DEFAULT_SECONDS;
  refuseDuration(seconds);
  const asked = (arrayMember(spec, 'audiences') ?? []).filter((one) => typeof one === 'string');
  const audiences = asked.length === 0 ? [tokens.issuer] : asked;
  const ref = objectMember(spec, 'boundObjectRef');
  const issuedAt = Math.floor(now / 1000);
  const token = tokens.sign({
    aud: audiences,
    exp: issuedAt + seconds,
    iat: issuedAt,
    nbf: issuedAt,
    jti: random.uuid(),
    sub: `system:serviceaccount:${namespace}:${name}`,
    'kubernetes.io': {
      namespace,
      ...(ref === undefined ? {} : boundClaims(ref, context)),
      serviceaccount: { name, uid: uidOf(account) },
    },
  });
  const metadata = editMetadata(request.metadata, {
    name,
    namespace,
    uid: uidOf(account),
    creationTimestamp: formatTime(now),
  });
  return answering({
    ...withMetadata(request, metadata),
    spec: { ...spec, audiences, expirationSeconds: seconds },
    status: { token, expirationTimestamp: formatTime(now + seconds * 1000) },
  });
};

export const serviceAccountRules: KindRules = {
  ...OF,
  prepareForCreate: withPlainSecrets,
  prepareForUpdate: withPlainSecrets,
  subresources: { token: { action: requestToken } },
};

function refuseDuration(seconds: number): void {
  const errors: FieldError[] = [];
  const field = 'spec.expirationSeconds';
  if (seconds < SHORTEST_SECONDS)
    errors.push(invalid(field, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > LONGEST_SECONDS)
    errors.push(invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (errors.length > 0) throw invalidObject(REQUEST, '', errors);
}

/** Errors: 400 for what a token cannot be bound to, 404 for what is not there, 409 for another uid. */
function boundClaims(ref: JsonObject, context: ActionContext): JsonObject {
  const kind = stringMember(ref, 'kind') ?? '';
  const apiVersion = stringMember(ref, 'apiVersion') ?? '';
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const bound = group === '' && isBindable(kind) ? BOUND[kind] : undefined;
  if (bound === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const name = stringMember(ref, 'name') ?? '';
  const object = context.find('', bound.resource, bound.namespaced ? context.namespace : '', name);
  if (object === undefined) throw notFound({ group: '', resource: bound.resource }, name);
  const spec = objectMember(object, 'spec');
  if (kind === 'Pod' && stringMember(spec, 'serviceAccountName') !== context.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${context.name}" to pod running with different serviceaccount name.`,
    );
  }
  const uid = stringMember(ref, 'uid') ?? '';
  if (uid !== '' && uid !== uidOf(object)) {
    throw conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const node = kind === 'Pod' ? (stringMember(spec, 'nodeName') ?? '') : '';
  return {
    ...(node === '' ? {} : { node: nodeClaim(node, context) }),
    [bound.claim]: { name, uid: uidOf(object) },
  };
}

/** A pod's node goes into its token, by name alone when there is no such node. */
function nodeClaim(name: string, context: KindContext): JsonObject {
  const node = context.find('', 'nodes', '', name);
  return node === undefined ? { name } : { name, uid: uidOf(node) };
}

const isBindable = (kind: string): kind is keyof typeof BOUND => Object.hasOwn(BOUND, kind);

/**
 * Whether the account of a token, and what the token is bound to, are still the ones that it was made for.
 *
 * Source: kubernetes pkg/serviceaccount/claims.go, Validate.
 */
export function tokenStands(claims: JsonObject, find: KindContext['find']): boolean {
  const own = objectMember(claims, 'kubernetes.io');
  const namespace = stringMember(own, 'namespace') ?? '';
  const same = (ref: JsonObject | undefined, found: ApiObject | undefined): boolean =>
    found !== undefined && uidOf(found) === stringMember(ref, 'uid');
  const account = objectMember(own, 'serviceaccount');
  if (!same(account, find(OF.group, OF.resource, namespace, stringMember(account, 'name') ?? '')))
    return false;
  return Object.values(BOUND).every(({ resource, namespaced, claim }) => {
    const ref = objectMember(own, claim);
    // A node beside a pod only says where the pod was.
    if (ref === undefined || (claim === 'node' && objectMember(own, 'pod') !== undefined)) return true;
    return same(ref, find('', resource, namespaced ? namespace : '', stringMember(ref, 'name') ?? ''));
  });
}
