/** The tables of persistent volumes and of claims on them. */
import { member, objectMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type Cell, isTerminating, objectAt, setOr, shownAt, textAt, textsAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

const phase: Cell = (object) => (isTerminating(object) ? 'Terminating' : textAt(object, 'status', 'phase'));

const storageClass: Cell = (object) => {
  const annotated = member(objectMember(object.metadata, 'annotations'), CLASS_ANNOTATION);
  return typeof annotated === 'string' ? annotated : textAt(object, 'spec', 'storageClassName');
};

/** The short forms, each once, in a fixed order. */
function modesText(modes: readonly string[]): string {
  return MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

const attributesClass = setOr('<unset>', 'spec', 'volumeAttributesClassName');
const volumeMode = setOr('<unset>', 'spec', 'volumeMode');
const isBound = (claim: ApiObject): boolean => textAt(claim, 'spec', 'volumeName') !== '';

export const persistentVolumeTable: KindTable = {
  group: '',
  kind: 'PersistentVolume',
  cells: {
    Capacity: setOr('0', 'spec', 'capacity', 'storage'),
    'Access Modes': (volume) => modesText(textsAt(volume, 'spec', 'accessModes')),
    'Reclaim Policy': (volume) => textAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
    Status: phase,
    Claim: (volume) => {
      const claim = objectAt(volume, 'spec', 'claimRef');
      return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
    },
    StorageClass: storageClass,
    VolumeAttributesClass: attributesClass,
    VolumeMode: volumeMode,
  },
};

export const persistentVolumeClaimTable: KindTable = {
  group: '',
  kind: 'PersistentVolumeClaim',
  cells: {
    Status: phase,
    Capacity: (claim) => (isBound(claim) ? (shownAt(claim, 'status', 'capacity', 'storage') ?? '0') : ''),
    'Access Modes': (claim) => (isBound(claim) ? modesText(textsAt(claim, 'status', 'accessModes')) : ''),
    StorageClass: storageClass,
    VolumeAttributesClass: attributesClass,
    VolumeMode: volumeMode,
  },
};
