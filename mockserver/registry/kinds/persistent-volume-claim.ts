/** PersistentVolumeClaims: what a volume is filled from stands under two names. */
import { type JsonObject, member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';
import { without } from './members.js';

/** Source: kubernetes registry/core/persistentvolumeclaim/strategy.go; pkg/api/persistentvolumeclaim/util.go; KEP-1495. */
export const persistentVolumeClaimRules: KindRules = {
  group: '',
  resource: 'persistentvolumeclaims',
  prepareForCreate: (object) => withDataSources(object, undefined),
  prepareForUpdate: (next, previous, { subresource }) =>
    subresource === '' ? withDataSources(next, previous) : next,
};

const specOf = (claim: ApiObject | undefined): JsonObject | undefined => objectMember(claim, 'spec');

/**
 * An old dataSource that names anything but a claim or a snapshot is dropped, as is a reference into another namespace
 * (the feature is off by default); then each is made from the other.
 */
function withDataSources(claim: ApiObject, previous: ApiObject | undefined): ApiObject {
  const spec = specOf(claim);
  if (spec === undefined) return claim;
  const [hadSource, hadReference] = NAMES.map((name) => member(specOf(previous), name) !== undefined);
  const [givenSource, givenReference] = NAMES.map((name) => objectMember(spec, name));
  const reference = hadReference !== true && isElsewhere(givenReference) ? undefined : givenReference;
  const inUse = hadSource === true || hadReference === true;
  const keepsSource =
    reference !== undefined || inUse || givenSource === undefined || isKnownSource(givenSource);
  const source = keepsSource ? givenSource : undefined;
  const next = {
    dataSource: source ?? (isElsewhere(reference) ? undefined : referenceTo(reference)),
    dataSourceRef: reference ?? referenceTo(source),
  };
  if (next.dataSource === givenSource && next.dataSourceRef === givenReference) return claim;
  return {
    ...claim,
    spec: {
      ...without(spec, ...NAMES),
      ...(next.dataSource === undefined ? {} : { dataSource: next.dataSource }),
      ...(next.dataSourceRef === undefined ? {} : { dataSourceRef: next.dataSourceRef }),
    },
  };
}

const NAMES = ['dataSource', 'dataSourceRef'] as const;

const isElsewhere = (reference: JsonObject | undefined): boolean =>
  (stringMember(reference, 'namespace') ?? '') !== '';

function isKnownSource(source: JsonObject): boolean {
  const [group, kind] = [stringMember(source, 'apiGroup') ?? '', stringMember(source, 'kind')];
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}

/** The same source, without a namespace. */
function referenceTo(source: JsonObject | undefined): JsonObject | undefined {
  if (source === undefined) return undefined;
  const group = member(source, 'apiGroup');
  return {
    apiGroup: group ?? null,
    kind: member(source, 'kind') ?? '',
    name: member(source, 'name') ?? '',
  };
}
