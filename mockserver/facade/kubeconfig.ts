/** The kubeconfig that points clients at a server or at one of its clusters. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface KubeconfigParts {
  /** `http://127.0.0.1:18080`, with `/clusters/<name>` for a named cluster. */
  readonly server: string;
  /** Bearer token; undefined when the server asks for none. */
  readonly token?: string | undefined;
  /** PEM of the authority that signed the server's certificate. */
  readonly certificateAuthority?: string | undefined;
}

const NAME = 'kube-mockserver';

/** YAML that every reader of kubeconfigs takes; its values are written as JSON texts, which YAML reads as they are. */
export function kubeconfig({ server, token, certificateAuthority }: KubeconfigParts): string {
  const text = (value: string): string => JSON.stringify(value);
  const authority =
    certificateAuthority === undefined
      ? // Some clients refuse plain HTTP unless they are told that nothing is to be verified.
        '    insecure-skip-tls-verify: true\n'
      : `    certificate-authority-data: ${Buffer.from(certificateAuthority).toString('base64')}\n`;
  // A user without any credential makes some clients ask for one; an empty map does not.
  const user = token === undefined ? '{}' : `{ token: ${text(token)} }`;
  return `apiVersion: v1
kind: Config
current-context: ${NAME}
clusters:
- name: ${NAME}
  cluster:
    server: ${text(server)}
${authority}users:
- name: ${NAME}
  user: ${user}
contexts:
- name: ${NAME}
  context: { cluster: ${NAME}, user: ${NAME} }
`;
}

/** Writes a kubeconfig that only its owner can read. Errors: those of the file system, with the path. */
export function writeKubeconfig(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: 0o600 });
  chmodSync(path, 0o600);
}
