/** What validating a built-in object costs beside reading it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../programs/server.mjs';
import { median } from './load.mjs';

const built = (path) => import(pathToFileURL(join(ROOT, 'dist/mockserver', path)).href);

const container = (name) => ({
  name,
  image: `registry.example/${name}:1.2.3`,
  ports: [{ name: 'http', containerPort: 8080 }],
  env: [
    { name: 'LEVEL', value: 'info' },
    { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
  volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
});

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [container('web'), container('sidecar')],
        volumes: [{ name: 'config', configMap: { name: 'config' } }],
      },
    },
  },
};

/** Median of the microseconds that one call takes, over rounds of many calls. */
export function microseconds(rounds, work) {
  const calls = 500;
  for (let i = 0; i < calls; i++) work();
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    for (let i = 0; i < calls; i++) work();
    return (1000 * (performance.now() - begun)) / calls;
  });
  return median(times);
}

/** Of a Deployment of two containers as it is stored, in this process. */
export async function validationCosts({ quick }) {
  const { startMockServer } = await built('index.js');
  const { createErrors } = await built('registry/kind-validation.js');
  const { deploymentValidation } = await built('registry/kinds/validate-workloads.js');
  const server = await startMockServer();
  const answer = await fetch(`${server.url}/apis/apps/v1/namespaces/default/deployments?dryRun=All`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(DEPLOYMENT),
  });
  const text = await answer.text();
  await server.stop();
  const object = JSON.parse(text);
  const request = { apiVersion: 'apps/v1', subresource: '' };
  if (createErrors(deploymentValidation, object, request).length > 0)
    throw new Error('the Deployment is invalid');
  const rounds = quick ? 5 : 41;
  const parse = microseconds(rounds, () => JSON.parse(text));
  const validate = microseconds(rounds, () => createErrors(deploymentValidation, object, request));
  return {
    'validation.deployment.us': validate,
    'validation.deployment.timeRatio': validate / parse,
  };
}
