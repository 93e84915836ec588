/** The tables of storage classes, drivers and what drivers say of a node. */
import {
  type Cell,
  lengthOf,
  nameOrDefault,
  objectsAt,
  setOr,
  textAt,
  textsAt,
  valueAt,
} from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const group = 'storage.k8s.io';
const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

const flagOr =
  (otherwise: boolean, ...path: readonly string[]): Cell =>
  (object) =>
    valueAt(object, path) ?? otherwise;

export const storageClassTable: KindTable = {
  group,
  kind: 'StorageClass',
  cells: {
    Name: nameOrDefault(({ metadata }) =>
      DEFAULT_CLASS.some((key) => textAt(metadata, 'annotations', key) === 'true'),
    ),
    ReclaimPolicy: setOr('Delete', 'reclaimPolicy'),
    VolumeBindingMode: setOr('Immediate', 'volumeBindingMode'),
    AllowVolumeExpansion: flagOr(false, 'allowVolumeExpansion'),
  },
};

export const csiDriverTable: KindTable = {
  group,
  kind: 'CSIDriver',
  cells: {
    AttachRequired: flagOr(true, 'spec', 'attachRequired'),
    TokenRequests: (driver) => {
      if (valueAt(driver, ['spec', 'tokenRequests']) === undefined) return '<unset>';
      return objectsAt(driver, 'spec', 'tokenRequests')
        .map((request) => textAt(request, 'audience'))
        .join(',');
    },
    Modes: (driver) => textsAt(driver, 'spec', 'volumeLifecycleModes').join(',') || '<none>',
  },
};

export const csiNodeTable: KindTable = {
  group,
  kind: 'CSINode',
  cells: { Drivers: lengthOf('spec', 'drivers') },
};
