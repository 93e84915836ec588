/** PersistentVolumeClaimResize: a claim grows only where its class lets it. */
import { booleanMember, member, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { type AdmissionPlugin } from '../admission-plugin.js';
import { type KindContext } from '../kind-context.js';

const OF = { group: '', resource: 'persistentvolumeclaims' } as const;

const sizeOf = (claim: ApiObject): bigint =>
  amountOf(
    member(objectMember(objectMember(objectMember(claim, 'spec'), 'resources'), 'requests'), 'storage'),
  );

/** An annotation of old comes first. */
export const storageClassOf = (claim: ApiObject): string =>
  stringMember(objectMember(claim.metadata, 'annotations'), 'volume.beta.kubernetes.io/storage-class') ??
  stringMember(objectMember(claim, 'spec'), 'storageClassName') ??
  '';

/** Source: kubernetes plugin/pkg/admission/storage/persistentvolume/resize. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  resources: [OF],
  validate({ operation, subresource, name, object, previous }, context) {
    if (operation !== 'update' || subresource !== '' || previous === undefined) return;
    if (sizeOf(object) <= sizeOf(previous)) return;
    if (stringMember(objectMember(previous, 'status'), 'phase') !== 'Bound')
      throw forbiddenObject(OF, name, 'Only bound persistent volume claims can be expanded');
    if (!mayGrow(object, previous, context))
      throw forbiddenObject(
        OF,
        name,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
  },
};

function mayGrow(claim: ApiObject, previous: ApiObject, context: Pick<KindContext, 'find'>): boolean {
  const name = storageClassOf(claim);
  if (name === '' || name !== storageClassOf(previous)) return false;
  const found = context.find('storage.k8s.io', 'storageclasses', '', name);
  return booleanMember(found, 'allowVolumeExpansion') === true;
}
