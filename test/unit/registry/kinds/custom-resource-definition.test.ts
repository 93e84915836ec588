/** Registration, deletion and versions of CustomResourceDefinitions, as recorded from kube-apiserver 1.36.3. */
import { type JsonObject, objectMember } from '../../../../mockserver/ground/json.js';
import { type ApiObject, finalizersOf, nameOf } from '../../../../mockserver/ground/object.js';
import { StatusError } from '../../../../mockserver/ground/status.js';
import {
  CLEANUP_FINALIZER,
  customResourceDefinitionRules as rules,
  withInstanceDeletion,
  withInstancesGone,
} from '../../../../mockserver/registry/kinds/custom-resource-definition.js';
import { registrationStep } from '../../../../mockserver/registry/kinds/custom-resource-definition-registration.js';
import {
  admitCustomResource,
  isEstablished,
  isServed,
  servedVersionsOf,
  storageVersionHash,
} from '../../../../mockserver/registry/kinds/custom-resource-definition-versions.js';
import { compareVersions } from '../../../../mockserver/registry/kinds/version-order.js';
import { NOW, context, object } from './objects.js';

const version = (name: string, members: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...members,
});

function created(plural: string, names: JsonObject, spec: JsonObject = {}): ApiObject {
  const sent = object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { name: `${plural}.kinds.example` },
    {
      spec: {
        group: 'kinds.example',
        scope: 'Namespaced',
        names: { plural, ...names },
        versions: [version('v1', { storage: true })],
        ...spec,
      },
    },
  );
  return rules.prepareForCreate?.(sent, context) ?? sent;
}

function registered(crd: ApiObject, others: readonly ApiObject[] = []): readonly ApiObject[] {
  const steps = [crd];
  for (;;) {
    const next = registrationStep(steps.at(-1) ?? crd, others, NOW);
    if (next === undefined) return steps.slice(1);
    steps.push(next);
  }
}

const last = (steps: readonly ApiObject[]): ApiObject => {
  const step = steps.at(-1);
  if (step === undefined) throw new Error('no step');
  return step;
};

const things = created('kthings', { kind: 'KThing', shortNames: ['kt'], categories: ['all'] });
const thingNames = {
  plural: 'kthings',
  singular: 'kthing',
  shortNames: ['kt'],
  kind: 'KThing',
  listKind: 'KThingList',
  categories: ['all'],
};
const condition = (type: string, status: string, reason: string, message: string): JsonObject => ({
  type,
  status,
  lastTransitionTime: NOW,
  reason,
  message,
});
const noConflicts = condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found');

test('a create fills in names and conversion and starts with no accepted names', () => {
  expect(objectMember(things, 'spec')).toMatchObject({ names: thingNames, conversion: { strategy: 'None' } });
  expect(things['status']).toEqual({
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: ['v1'],
  });
});

test('names are accepted first, then it is established', () => {
  expect(registered(things).map((step) => step['status'])).toEqual([
    {
      acceptedNames: thingNames,
      storedVersions: ['v1'],
      conditions: [
        noConflicts,
        condition('Established', 'False', 'Installing', 'the initial names have been accepted'),
      ],
    },
    {
      acceptedNames: thingNames,
      storedVersions: ['v1'],
      conditions: [
        noConflicts,
        condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted'),
      ],
    },
  ]);
});

describe('a definition whose names are taken', () => {
  const established = last(registered(things));
  const others = created('kothers', { kind: 'KOther', shortNames: ['kt'] });
  const more = created('kmores', { kind: 'KThing', singular: 'kthing', shortNames: ['kt', 'kthing'] });
  const notAccepted = condition('Established', 'False', 'NotAccepted', 'not all names are accepted');

  test('gets the other names', () => {
    const steps = registered(others, [established, others]);
    expect(steps).toHaveLength(1);
    expect(last(steps)['status']).toEqual({
      acceptedNames: { plural: 'kothers', singular: 'kother', kind: 'KOther', listKind: 'KOtherList' },
      storedVersions: ['v1'],
      conditions: [
        condition('NamesAccepted', 'False', 'ShortNamesConflict', '"kt" is already in use'),
        notAccepted,
      ],
    });
  });

  test('is told of the last conflict', () => {
    const status = last(registered(more, [established]))['status'];
    expect(status).toMatchObject({
      acceptedNames: { plural: 'kmores', kind: '' },
      conditions: [
        { reason: 'ListKindConflict', message: '"KThingList" is already in use' },
        { reason: 'NotAccepted' },
      ],
    });
  });

  test('is established when they come free', () => {
    const refused = last(registered(others, [established]));
    const steps = registered(refused, [refused]);
    expect(steps.map((step) => objectMember(step, 'status')?.['conditions'])).toMatchObject([
      [{ reason: 'NoConflicts' }, { reason: 'Installing' }],
      [{ reason: 'NoConflicts' }, { reason: 'InitialNamesAccepted' }],
    ]);
  });

  test('conflicts with its own accepted singular', () => {
    const refused = last(registered(more, [established]));
    const freed = registrationStep(refused, [last(registered(others))], NOW);
    expect(freed?.['status']).toMatchObject({ conditions: [{ message: '"kt" is already in use' }, {}] });
    expect(freed && registrationStep(freed, [last(registered(others))], NOW)?.['status']).toMatchObject({
      conditions: [{ message: '["kt" is already in use, "kthing" is already in use]' }, {}],
    });
  });

  test('is not disturbed by another group', () => {
    const elsewhere = {
      ...established,
      spec: { ...objectMember(established, 'spec'), group: 'other.example' },
    };
    expect(isEstablished(last(registered(others, [elsewhere])))).toBe(true);
  });
});

test('a definition of a protected group is judged by its annotation', () => {
  const crd = created('kthings', { kind: 'KThing' }, { group: 'x.k8s.io' });
  const approved = {
    ...crd,
    metadata: { ...crd.metadata, annotations: { 'api-approved.kubernetes.io': 'unapproved, x' } },
  };
  expect(objectMember(last(registered(approved)), 'status')?.['conditions']).toContainEqual(
    condition(
      'KubernetesAPIApprovalPolicyConformant',
      'False',
      'UnapprovedAnnotation',
      'not approved: "unapproved, x"',
    ),
  );
});

describe('deletion', () => {
  const established = last(registered(things));
  const held = rules.holdOnDelete?.(
    established,
    { gracePeriodSeconds: undefined, propagationPolicy: 'Orphan' },
    context,
  );
  const conditionsOf = (crd: ApiObject): unknown => objectMember(crd, 'status')?.['conditions'];

  test('holds the definition by its finalizer and says so', () => {
    expect(held && finalizersOf(held)).toEqual([CLEANUP_FINALIZER]);
    expect(held && conditionsOf(held)).toMatchObject([
      {},
      {},
      { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' },
    ]);
  });

  test('goes on to delete the objects, then lets go', () => {
    const deleting = withInstanceDeletion(held ?? established, NOW);
    expect(conditionsOf(deleting)).toMatchObject([{}, {}, { reason: 'InstanceDeletionInProgress' }]);
    const gone = withInstancesGone(deleting, NOW);
    expect(gone.metadata).toEqual({ name: nameOf(established) });
    expect(conditionsOf(gone)).toMatchObject([
      {},
      {},
      { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' },
    ]);
    expect(conditionsOf(withInstancesGone(things, NOW))).toMatchObject([{ reason: 'NeverEstablished' }]);
  });

  test('lets no new objects in', () => {
    const of = { group: 'kinds.example', resource: 'kthings' };
    expect(() => admitCustomResource(established, of, 'x')).not.toThrow();
    expect(() => admitCustomResource(held ?? established, of, 'x')).toThrow(
      new StatusError({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'kthings.kinds.example "x" is forbidden: create not allowed while custom resource definition is terminating',
      }),
    );
  });
});

test('a status update that empties the stored versions gets the storage version back', () => {
  const emptied = { ...things, status: { storedVersions: [] } };
  const request = { apiVersion: 'apiextensions.k8s.io/v1', subresource: 'status' };
  expect(rules.prepareForUpdate?.(emptied, things, request, context)['status']).toEqual({
    storedVersions: ['v1'],
  });
});

describe('served versions', () => {
  const crd = last(
    registered(
      created(
        'kthings',
        { kind: 'KThing', shortNames: ['kt'] },
        {
          versions: [
            version('v1beta1', { deprecated: true }),
            version('v1alpha1', { deprecated: true, deprecationWarning: 'gone soon' }),
            version('v0', { served: false }),
            version('v1', {
              storage: true,
              subresources: {
                status: {},
                scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
              },
              selectableFields: [{ jsonPath: '.spec.color' }],
              additionalPrinterColumns: [{ name: 'C', type: 'string', jsonPath: '.spec.color' }],
            }),
          ],
        },
      ),
    ),
  );

  test('come best first, with all that a resource table needs', () => {
    const [v1, ...older] = servedVersionsOf(crd);
    expect(v1).toEqual({
      group: 'kinds.example',
      version: 'v1',
      plural: 'kthings',
      singular: 'kthing',
      kind: 'KThing',
      listKind: 'KThingList',
      shortNames: ['kt'],
      categories: [],
      namespaced: true,
      storageVersion: 'v1',
      storageVersionHash: storageVersionHash('kinds.example', 'v1', 'KThing'),
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: undefined,
        },
      },
      deprecated: false,
      deprecationWarning: undefined,
      selectableFields: ['spec.color'],
      columns: [{ name: 'C', type: 'string', jsonPath: '.spec.color' }],
      schema: { type: 'object' },
      conversion: { strategy: 'None' },
    });
    expect(older.map((one) => [one.version, one.deprecationWarning])).toEqual([
      ['v1beta1', 'kinds.example/v1beta1 KThing is deprecated; use kinds.example/v1 KThing'],
      ['v1alpha1', 'gone soon'],
    ]);
  });

  test('are none before the names are accepted', () => {
    expect(servedVersionsOf(things)).toEqual([]);
    expect(isServed(things)).toBe(false);
  });

  test('are served once the names are accepted, and discovered once established', () => {
    const [accepted] = registered(things);
    expect(accepted && isServed(accepted)).toBe(true);
    expect(accepted && isEstablished(accepted)).toBe(false);
  });
});

test('the hash of a storage version is that of discovery', () => {
  expect(storageVersionHash('', 'v1', 'Pod')).toBe('xPOwRZ+Yhw8=');
});

test('versions are ordered as Kubernetes orders them', () => {
  const sorted = [
    'foo1',
    'v10',
    'v2',
    'v1beta2',
    'v1',
    'v11alpha2',
    'v3beta1',
    'foo10',
    'v12alpha1',
    'v10beta3',
    'v11beta2',
  ].sort(compareVersions);
  expect(sorted).toEqual([
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v1beta2',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ]);
});
