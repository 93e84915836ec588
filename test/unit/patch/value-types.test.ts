import { type FieldType, type StructType, type ValueType } from '../../../mockserver/patch/value-type.js';
import { DEFINITIONS, schemaOf, typeOf } from './built-in-types.js';

function fieldAt(type: StructType, path: string): FieldType {
  let field: FieldType | undefined;
  let at: ValueType | undefined = type;
  for (const name of path.split('.')) {
    while (at?.kind === 'list' || at?.kind === 'map') at = at.element;
    field = at?.kind === 'struct' ? at.fields.get(name) : undefined;
    at = field?.type;
  }
  if (field === undefined) throw new Error(`no field ${path}`);
  return field;
}

describe('types of built-in kinds', () => {
  test.each([
    ['merge by key', 'io.k8s.api.core.v1.Pod', 'spec.containers', 'merge', 'name'],
    ['merge by another key', 'io.k8s.api.core.v1.Pod', 'spec.containers.ports', 'merge', 'containerPort'],
    ['merge and retain keys', 'io.k8s.api.core.v1.Pod', 'spec.volumes', 'merge', 'name'],
    ['only retain keys', 'io.k8s.api.apps.v1.Deployment', 'spec.strategy', undefined, ''],
    ['merge as sets', 'io.k8s.api.core.v1.Node', 'metadata.finalizers', 'merge', ''],
    ['are replaced', 'io.k8s.api.policy.v1.PodDisruptionBudget', 'spec.selector', 'replace', ''],
    ['say nothing', 'io.k8s.api.core.v1.Pod', 'spec.tolerations', undefined, ''],
  ] as const)('say which fields %s', (_name, definition, path, strategy, mergeKey) => {
    expect(fieldAt(typeOf(definition), path)).toMatchObject({ strategy, mergeKey });
  });

  test('show the fields of embedded structs in their place', () => {
    const volume = fieldAt(typeOf('io.k8s.api.core.v1.Pod'), 'spec.volumes').type;
    const element = volume.kind === 'list' ? volume.element : volume;
    expect(element.kind === 'struct' && [...element.fields.keys()].slice(0, 3)).toEqual([
      'name',
      'hostPath',
      'emptyDir',
    ]);
  });

  test('have the fields of every kind that the schema has', () => {
    for (const definition of new Set(DEFINITIONS)) {
      const properties = schemaOf(definition)?.['properties'];
      const named = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
      expect([definition, [...typeOf(definition).fields.keys()].sort()]).toEqual([definition, named.sort()]);
    }
  });
});
