/** Errors of CustomResourceDefinitions: fixtures/recorded/custom-resource-definition-errors.json, and of updates. */
import { readFileSync } from 'node:fs';
import { type FieldError, fieldErrorText, invalid } from '../../../../mockserver/ground/field-error.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { type ApiObject, nameOf } from '../../../../mockserver/ground/object.js';
import { customResourceDefinitionRules as rules } from '../../../../mockserver/registry/kinds/custom-resource-definition.js';
import { context, main, object } from './objects.js';

const recorded = JSON.parse(
  readFileSync(
    new URL('../../../../fixtures/recorded/custom-resource-definition-errors.json', import.meta.url),
    'utf8',
  ),
) as { cases: { name: string; given: ApiObject; causes: object[] }[] };

const causes = (errors: readonly FieldError[]): object[] =>
  errors.map((error) => ({ reason: error.reason, message: fieldErrorText(error), field: error.field }));

test.each(recorded.cases)('a create is judged as recorded: $name', ({ given, causes: wanted }) => {
  const crd = rules.prepareForCreate?.(given, context) ?? given;
  const name = nameOf(crd);
  const problems = rules.nameProblems?.(name, false, crd) ?? [];
  const errors = [
    ...problems.map((problem) => invalid('metadata.name', name, problem)),
    ...(rules.validateCreate?.(crd, main('apiextensions.k8s.io/v1')) ?? []),
  ];
  expect(causes(errors)).toEqual(wanted);
});

const version = (name: string, storage: boolean): JsonObject => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
});
const crd = (spec: JsonObject, status: JsonObject = {}): ApiObject =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { name: 'things.ex.io' },
    {
      spec: {
        group: 'ex.io',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [version('v1', true)],
        ...spec,
      },
      status,
    },
  );
const established = { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] };
const update = (next: ApiObject, previous: ApiObject): readonly string[] => {
  const request = main('apiextensions.k8s.io/v1');
  const prepared = rules.prepareForUpdate?.(next, previous, request, context) ?? next;
  const errors = rules.validateUpdate?.(prepared, previous, request) ?? [];
  return errors.map((error) => `${error.field}: ${fieldErrorText(error)}`);
};

test.each([
  ['scope', { scope: 'Cluster' }, ['spec.scope: Invalid value: "Cluster": field is immutable']],
  [
    'kind',
    { names: { plural: 'things', kind: 'Other' } },
    ['spec.names.kind: Invalid value: "Other": field is immutable'],
  ],
])('the %s of an established definition does not change', (_, spec, errors) => {
  expect(update(crd(spec), crd({}, established))).toEqual(errors);
});

test('they may change before', () => {
  expect(update(crd({ scope: 'Cluster' }), crd({}, { storedVersions: ['v1'] }))).toEqual([]);
});

test('the group never changes', () => {
  expect(update(crd({ group: 'other.io' }), crd({}, { storedVersions: ['v1'] }))).toEqual([
    'spec.group: Invalid value: "other.io": field is immutable',
  ]);
});

test('a stored version may not go', () => {
  expect(update(crd({ versions: [version('v2', true)] }), crd({}, established))).toEqual([
    'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
  ]);
});

test('a new storage version is remembered', () => {
  const next = crd({ versions: [version('v1', false), version('v2', true)] });
  const made = rules.prepareForUpdate?.(next, crd({}, established), main('v1'), context);
  expect(made?.['status']).toEqual({ ...established, storedVersions: ['v1', 'v2'] });
});

test('a missing approval that was missing before is let pass', () => {
  const names = { group: 'x.k8s.io' };
  const before = crd(names, { storedVersions: ['v1'] });
  expect(update(crd(names), before)).toEqual([]);
});
