import { expect, test } from 'vitest';
import { build, type KubeObject } from 'kube-mockserver/client';
import { useCluster } from 'kube-mockserver/vitest';
import { scaleDown } from './scale-down.js';

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas: number };
}

const cluster = useCluster({
  objects: [
    build.deployment('web', { replicas: 3 }),
    build.deployment('batch', { replicas: 1 }),
    build.deployment({ name: 'database', labels: { keep: 'yes' } }, { replicas: 2 }),
  ],
});

test('everything but what is to be kept has no replicas afterwards', async () => {
  const config = await cluster.kubeConfig();
  expect(await scaleDown(config, 'default')).toEqual(['batch', 'web']);
  const left = await cluster.list<Deployment>('Deployment');
  expect(left.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
    ['batch', 0],
    ['database', 2],
    ['web', 0],
  ]);
});

test('each test begins with the objects of the file', async () => {
  const { spec } = await cluster.get<Deployment>('Deployment', 'web');
  expect(spec.replicas).toBe(3);
});

test('a refusal is passed on, and what was done before stays done', async () => {
  await cluster.addFault({
    match: { verb: 'patch', resource: 'deployments', subresource: 'scale', name: 'web' },
    effect: { kind: 'status', code: 503 },
  });
  await expect(scaleDown(await cluster.kubeConfig(), 'default')).rejects.toMatchObject({ code: 503 });
  expect((await cluster.get<Deployment>('Deployment', 'batch')).spec.replicas).toBe(0);
  expect((await cluster.get<Deployment>('Deployment', 'web')).spec.replicas).toBe(3);
  expect(await cluster.journal()).toHaveRelisted(0);
});
