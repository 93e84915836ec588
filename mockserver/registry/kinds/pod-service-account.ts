/** New pods and their service accounts: the account's name, its token's volume, its pull secrets. */
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  booleanMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf, namespaceOf } from '../../ground/object.js';
import { nameSuffix } from '../../ground/random.js';
import { forbiddenObject } from '../../ground/status.js';
import { type KindContext } from '../kind-context.js';

const PODS = { group: '', resource: 'pods' } as const;
const DEFAULT_ACCOUNT = 'default';
/** The annotation of a pod that stands for one that a kubelet runs by itself. */
export const MIRROR = 'kubernetes.io/config.mirror';
const VOLUME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Longer than an hour, by which clients that do not read their token anew are told from others. */
const TOKEN_SECONDS = 3607;

/**
 * A new pod, not a mirror one, with its service account.
 *
 * Errors: 403 for an account that is not there. The account `default` is always taken to be: its controller makes it in
 * every namespace, and a real server waits for that.
 * Source: kubernetes plugin/pkg/admission/serviceaccount/admission.go.
 */
export function withServiceAccount(
  pod: ApiObject,
  { find, random }: Pick<KindContext, 'find' | 'random'>,
): ApiObject {
  const spec = objectMember(pod, 'spec') ?? EMPTY;
  const asked = stringMember(spec, 'serviceAccountName') ?? '';
  const name = asked === '' ? DEFAULT_ACCOUNT : asked;
  const namespace = namespaceOf(pod);
  const account = find('', 'serviceaccounts', namespace, name);
  if (account === undefined && name !== DEFAULT_ACCOUNT) {
    throw forbiddenObject(
      PODS,
      nameOf(pod),
      `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
    );
  }
  const named = { ...spec, serviceAccountName: name, serviceAccount: name };
  const mounts =
    booleanMember(spec, 'automountServiceAccountToken') ??
    booleanMember(account, 'automountServiceAccountToken') ??
    true;
  return {
    ...pod,
    spec: withPullSecrets(mounts ? withToken(named, () => nameSuffix(random)) : named, account),
  };
}

function withPullSecrets(spec: JsonObject, account: ApiObject | undefined): JsonObject {
  const secrets = arrayMember(account, 'imagePullSecrets') ?? [];
  if (secrets.length === 0 || (arrayMember(spec, 'imagePullSecrets') ?? []).length > 0) return spec;
  return { ...spec, imagePullSecrets: secrets };
}

function withToken(spec: JsonObject, suffix: () => string): JsonObject {
  const volumes = arrayMember(spec, 'volumes') ?? [];
  const known = volumes
    .filter(isJsonObject)
    .map((volume) => stringMember(volume, 'name') ?? '')
    .find((name) => name.startsWith(VOLUME_PREFIX));
  const name = known ?? `${VOLUME_PREFIX}${suffix()}`;
  const lists = (['initContainers', 'containers'] as const).flatMap((list) => {
    const before = arrayMember(spec, list);
    return before === undefined ? [] : [{ list, before, after: withMounts(before, name) }];
  });
  const mounted = lists.some(({ before, after }) => after.some((one, i) => one !== before[i]));
  return {
    ...spec,
    ...Object.fromEntries(lists.map(({ list, after }) => [list, after])),
    ...(known === undefined && mounted ? { volumes: [...volumes, tokenVolume(name)] } : {}),
  };
}

const withMounts = (containers: JsonArray, name: string): JsonArray =>
  containers.map((container) => {
    if (!isJsonObject(container)) return container;
    const mounts = arrayMember(container, 'volumeMounts') ?? [];
    const has = mounts.some((one) => isJsonObject(one) && stringMember(one, 'mountPath') === MOUNT_PATH);
    const own = { name, readOnly: true, mountPath: MOUNT_PATH };
    return has ? container : { ...container, volumeMounts: [...mounts, own] };
  });

const tokenVolume = (name: string): JsonObject => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
});
