/** Validation of PersistentVolumes and PersistentVolumeClaims. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject, type MutableJsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { isSet, partAt, partOrEmpty, textAt, textsAt } from '../../schema/validation/field-values.js';
import { withoutBacksteps } from '../../schema/validation/file-paths.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { type KindValidation } from '../kind-validation.js';
import { accessModes, claimSpec, VOLUME_MODES } from './validate-claim-spec.js';
import { nodeSelector } from './validate-pod-scheduling.js';
import { csiDriverName, flocker, hostPath, monitors, nfs, rbd } from './validate-pod-volumes.js';
import {
  azureDisk,
  fibreChannel,
  flexVolume,
  glusterfs,
  iscsi,
  needing,
  quobyte,
  secretName,
  storageOs,
  withPartition,
} from './validate-volume-sources.js';
import { claimWarnings } from './warn-pod.js';

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

type SourceCheck = (found: Findings, source: JsonObject, at: string) => void;

const SOURCES: readonly (readonly [member: string, check: SourceCheck, second?: string, own?: string])[] = [
  ['hostPath', hostPath],
  ['gcePersistentDisk', withPartition('pdName'), 'gcePersistentDisk', 'persistentDisk'],
  ['awsElasticBlockStore', withPartition('volumeID')],
  ['glusterfs', glusterfsVolume],
  ['flocker', flocker],
  ['nfs', nfs],
  ['rbd', rbd],
  ['quobyte', quobyte],
  ['cephfs', monitors, 'cephFS'],
  ['iscsi', iscsiVolume],
  ['cinder', cinder],
  ['fc', fibreChannel],
  ['flexVolume', flexVolume],
  ['azureFile', azureFile],
  ['vsphereVolume', needing('volumePath')],
  ['photonPersistentDisk', needing('pdID')],
  ['portworxVolume', needing('volumeID')],
  ['azureDisk', azureDisk],
  ['scaleIO', needing('gateway', 'system', 'volumeName')],
  ['local', local],
  ['storageos', storageOs],
  ['csi', csi],
];

function glusterfsVolume(found: Findings, source: JsonObject, at: string): void {
  glusterfs(found, source, at);
  if (!isSet(source, 'endpointsNamespace')) return;
  const name = textAt(source, 'endpointsNamespace');
  if (name === '')
    found.invalid(
      `${at}.endpointsNamespace`,
      '',
      'if the endpointnamespace is set, it must be a valid namespace name',
    );
  else found.problems(`${at}.endpointsNamespace`, name, dns1123LabelProblems);
}

function iscsiVolume(found: Findings, source: JsonObject, at: string): void {
  iscsi(found, source, at, 'must be valid format');
  secretName(found, source, at);
}

function cinder(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'volumeID');
  secretName(found, source, at, true);
}

function azureFile(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'secretName');
  found.needs(source, at, 'shareName');
  if (isSet(source, 'secretNamespace')) found.needs(source, at, 'secretNamespace');
}

function local(found: Findings, source: JsonObject, at: string): void {
  const path = found.needs(source, at, 'path');
  if (path !== '') withoutBacksteps(found, path, `${at}.path`);
}

function csi(found: Findings, source: JsonObject, at: string): void {
  csiDriverName(found, textAt(source, 'driver'), `${at}.driver`);
  found.needs(source, at, 'volumeHandle');
  for (const name of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ]) {
    const secret = partAt(source, name);
    if (secret === undefined) continue;
    found.needsForm(secret, `${at}.${name}`, 'name', dns1123SubdomainProblems);
    found.needsForm(secret, `${at}.${name}`, 'namespace', dns1123LabelProblems);
  }
}

/** @param inline in a VolumeAttachment, of which only some is used */
export function volumeSpec(found: Findings, spec: JsonObject, at: string, inline = false): void {
  const modes = textsAt(spec, 'accessModes');
  const capacity = partOrEmpty(spec, 'capacity');
  const amounts = Object.keys(capacity).length;
  const unwanted = 'may not be specified in the context of inline volumes';
  if (inline) {
    if (isSet(spec, 'claimRef')) found.forbidden(`${at}.claimRef`, unwanted);
    if (amounts > 0) found.forbidden(`${at}.capacity`, unwanted);
    if (!isSet(spec, 'csi'))
      found.required(`${at}.csi`, 'has to be specified in the context of inline volumes');
  }
  if (modes.length === 0) found.required(`${at}.accessModes`);
  accessModes(found, modes, `${at}.accessModes`);
  if (!inline) {
    if (amounts === 0) found.required(`${at}.capacity`);
    if (!isSet(capacity, 'storage') || amounts > 1)
      found.notSupported(`${at}.capacity`, capacity, ['storage']);
    for (const [resource, value] of Object.entries(capacity)) {
      const field = `${at}.capacity[${resource}]`;
      const amount = amountOf(value);
      if (amount < 0n) found.invalid(field, Number(amount / 10n ** 9n), 'must be a valid resource quantity');
      if (amount <= 0n) found.invalid(field, value, 'must be greater than zero');
    }
  }
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy');
  if (inline) {
    if (policy !== '' && policy !== 'Retain')
      found.forbidden(
        `${at}.persistentVolumeReclaimPolicy`,
        'may only be Retain in the context of inline volumes',
      );
    if (isSet(spec, 'nodeAffinity')) found.forbidden(`${at}.nodeAffinity`, unwanted);
  } else found.among(spec, at, 'persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain']);
  const placed = !inline && nodeAffinity(found, spec, `${at}.nodeAffinity`);
  sources(found, spec, at, placed);
  const path = textAt(partAt(spec, 'hostPath'), 'path').replace(/\/+(\.\/+)*/g, '/');
  if (path === '/' && policy === 'Recycle')
    found.forbidden(
      `${at}.persistentVolumeReclaimPolicy`,
      "may not be 'recycle' for a hostPath mount of '/'",
    );
  classes(found, spec, at, inline, unwanted);
}

function classes(found: Findings, spec: JsonObject, at: string, inline: boolean, unwanted: string): void {
  if (inline) {
    if (textAt(spec, 'storageClassName') !== '') found.forbidden(`${at}.storageClassName`, unwanted);
    if (isSet(spec, 'volumeMode') && textAt(spec, 'volumeMode') !== 'Filesystem')
      found.forbidden(
        `${at}.volumeMode`,
        'may not specify volumeMode other than Filesystem in the context of inline volumes',
      );
  } else {
    found.form(spec, at, 'storageClassName', dns1123SubdomainProblems);
    found.among(spec, at, 'volumeMode', VOLUME_MODES);
  }
  if (!isSet(spec, 'volumeAttributesClassName')) return;
  if (textAt(spec, 'volumeAttributesClassName') === '')
    found.required(`${at}.volumeAttributesClassName`, 'an empty string is disallowed');
  else found.form(spec, at, 'volumeAttributesClassName', dns1123SubdomainProblems);
  if (!isSet(spec, 'csi'))
    found.required(`${at}.csi`, 'has to be specified when using volumeAttributesClassName');
}

/** Shape: whether the volume says where it is. */
function nodeAffinity(found: Findings, spec: JsonObject, at: string): boolean {
  const affinity = partAt(spec, 'nodeAffinity');
  if (affinity === undefined) return false;
  const needed = partAt(affinity, 'required');
  if (needed === undefined) {
    found.required(`${at}.required`, 'must specify required node constraints');
    return true;
  }
  nodeSelector(found, needed, `${at}.required`);
  return true;
}

function sources(found: Findings, spec: JsonObject, at: string, placed: boolean): void {
  let count = 0;
  for (const [type, check, second, own] of SOURCES) {
    const source = partAt(spec, type);
    if (source === undefined) continue;
    // A server forgets to look here.
    if (count > 0 && type !== 'flexVolume') {
      found.forbidden(`${at}.${second ?? type}`, 'may not specify more than 1 volume type');
      continue;
    }
    count++;
    check(found, source, `${at}.${own ?? type}`);
    if (type === 'local' && !placed)
      found.required(`${at}.nodeAffinity`, 'Local volume requires node affinity');
  }
  if (count === 0) found.required(at, 'must specify a volume type');
}

const sourcesOf = (spec: JsonObject): JsonObject =>
  Object.fromEntries(SOURCES.map(([name]) => [name, member(spec, name) ?? null]));

function sameMode(found: Findings, now: JsonObject, before: JsonObject): void {
  const [mode, had] = [member(now, 'volumeMode') ?? null, member(before, 'volumeMode') ?? null];
  // The path of the error lacks `spec`.
  if (mode !== had) found.invalid('volumeMode', mode, IMMUTABLE);
}

export const persistentVolumeValidation: KindValidation = {
  group: '',
  resource: 'persistentvolumes',
  create(found, object) {
    volumeSpec(found, specOf(object), 'spec');
    lengthOfName(found, object);
  },
  update(found, next, previous) {
    const [now, before] = [specOf(next), specOf(previous)];
    // Once for all writes and once for this one, as a server does.
    volumeSpec(found, now, 'spec');
    volumeSpec(found, now, 'spec');
    if (!jsonEqual(sourcesOf(now), sourcesOf(before)))
      found.forbidden(
        'spec.persistentvolumesource',
        'spec.persistentvolumesource is immutable after creation\n',
        { goType: 'core.PersistentVolumeSource', before, after: now },
      );
    sameMode(found, now, before);
    if (isSet(before, 'volumeAttributesClassName') && !isSet(now, 'volumeAttributesClassName'))
      found.forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden');
  },
  warnings(object) {
    const spec = specOf(object);
    const notes = partAt(object.metadata, 'annotations');
    return [
      ...OLD_ANNOTATIONS.flatMap(([key, why]) =>
        isSet(notes, key) ? [`metadata.annotations[${key}]: ${why}`] : [],
      ),
      ...(textAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle'
        ? [
            'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
          ]
        : []),
      ...OLD_SOURCES.flatMap(([name, why]) =>
        isSet(spec, name) ? [`spec.${SHOWN[name] ?? name}: ${why}`] : [],
      ),
    ];
  },
};

const OLD_ANNOTATIONS = [
  [
    'volume.beta.kubernetes.io/storage-class',
    'deprecated since v1.8; use "storageClassName" attribute instead',
  ],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;
const OLD_SOURCES = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;
const SHOWN: Readonly<Record<string, string>> = { storageos: 'storageOS' };

function lengthOfName(found: Findings, object: ApiObject): void {
  const source = partAt(specOf(object), 'iscsi');
  const portal = textAt(source, 'targetPortal');
  if (isSet(source, 'initiatorName') && `${nameOf(object)}:${portal}`.length > 64)
    found.invalid(
      'spec.iscsi.targetportal',
      portal,
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    );
}

const requestOf = (spec: JsonObject): JsonObject => partOrEmpty(partAt(spec, 'resources'), 'requests');
const FROZEN =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** What a claim has got may be written down once: the spec as it was, with that. */
const withVolumeOf = (before: JsonObject, now: JsonObject): JsonObject =>
  textAt(before, 'volumeName') === '' && isSet(now, 'volumeName')
    ? { ...before, volumeName: textAt(now, 'volumeName') }
    : before;

/** The spec with what may change as it was. */
function comparable(next: ApiObject, previous: ApiObject): JsonObject {
  const [now, before] = [specOf(next), specOf(previous)];
  const spec: MutableJsonObject = { ...now };
  const keep = (name: string): void => {
    const value = member(before, name);
    if (value === undefined) Reflect.deleteProperty(spec, name);
    else spec[name] = value;
  };
  if (
    !isSet(before, 'storageClassName') &&
    !isSet(partAt(previous.metadata, 'annotations'), CLASS_ANNOTATION)
  )
    keep('storageClassName');
  if (textAt(partAt(next, 'status'), 'phase') === 'Bound') {
    const storage = member(requestOf(before), 'storage');
    if (isSet(partAt(now, 'resources'), 'requests') && storage !== undefined)
      spec['resources'] = { ...partOrEmpty(now, 'resources'), requests: { ...requestOf(now), storage } };
    keep('volumeAttributesClassName');
  }
  return spec;
}

export const persistentVolumeClaimValidation: KindValidation = {
  group: '',
  resource: 'persistentvolumeclaims',
  create(found, object) {
    claimSpec(found, specOf(object), 'spec');
  },
  update(found, next, previous) {
    const [now, before] = [specOf(next), specOf(previous)];
    claimSpec(found, now, 'spec');
    const [was, is] = [withVolumeOf(before, now), comparable(next, previous)];
    if (!jsonEqual(is, was))
      found.forbidden('spec', FROZEN, { goType: 'core.PersistentVolumeClaimSpec', before: was, after: is });
    const [size, had] = [
      member(requestOf(now), 'storage') ?? '0',
      member(requestOf(before), 'storage') ?? '0',
    ];
    if (amountOf(size) < amountOf(had)) {
      const capacity = member(partAt(partAt(previous, 'status'), 'capacity'), 'storage') ?? '0';
      if (amountOf(size) <= amountOf(capacity))
        found.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
    }
    sameMode(found, now, before);
    const inUse = isSet(partAt(previous, 'status'), 'currentVolumeAttributesClassName');
    const name = 'volumeAttributesClassName';
    if (inUse && !jsonEqual(member(now, name) ?? null, member(before, name) ?? null)) {
      if (!isSet(now, name))
        found.forbidden(
          `spec.${name}`,
          'update to nil is forbidden when status.currentVolumeAttributesClassName is not nil',
        );
      else if (textAt(now, name) === '')
        found.forbidden(
          `spec.${name}`,
          'update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil',
        );
    }
  },
  warnings: (next) => claimWarnings(specOf(next), 'spec'),
};
