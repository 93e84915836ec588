/** How a cluster is reached, from a kubeconfig or an address. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type JsonObject,
  arrayMember,
  booleanMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../ground/json.js';
import { readYaml } from '../ground/yaml.js';

export interface ClusterConnection {
  /** Without a slash at the end. */
  readonly server: string;
  readonly authorization?: string;
  /** PEM; what Node trusts where it is absent. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly unverified?: boolean;
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Of an address alone: nobody is known there. */
export const connectionTo = (url: string): ClusterConnection => ({ server: url.replace(/\/+$/, '') });

/**
 * What a context of a kubeconfig leads to.
 *
 * @param contextName @default its current-context
 * Errors: an Error that names the file, and what in it is missing; one of a credential plugin that fails.
 */
export function connectionOf(file: string, contextName?: string): ClusterConnection {
  const problem = (what: string): Error => new Error(`${file}: ${what}`);
  const reading = readYaml(readFileSync(file, 'utf8'));
  if (!reading.ok) throw problem(reading.error);
  const config = isJsonObject(reading.value) ? reading.value : undefined;
  if (config === undefined || stringMember(config, 'kind') !== 'Config')
    throw problem('not a kubeconfig (kind: Config)');
  const named = (list: string, part: string, name: string): JsonObject => {
    const entries = (arrayMember(config, list) ?? []).filter(isJsonObject);
    const entry = entries.find((one) => stringMember(one, 'name') === name);
    if (entry === undefined) throw problem(`${list}: none is called ${JSON.stringify(name)}`);
    return objectMember(entry, part) ?? {};
  };
  const context = named('contexts', 'context', contextName ?? stringMember(config, 'current-context') ?? '');
  const cluster = named('clusters', 'cluster', stringMember(context, 'cluster') ?? '');
  const userName = stringMember(context, 'user');
  const user = userName === undefined ? {} : named('users', 'user', userName);
  const server = stringMember(cluster, 'server');
  if (server === undefined) throw problem('the cluster has no server');
  const serverName = stringMember(cluster, 'tls-server-name');
  return {
    ...connectionTo(server),
    ...present({ ca: pem(cluster, 'certificate-authority', file), serverName }),
    ...(booleanMember(cluster, 'insecure-skip-tls-verify') === true ? { unverified: true } : {}),
    ...credentials(user, file),
  };
}

type Credentials = Pick<ClusterConnection, 'authorization' | 'cert' | 'key'>;

function credentials(user: JsonObject, file: string): Credentials {
  const plugin = objectMember(user, 'exec');
  const asked = plugin === undefined ? {} : askPlugin(plugin);
  const tokenFile = stringMember(user, 'tokenFile');
  const token =
    stringMember(user, 'token') ??
    (tokenFile === undefined ? undefined : readFileSync(resolve(dirname(file), tokenFile), 'utf8').trim());
  const name = stringMember(user, 'username');
  const password = stringMember(user, 'password') ?? '';
  const authorization =
    token !== undefined
      ? `Bearer ${token}`
      : name !== undefined
        ? `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
        : undefined;
  return {
    ...asked,
    ...present({
      authorization,
      cert: pem(user, 'client-certificate', file),
      key: pem(user, 'client-key', file),
    }),
  };
}

/** Source: client-go plugin/pkg/client/auth/exec, client.authentication.k8s.io. */
function askPlugin(plugin: JsonObject): Credentials {
  const texts = (arrayMember(plugin, 'args') ?? []).filter((one) => typeof one === 'string');
  const entries = (arrayMember(plugin, 'env') ?? []).filter(isJsonObject);
  const variables = entries.map((one) => [stringMember(one, 'name') ?? '', stringMember(one, 'value') ?? '']);
  const command = stringMember(plugin, 'command') ?? '';
  const apiVersion = stringMember(plugin, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
  const asks = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const env = {
    ...process.env,
    ...(Object.fromEntries(variables) as Record<string, string>), // pairs of texts
    KUBERNETES_EXEC_INFO: JSON.stringify(asks),
  };
  const answer = readYaml(
    execFileSync(command, texts, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const status = answer.ok && isJsonObject(answer.value) ? objectMember(answer.value, 'status') : undefined;
  if (status === undefined) throw new Error(`${command}: answers no ExecCredential with a status`);
  const token = stringMember(status, 'token');
  return present({
    authorization: token === undefined ? undefined : `Bearer ${token}`,
    cert: stringMember(status, 'clientCertificateData'),
    key: stringMember(status, 'clientKeyData'),
  });
}

/** `NAME-data` in base64, or the file that NAME names from the kubeconfig's folder. */
function pem(parent: JsonObject, name: string, file: string): string | undefined {
  const inline = stringMember(parent, `${name}-data`);
  if (inline !== undefined) return Buffer.from(inline, 'base64').toString();
  const path = stringMember(parent, name);
  return path === undefined ? undefined : readFileSync(resolve(dirname(file), path), 'utf8');
}

/** Without the members that are undefined. */
const present = <Name extends string>(
  members: Readonly<Record<Name, string | undefined>>,
): { readonly [Key in Name]?: string } =>
  // Filtered members are still of those names.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Key in Name]?: string;
  };
