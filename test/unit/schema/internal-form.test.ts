import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { goTypeAt, internalForm } from '../../../mockserver/schema/internal-form.js';

const layouts = loadBuiltInApi().internalLayouts;

test.each([
  ['v1 Pod', 'spec', 'core.PodSpec'],
  ['v1 Pod', 'spec.containers[2].env[0].valueFrom', '*core.EnvVarSource'],
  ['v1 Pod', 'spec.volumes[0].hostPath', '*core.HostPathVolumeSource'],
  ['v1 Pod', 'spec.containers[0].livenessProbe.httpGet', '*core.HTTPGetAction'],
  ['v1 Pod', 'spec.nodeSelector[a.b/c]', 'string'],
  ['apps/v1 Deployment', 'spec.strategy', 'apps.DeploymentStrategy'],
  ['batch/v1 CronJob', 'spec.jobTemplate.spec.template', 'core.PodTemplateSpec'],
])('%s has at %s a %s', (kind, field, goType) => {
  expect(goTypeAt(layouts, kind, field)).toBe(goType);
});

test.each([
  ['a kind without layouts', 'example.io/v1 Widget', 'spec'],
  ['an unknown member', 'v1 Pod', 'spec.nothing'],
  ['an index into what is no list', 'v1 Pod', 'spec.hostname[0]'],
])('%s has no type', (_, kind, field) => {
  expect(goTypeAt(layouts, kind, field)).toBeUndefined();
});

test('fields that are unset are shown too', () => {
  expect(internalForm(layouts, 'policy.PodDisruptionBudgetSpec', { minAvailable: 1 })).toEqual({
    MinAvailable: 1,
    Selector: null,
    MaxUnavailable: null,
    UnhealthyPodEvictionPolicy: null,
  });
});

test('members of an embedded struct stand where it is embedded', () => {
  const form = internalForm(layouts, 'core.Volume', { name: 'v', emptyDir: {} });
  expect(Object.keys(form as object).slice(0, 3)).toEqual(['Name', 'HostPath', 'EmptyDir']);
  expect(form).toMatchObject({ EmptyDir: { Medium: '', SizeLimit: null }, HostPath: null });
});

test('what a pod spec says of its host stands in its security context', () => {
  expect(internalForm(layouts, 'core.PodSpec', { hostNetwork: true, securityContext: {} })).toMatchObject({
    SecurityContext: { HostNetwork: true, HostPID: false, HostUsers: null },
  });
});

test('types of the API machinery are written as they are stored', () => {
  const spec = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } } };
  const form = internalForm(layouts, 'apps.ReplicaSetSpec', spec);
  expect(form).toMatchObject({ Selector: { matchLabels: { a: 'b' } }, Template: { labels: { a: 'b' } } });
});

test('names that clients choose are members like any other', () => {
  const labels = JSON.parse('{"b":"1","__proto__":"2","10":"3"}') as Record<string, string>;
  const form = internalForm(layouts, 'map[]string', labels);
  expect(Object.keys(form as object)).toEqual(expect.arrayContaining(['10', '__proto__', 'b']));
});
