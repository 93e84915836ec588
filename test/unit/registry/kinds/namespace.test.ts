/** Namespaces: expectations recorded from kube-apiserver 1.36.3. */
import { fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { objectMember } from '../../../../mockserver/ground/json.js';
import { type ApiObject, finalizersOf } from '../../../../mockserver/ground/object.js';
import { StatusError } from '../../../../mockserver/ground/status.js';
import {
  admitIntoNamespace,
  admitUpdateInNamespace,
} from '../../../../mockserver/registry/kinds/namespace-lifecycle.js';
import { namespaceLifecycle } from '../../../../mockserver/registry/kinds/admission-namespace.js';
import { namespaceRules } from '../../../../mockserver/registry/kinds/namespace.js';
import { context, main, object } from './objects.js';

const namespace = (name: string, members = {}, metadata = {}): ApiObject =>
  object('v1', 'Namespace', { name, ...metadata }, members);
const request = (subresource: string) => ({ apiVersion: 'v1', subresource });
const active = namespace(
  'n',
  { spec: { finalizers: ['a/b', 'kubernetes'] }, status: { phase: 'Active' } },
  { labels: { 'kubernetes.io/metadata.name': 'n' } },
);
const terminating = namespace(
  'n',
  { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
  { deletionTimestamp: '2026-01-01T00:00:00Z' },
);

function statusOf(call: () => void): StatusError['status'] {
  try {
    call();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('a create appends the finalizer, sets the label and the phase', () => {
  const sent = namespace(
    'n',
    { spec: { finalizers: ['a/b'] }, status: { phase: 'Terminating' } },
    { labels: { 'kubernetes.io/metadata.name': 'zz', x: 'y' } },
  );
  expect(namespaceRules.prepareForCreate?.(sent, context)).toEqual(
    namespace(
      'n',
      { spec: { finalizers: ['a/b', 'kubernetes'] }, status: { phase: 'Active' } },
      { labels: { 'kubernetes.io/metadata.name': 'n', x: 'y' } },
    ),
  );
});

test('an update keeps finalizers, status and the label', () => {
  const sent = namespace('n', { spec: { finalizers: ['q/r'] }, status: { phase: 'Terminating' } });
  expect(namespaceRules.prepareForUpdate?.(sent, active, request(''), context)).toEqual(active);
});

test('finalize replaces spec.finalizers and keeps the status', () => {
  const sent = namespace('n', { spec: {}, status: { phase: 'Other' } });
  expect(namespaceRules.prepareForUpdate?.(sent, active, request('finalize'), context)).toEqual({
    ...active,
    spec: {},
  });
});

test.each([
  [
    'Terminating on an active one',
    active,
    'Terminating',
    "may only be 'Active' if `deletionTimestamp` is empty",
  ],
  [
    'Active on a terminating one',
    terminating,
    'Active',
    "may only be 'Terminating' if `deletionTimestamp` is not empty",
  ],
])('status refuses the phase %s', (_, stored, phase, why) => {
  const next = { ...stored, status: { phase } };
  const errors = namespaceRules.validateUpdate?.(next, stored, request('status')) ?? [];
  expect(errors.map((error) => `${error.field}: ${fieldErrorText(error)}`)).toEqual([
    `status.Phase: Invalid value: "${phase}": ${why}`,
  ]);
});

test.each([
  ['create', (next: ApiObject) => namespaceRules.validateCreate?.(next, main('v1')), 'spec.finalizers'],
  [
    'finalize',
    (next: ApiObject) => namespaceRules.validateUpdate?.(next, active, request('finalize')),
    'spec.finalizers[0]',
  ],
])('%s refuses a finalizer without a domain', (_, validate, field) => {
  const errors = validate(namespace('n', { spec: { finalizers: ['plain'] } })) ?? [];
  expect(errors.map((error) => [error.field, fieldErrorText(error)])).toEqual([
    [field, 'Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified'],
  ]);
});

test.each([
  ['nothing', {}, []],
  ['Orphan', { propagationPolicy: 'Orphan' }, ['orphan']],
  ['Foreground', { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
  ['Background', { propagationPolicy: 'Background' }, []],
  ['orphanDependents true', { orphanDependents: true }, ['orphan']],
  ['orphanDependents false', { orphanDependents: false }, ['foregroundDeletion']],
])(
  'the first delete with %s makes it Terminating and sets the collector’s finalizers',
  (_, wish, finalizers) => {
    const held = namespaceRules.holdOnDelete?.(active, { gracePeriodSeconds: 7, ...wish }, context);
    expect(held && objectMember(held, 'status')).toEqual({ phase: 'Terminating' });
    expect(held && finalizersOf(held)).toEqual(finalizers);
  },
);

test('it may be removed once its spec has no finalizers', () => {
  expect(namespaceRules.mayBeRemoved?.(terminating)).toBe(false);
  expect(namespaceRules.mayBeRemoved?.({ ...terminating, spec: {} })).toBe(true);
});

const asked = (name: string): (() => void) => {
  const object = namespace(name);
  return () =>
    namespaceLifecycle.validate?.(
      {
        operation: 'delete',
        of: { group: '', resource: 'namespaces' },
        subresource: '',
        namespace: '',
        name,
        object,
        previous: object,
        dryRun: false,
        warn: () => undefined,
      },
      { ...context, writeStatus: () => undefined },
    );
};

test.each(['default', 'kube-system', 'kube-public'])('%s may not be deleted', (name) => {
  expect(statusOf(asked(name))).toMatchObject({
    code: 403,
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    details: { name, kind: 'namespaces' },
  });
});

test('kube-node-lease may be deleted', () => {
  expect(asked('kube-node-lease')).not.toThrow();
});

describe('new objects', () => {
  const of = { group: '', resource: 'configmaps' };

  test('enter an active namespace', () => {
    expect(() => admitIntoNamespace(active, { namespace: 'n', of, objectName: 'c' })).not.toThrow();
  });

  test('need a namespace that exists', () => {
    const status = statusOf(() =>
      admitIntoNamespace(undefined, { namespace: 'absent', of, objectName: 'c' }),
    );
    expect(status).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "absent" not found',
      details: { name: 'absent', kind: 'namespaces' },
    });
    expect(statusOf(() => admitUpdateInNamespace(undefined, 'absent'))).toEqual(status);
  });

  test('do not enter a terminating one', () => {
    expect(
      statusOf(() => admitIntoNamespace(terminating, { namespace: 'n', of, objectName: 'c-' })),
    ).toMatchObject({
      code: 403,
      message:
        'configmaps "c-" is forbidden: unable to create new content in namespace n because it is being terminated',
      details: {
        name: 'c-',
        kind: 'configmaps',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace n is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });

  test('are let in when they are access reviews', () => {
    const reviews = { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews' };
    expect(() =>
      admitIntoNamespace(undefined, { namespace: 'x', of: reviews, objectName: '' }),
    ).not.toThrow();
  });
});
