// Writes docs/session.md: what a terminal shows when the server is used with kubectl. Needs dist/ and kubectl.
//   npm run build && node scripts/session.mjs
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startServer } from '../test/programs/server.mjs';

const STEPS = [
  ['A fresh cluster has what a fresh cluster has:', 'kubectl get namespaces'],
  [
    'The controllers and the node of this server make pods of a deployment, and have them run:',
    'kubectl create deployment web --image=nginx:1 --replicas=2',
    'kubectl wait --for=condition=Available deployment/web --timeout=60s',
    'kubectl get deployments,pods',
  ],
  [
    'A watch shows changes as they come (this one is ended after ten seconds):',
    '(sleep 4; kubectl scale deployment/web --replicas=3 >/dev/null) &\n> timeout 10 kubectl get deployment web --watch || true',
  ],
  [
    'Custom resources, with their schema:',
    "kubectl apply -f - <<'END'\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: sites.example.io }\nspec:\n  group: example.io\n  scope: Namespaced\n  names: { plural: sites, kind: Site }\n  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n        openAPIV3Schema:\n          type: object\n          properties:\n            spec: { type: object, properties: { replicas: { type: integer, maximum: 5 } } }\nEND".replaceAll(
      '\n',
      '\n> ',
    ),
  ],
  [
    'What does not fit is refused in the words of a real server:',
    "kubectl create -f - <<'END' || true\n> apiVersion: example.io/v1\n> kind: Site\n> metadata: { name: home }\n> spec: { replicas: 9 }\n> END",
    "kubectl create -f - <<'END'\n> apiVersion: example.io/v1\n> kind: Site\n> metadata: { name: home }\n> spec: { replicas: 3 }\n> END",
    'kubectl get sites',
  ],
  [
    'The server says what each client did:',
    'curl -s "$URL/_mock/explain?client=kubectl*" | grep -A 1 "on deployments.apps$"',
  ],
  [
    'Deleting a deployment takes its pods with it:',
    'kubectl delete deployment web',
    'kubectl wait --for=delete pod -l app=web --timeout=60s',
    'kubectl get pods',
  ],
];

const server = await startServer(['--controllers', '*,fake-node']);
const parts = [];
try {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, URL: server.url, NO_COLOR: '1' };
  for (const [says, ...commands] of STEPS) {
    const shown = commands.map((command) => {
      const text = command.replaceAll('\n> ', '\n');
      const printed = execFileSync('bash', ['-euo', 'pipefail', '-c', `{ ${text}\n} 2>&1`], {
        env,
        encoding: 'utf8',
      });
      return `$ ${command}\n${masked(printed)}`;
    });
    parts.push(`${says}\n\n<!-- docs: needs kubectl -->\n\n\`\`\`console\n${shown.join('')}\`\`\``);
  }
} finally {
  await server.stop();
}

/** Ages, lines that are then the same, parts of names that chance decides, and how long something took. */
function masked(text) {
  return text
    .replaceAll(/(?<=\s)\d+(?:m\d+)?s$/gm, '…')
    .replaceAll(/\b(web-)[a-z0-9]{6,10}-[a-z0-9]{5}\b/g, '$1…')
    .replaceAll(/^kubectl.*(?= on )/gm, 'kubectl…')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/^(.+\n)\1+/gm, '$1');
}

writeFileSync(
  fileURLToPath(new URL('../docs/session.md', import.meta.url)),
  `# A session

What a terminal shows; made by \`node scripts/session.mjs\` with kubectl ${version()}, and compared with what is shown now by \`npm run docs\`. \`…\` stands for ages, and for what chance decides.

<!-- docs: serves -->

\`\`\`sh
npx kube-mockserver --port 18080 --controllers '*,fake-node'
\`\`\`

\`\`\`text
Serving Kubernetes on http://127.0.0.1:18080
kubeconfig: /tmp/kube-mockserver-18080.kubeconfig
\`\`\`

In another terminal, with \`KUBECONFIG=/tmp/kube-mockserver-18080.kubeconfig\` and \`URL=http://127.0.0.1:18080\`:

${parts.join('\n\n')}
`,
);

function version() {
  const { clientVersion } = JSON.parse(
    execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' }),
  );
  return clientVersion.gitVersion.replace(/-.*/, '');
}
