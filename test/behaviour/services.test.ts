/** Services whose type changes, and what becomes of their status. */
import { useTarget } from './target.js';

const target = useTarget('services');
const path = (name: string): string => target.path(`services/${name}`);
const merge = (at: string, body: unknown) => target.done('PATCH', at, body, 'application/merge-patch+json');
const create = (name: string, spec: object) =>
  target.done('POST', target.path('services'), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec,
  });

test('a name only keeps and owns its internalTrafficPolicy, which nobody sees', async () => {
  await create('hidden', { ports: [{ port: 80 }], internalTrafficPolicy: 'Local' });
  const hidden = await merge(path('hidden'), { spec: { type: 'ExternalName', externalName: 'z.example' } });
  expect(hidden.spec).not.toHaveProperty('internalTrafficPolicy');
  expect(hidden.metadata.managedFields[0]).toHaveProperty(['fieldsV1', 'f:spec', 'f:internalTrafficPolicy']);
  expect((await target.done('GET', path('hidden'))).spec).not.toHaveProperty('internalTrafficPolicy');
  const list = await target.done('GET', target.path('services'));
  expect(list.items.map(({ spec }) => spec)).toEqual([hidden.spec]);

  await merge(path('hidden'), { metadata: { labels: { a: 'b' } } });
  const back = await merge(path('hidden'), { spec: { type: 'ClusterIP', externalName: null } });
  expect(back.spec).toMatchObject({ internalTrafficPolicy: 'Local' });
});

test('conditions of the status outlive an update of the main resource', async () => {
  await create('kept', { ports: [{ port: 80 }] });
  const conditions = [
    { type: 'x.y/Z', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z', reason: 'R', message: '' },
  ];
  const written = await merge(`${path('kept')}/status`, { status: { conditions } });
  const same = await merge(path('kept'), { status: null });
  expect(same.status).toEqual({ loadBalancer: {}, conditions });
  expect(same.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
});
