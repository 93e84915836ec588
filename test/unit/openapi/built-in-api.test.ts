import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { METHODS, operationOf } from '../../../openapi/open-api-facts.js';
import { storageVersionHash } from '../../../openapi/resource-definition.js';

const api = loadBuiltInApi('1.36');

const resource = (group: string, version: string, name: string) => {
  const found = api.resources.find(
    (one) => one.group === group && one.version === version && one.resource === name,
  );
  if (found === undefined) throw new Error(`no ${group}/${version} ${name}`);
  return found;
};

describe('what is served', () => {
  test('every group version and every resource of the discovery documents is there', () => {
    expect(api.kubernetes).toBe('1.36.3');
    expect(api.groupVersions).toHaveLength(22);
    expect(api.groupVersions[0]).toEqual({ group: '', version: 'v1' });
    expect(api.resources).toHaveLength(68);
    expect(api.resources.flatMap((one) => one.subresources)).toHaveLength(45);
  });

  test('a resource carries its names, verbs, subresources and schema', () => {
    expect(resource('', 'v1', 'pods')).toMatchObject({
      kind: 'Pod',
      singular: 'pod',
      listKind: 'PodList',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
      storage: { group: '', version: 'v1' },
      definitionName: 'io.k8s.api.core.v1.Pod',
    });
    expect(resource('', 'v1', 'pods').subresources).toContainEqual({
      name: 'eviction',
      kind: 'Eviction',
      group: 'policy',
      version: 'v1',
      verbs: ['create'],
    });
  });

  test('what can only be created is included, without a stored form of its own', () => {
    const review = resource('authorization.k8s.io', 'v1', 'subjectaccessreviews');
    expect(review.verbs).toEqual(['create']);
    expect(review.storageVersionHash).toBeUndefined();
    expect(review.storage).toEqual({ group: 'authorization.k8s.io', version: 'v1' });
  });

  test.each([
    ['events of their own group', 'events.k8s.io', 'v1', 'events', { group: '', version: 'v1' }],
    [
      'autoscalers v1',
      'autoscaling',
      'v1',
      'horizontalpodautoscalers',
      { group: 'autoscaling', version: 'v2' },
    ],
    [
      'autoscalers v2',
      'autoscaling',
      'v2',
      'horizontalpodautoscalers',
      { group: 'autoscaling', version: 'v2' },
    ],
    [
      'a version that is not served',
      'apiextensions.k8s.io',
      'v1',
      'customresourcedefinitions',
      { group: 'apiextensions.k8s.io', version: 'v1beta1' },
    ],
  ])('the stored group version is known: %s', (_name, group, version, plural, storage) => {
    expect(resource(group, version, plural).storage).toEqual(storage);
  });

  test('every stored group version gives the hash that the server shows', () => {
    for (const one of api.resources) {
      if (one.storageVersionHash === undefined) continue;
      expect(storageVersionHash(one.storage.group, one.storage.version, one.kind)).toBe(
        one.storageVersionHash,
      );
    }
  });

  test('deprecated kinds carry their warning, others none', () => {
    const warned = api.resources.filter((one) => one.deprecationWarning !== undefined);
    expect(warned.map((one) => one.deprecationWarning)).toEqual([
      'v1 ComponentStatus is deprecated in v1.19+',
      'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    ]);
  });

  test('group versions behind switches are known by name and are not served', () => {
    expect(api.behindSwitches).toHaveLength(14);
    const served = new Set(api.groupVersions.map((one) => `${one.group}/${one.version}`));
    for (const one of api.behindSwitches) expect(served).not.toContain(`${one.group}/${one.version}`);
    expect(api.behindSwitches.map((one) => `${one.group}/${one.version}`)).toContain(
      'scheduling.k8s.io/v1alpha2',
    );
  });
});

describe('what is known of kinds', () => {
  test('every resource has a schema, and a list has one too', () => {
    for (const one of api.resources) {
      expect([one.definitionName, api.definitionOf(one.definitionName) !== undefined]).toEqual([
        one.definitionName,
        true,
      ]);
      if (!one.verbs.includes('list')) continue;
      const list = one.definitionName.replace(/[^.]+$/, one.listKind);
      expect([list, api.definitionOf(list) !== undefined]).toEqual([list, true]);
    }
    expect(api.definitionOf('toString')).toBeUndefined();
  });

  test('every stored kind has a strategy, reviews have none', () => {
    for (const one of api.resources) {
      // Computed objects can be read but are not stored.
      const stored = one.verbs.includes('update');
      expect([one.kind, api.strategyOf(one) !== undefined]).toEqual([one.kind, stored]);
    }
    expect(api.strategyOf({ group: 'apps', version: 'v1', kind: 'Deployment' })).toMatchObject({
      onCreate: { generation: 1, status: 'reset' },
      allowsUnconditionalUpdate: true,
    });
  });

  test('the columns of a kind are known by its group version', () => {
    expect(api.columnsOf({ group: '', version: 'v1', kind: 'Pod' })?.map((column) => column.name)).toEqual([
      'Name',
      'Ready',
      'Status',
      'Restarts',
      'Age',
      'IP',
      'Node',
      'Nominated Node',
      'Readiness Gates',
    ]);
    expect(api.columnsOf({ group: 'ex.io', version: 'v1', kind: 'Pod' })).toBeUndefined();
  });

  test('a message is found by schema name and by its own name', () => {
    const fields = api.messageOf('io.k8s.api.core.v1.Pod');
    expect(fields?.map(({ name, number, label }) => [name, number, label])).toEqual([
      ['metadata', 1, 'opt'],
      ['spec', 2, 'opt'],
      ['status', 3, 'opt'],
    ]);
    expect(api.messageOf('k8s.io.api.core.v1.Pod')).toBe(fields);
    expect(api.messageOf('io.k8s.api.core.v1.Nothing')).toBeUndefined();
    expect(api.messageOf('constructor')).toBeUndefined();
  });

  test('a field has its JSON name where protobuf has another one', () => {
    const [, webhooks] =
      api.messageOf('io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration') ?? [];
    expect(webhooks).toEqual({
      protobufName: 'Webhooks',
      name: 'webhooks',
      number: 2,
      type: 'k8s.io.api.admissionregistration.v1.MutatingWebhook',
      label: 'rep',
      emission: 'omit',
    });
  });

  test('every resource has a message, also those of the staging repositories with other package names', () => {
    for (const one of api.resources) {
      expect([one.kind, api.messageOf(one.definitionName) !== undefined]).toEqual([one.kind, true]);
    }
    expect(Object.keys(api.specialMessages)).toContain('k8s.io.apimachinery.pkg.apis.meta.v1.Time');
  });
});

test('every path member is a document name, a parameter set or an operation', () => {
  let operations = 0;
  for (const path of Object.values(api.openApi.paths)) {
    for (const name of Object.keys(path)) {
      if (name === 'd' || name === 'p') continue;
      const method = METHODS.find((one) => one === name);
      if (method === undefined) throw new Error(`unexpected member ${name}`);
      expect(operationOf(path, method)?.length).toBeGreaterThanOrEqual(5);
      operations++;
    }
  }
  expect(operations).toBe(814);
});

describe('other folders', () => {
  test('a folder of the same form is loaded by its URL, with or without a slash at the end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'built-in-'));
    const entry = { name: 'toys', singularName: 'toy', namespaced: true, kind: 'Toy', verbs: ['get'] };
    writeFileSync(
      join(folder, 'discovery-9.9.json'),
      JSON.stringify({
        kubernetes: '9.9.1',
        legacy: { '/api/v1': { groupVersion: 'v1', resources: [entry] } },
        behindSwitches: [],
        paths: [],
      }),
    );
    writeFileSync(join(folder, 'server-9.9.json'), JSON.stringify({ version: {}, health: {}, warnings: {} }));
    const other = loadBuiltInApi(pathToFileURL(folder));
    expect(other.kubernetes).toBe('9.9.1');
    expect(other.resources.map((one) => one.resource)).toEqual(['toys']);
    expect(() => other.openApi).toThrow('kubernetes-9.9.json');
  });

  test('a version without a folder is refused by name', () => {
    expect(() => loadBuiltInApi('1.1')).toThrow('no built-in API at');
  });
});

test('the README names every file of the folder', () => {
  const readme = readFileSync(new URL('../../../openapi/1.36/README.md', import.meta.url), 'utf8');
  for (const what of ['discovery', 'kubernetes', 'protobuf', 'strategies', 'tables', 'server']) {
    expect(readme).toContain(`\`${what}-1.36.json\``);
  }
});
