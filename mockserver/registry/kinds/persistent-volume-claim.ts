/** PersistentVolumeClaims: what a volume is filled from stands under two names. */
import { type JsonObject, member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';

/** Source: kubernetes registry/core/persistentvolumeclaim/strategy.go; pkg/api/persistentvolumeclaim/util.go; KEP-1495. */
export const persistentVolumeClaimRules: KindRules = {
  group: '',
  resource: 'persistentvolumeclaims',
  prepareForCreate: (object) => withDataSources(object, undefined),
  prepareForUpdate: (next, previous, { subresource }) =>
    subresource === '' ? withDataSources(next, previous) : next,
};

const specOf = (claim: ApiObject | undefined): JsonObject | undefined => objectMember(claim, 'spec');

/** An old dataSource that names anything but a claim or a snapshot is dropped; then each name is made from the other. */
function withDataSources(claim: ApiObject, previous: ApiObject | undefined): ApiObject {
  const spec = specOf(claim);
  if (spec === undefined) return claim;
  const reference = objectMember(spec, 'dataSourceRef');
  const before = specOf(previous);
  const inUse = member(before, 'dataSource') !== undefined || member(before, 'dataSourceRef') !== undefined;
  const { dataSource: _, ...rest } = spec;
  let source = objectMember(spec, 'dataSource');
  if (source !== undefined && reference === undefined && !inUse && !isKnownSource(source)) {
    source = undefined;
  }
  if (source !== undefined && reference === undefined) {
    return { ...claim, spec: { ...spec, dataSourceRef: referenceTo(source) } };
  }
  if (source === undefined && reference !== undefined && (stringMember(reference, 'namespace') ?? '') === '') {
    return { ...claim, spec: { ...spec, dataSource: referenceTo(reference) } };
  }
  return source === objectMember(spec, 'dataSource') ? claim : { ...claim, spec: rest };
}

function isKnownSource(source: JsonObject): boolean {
  const [group, kind] = [stringMember(source, 'apiGroup') ?? '', stringMember(source, 'kind')];
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}

function referenceTo(source: JsonObject): JsonObject {
  const group = member(source, 'apiGroup');
  return {
    apiGroup: group ?? null,
    kind: member(source, 'kind') ?? '',
    name: member(source, 'name') ?? '',
  };
}
