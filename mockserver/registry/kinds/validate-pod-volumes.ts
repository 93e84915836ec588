/** Validation of the volumes of pods. Source: kubernetes apis/core/validation/validation.go, ValidateVolumes. */
import { type JsonObject, member } from '../../ground/json.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
} from '../../ground/name-syntax.js';
import { descendingPath, freePath, withoutBacksteps } from '../../schema/validation/file-paths.js';
import {
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, join } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { isNegative } from '../../schema/validation/quantities.js';
import { claimSpec } from './validate-claim-spec.js';
import { fieldReference, resourceReference } from './validate-pod-references.js';
import {
  azureDisk,
  flexVolume,
  fibreChannel,
  glusterfs,
  iscsi,
  localDriver,
  quobyte,
  needing,
  storageOs,
  withPartition,
} from './validate-volume-sources.js';

/** The volumes that are good, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

type SourceCheck = (found: Findings, source: JsonObject, at: string, volume: string) => void;

const FILE_MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const CLAIM_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
].sort();

/** In the order in which a server looks; with the name that errors about a second source give it. */
const SOURCES: readonly (readonly [member: string, check: SourceCheck, second?: string, own?: string])[] = [
  ['emptyDir', emptyDir],
  ['hostPath', hostPath],
  ['gitRepo', gitRepo],
  ['gcePersistentDisk', withPartition('pdName'), 'gcePersistentDisk', 'persistentDisk'],
  ['awsElasticBlockStore', withPartition('volumeID')],
  [
    'secret',
    (found, source, at) => {
      files(found, source, at, 'secretName');
    },
  ],
  ['nfs', nfs],
  [
    'iscsi',
    (found, source, at) => {
      iscsi(found, source, at, 'must be valid format starting with iqn, eui, or naa');
    },
  ],
  ['glusterfs', glusterfs],
  ['flocker', flocker],
  ['persistentVolumeClaim', needing('claimName')],
  ['rbd', rbd],
  ['cinder', localDriver('volumeID')],
  ['cephfs', monitors, 'cephFS'],
  ['quobyte', quobyte],
  ['downwardAPI', downwardApi, 'downwarAPI'],
  ['fc', fibreChannel],
  ['flexVolume', flexVolume],
  [
    'configMap',
    (found, source, at) => {
      files(found, source, at, 'name');
    },
  ],
  ['azureFile', needing('secretName', 'shareName')],
  ['vsphereVolume', needing('volumePath')],
  ['photonPersistentDisk', needing('pdID')],
  ['portworxVolume', needing('volumeID')],
  ['azureDisk', azureDisk],
  ['storageos', storageOs],
  ['projected', projected],
  ['scaleIO', needing('gateway', 'system', 'volumeName')],
  ['csi', csi],
  ['ephemeral', ephemeral],
  ['image', () => undefined],
];

/**
 * Shape: the volumes that are good, by name; mounts must name one of them.
 * @param podName of a pod, `''` in templates
 */
export function volumes(found: Findings, spec: JsonObject, at: string, podName: string): Volumes {
  const good = new Map<string, JsonObject>();
  itemsAt(spec, 'volumes').forEach((volume, i) => {
    const before = found.errors.length;
    const place = `${at}.volumes[${i}]`;
    const name = textAt(volume, 'name');
    volumeSource(found, volume, place, podName);
    if (name === '') found.required(`${place}.name`);
    else found.problems(`${place}.name`, name, dns1123LabelProblems);
    if (good.has(name)) found.duplicate(`${place}.name`, name);
    if (found.errors.length === before) good.set(name, volume);
    const claim = textAt(partAt(volume, 'persistentVolumeClaim'), 'claimName');
    if (podName !== '' && claim !== '' && ephemeralClaims(spec, podName).includes(claim)) {
      found.invalid(
        `${place}.persistentVolumeClaim.claimName`,
        claim,
        'must not reference a PVC that gets created for an ephemeral volume',
      );
    }
  });
  return good;
}

const ephemeralClaims = (spec: JsonObject, podName: string): readonly string[] =>
  itemsAt(spec, 'volumes')
    .filter((one) => isSet(one, 'ephemeral'))
    .map((one) => `${podName}-${textAt(one, 'name')}`);

function volumeSource(found: Findings, volume: JsonObject, at: string, podName: string): void {
  const name = textAt(volume, 'name');
  let sources = 0;
  for (const [type, check, second, own] of SOURCES) {
    const source = partAt(volume, type);
    if (source === undefined) continue;
    if (sources > 0) found.forbidden(`${at}.${second ?? type}`, 'may not specify more than 1 volume type');
    else {
      sources++;
      check(found, source, `${at}.${own ?? type}`, name);
      if (type === 'ephemeral' && podName !== '' && name !== '') {
        const claim = `${podName}-${name}`;
        for (const problem of dns1123SubdomainProblems(claim))
          found.invalid(`${at}.name`, name, `PVC name ${JSON.stringify(claim)}: ${problem}`);
      }
    }
    if (type === 'iscsi' && isSet(source, 'initiatorName')) {
      if (`${name}:${textAt(source, 'targetPortal')}`.length > 64) {
        found.invalid(
          `${at}.name`,
          name,
          'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
        );
      }
    }
  }
  if (sources === 0) found.required(at, 'must specify a volume type');
}

function emptyDir(found: Findings, source: JsonObject, at: string): void {
  const limit = member(source, 'sizeLimit') ?? null;
  if (limit !== null && isNegative(limit))
    found.forbidden(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function hostPath(found: Findings, source: JsonObject, at: string): void {
  const path = found.needs(source, at, 'path');
  if (path === '') return;
  withoutBacksteps(found, path, `${at}.path`);
  found.among(source, at, 'type', HOST_PATH_TYPES);
}

function gitRepo(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'repository');
  descendingPath(found, textAt(source, 'directory'), `${at}.directory`);
}

export function nfs(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'server');
  const path = found.needs(source, at, 'path');
  if (!path.startsWith('/')) found.invalid(`${at}.path`, path, 'must be an absolute path');
}

export function flocker(found: Findings, source: JsonObject, at: string): void {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')];
  if (name === '' && uuid === '') found.required(at, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    found.invalid(at, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (name.includes('/')) found.invalid(`${at}.datasetName`, name, "must not contain '/'");
}

export function monitors(found: Findings, source: JsonObject, at: string): void {
  if (listAt(source, 'monitors').length === 0) found.required(`${at}.monitors`);
}

export function rbd(found: Findings, source: JsonObject, at: string): void {
  monitors(found, source, at);
  found.needs(source, at, 'image');
}

function fileMode(found: Findings, object: JsonObject, at: string, name: string): void {
  if (!isSet(object, name)) return;
  const mode = integerAt(object, name);
  if (mode < 0 || mode > 0o777) found.invalid(join(at, name), mode, FILE_MODE);
}

function files(found: Findings, source: JsonObject, at: string, name: string): void {
  found.needs(source, at, name);
  fileMode(found, source, at, 'defaultMode');
  itemsAt(source, 'items').forEach((item, i) => {
    keyToPath(found, item, `${at}.items[${i}]`);
  });
}

function keyToPath(found: Findings, item: JsonObject, at: string): void {
  found.needs(item, at, 'key');
  freePath(found, found.needs(item, at, 'path'), `${at}.path`);
  fileMode(found, item, at, 'mode');
}

/** The places of its items are those of the whole volume. */
function downwardApi(found: Findings, source: JsonObject, at: string): void {
  fileMode(found, source, at, 'defaultMode');
  for (const item of itemsAt(source, 'items')) downwardFile(found, item, at);
}

function downwardFile(found: Findings, item: JsonObject, at: string): void {
  freePath(found, found.needs(item, at, 'path'), `${at}.path`);
  const [ofField, ofResource] = [partAt(item, 'fieldRef'), partAt(item, 'resourceFieldRef')];
  if (ofField !== undefined) {
    fieldReference(found, ofField, `${at}.fieldRef`, CLAIM_FIELDS);
    if (ofResource !== undefined)
      found.invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (ofResource !== undefined) resourceReference(found, ofResource, `${at}.resourceFieldRef`, true);
  else found.required(at, 'one of fieldRef and resourceFieldRef is required');
  fileMode(found, item, at, 'mode');
}

function csi(found: Findings, source: JsonObject, at: string): void {
  csiDriverName(found, textAt(source, 'driver'), `${at}.driver`);
  const secret = partAt(source, 'nodePublishSecretRef');
  if (secret === undefined) return;
  const name = textAt(secret, 'name');
  if (name === '') found.required(`${at}.nodePublishSecretRef.name`);
  else found.problems(`${at}.name`, name, dns1123SubdomainProblems);
}

/** Upper case is allowed; the length is that of a label. */
export function csiDriverName(found: Findings, name: string, field: string): void {
  if (name === '') {
    found.required(field);
    return;
  }
  if (name.length > 63) found.tooLong(field, 63);
  for (const problem of dns1123SubdomainProblems(name.toLowerCase())) found.invalid(field, name, problem);
}

/** Metadata of templates may have labels and annotations only. */
const TEMPLATE_METADATA: readonly (readonly [member: string, field: string])[] = [
  ['name', 'name'],
  ['generateName', 'generateName'],
  ['namespace', 'namespace'],
  ['selfLink', 'selfLink'],
  ['uid', 'uID'],
  ['resourceVersion', 'resourceVersion'],
  ['generation', 'generation'],
  ['creationTimestamp', 'creationTimestamp'],
  ['deletionTimestamp', 'deletionTimestamp'],
  ['deletionGracePeriodSeconds', 'deletionGracePeriodSeconds'],
  ['ownerReferences', 'ownerReferences'],
  ['finalizers', 'finalizers'],
  ['managedFields', 'managedFields'],
];

export function templateMetadata(found: Findings, metadata: JsonObject, at: string): void {
  for (const key of Object.keys(partOrEmpty(metadata, 'annotations'))) {
    for (const problem of labelKeyProblems(key.toLowerCase()))
      found.invalid(`${at}.annotations`, key, problem);
  }
  found.labels(partAt(metadata, 'labels'), `${at}.labels`);
  for (const [name, field] of TEMPLATE_METADATA) {
    const value = member(metadata, name) ?? null;
    if (value !== null && value !== '' && value !== 0) found.forbidden(`${at}.${field}`, 'cannot be set');
  }
}

function ephemeral(found: Findings, source: JsonObject, at: string): void {
  const template = partAt(source, 'volumeClaimTemplate');
  if (template === undefined) {
    found.required(`${at}.volumeClaimTemplate`);
    return;
  }
  templateMetadata(found, partOrEmpty(template, 'metadata'), `${at}.volumeClaimTemplate.metadata`);
  claimSpec(found, partOrEmpty(template, 'spec'), `${at}.volumeClaimTemplate.spec`);
}

function projected(found: Findings, source: JsonObject, at: string): void {
  fileMode(found, source, at, 'defaultMode');
  const paths = new Set<string>();
  const once = (path: string, owner: string): void => {
    if (path === '') return;
    if (paths.has(path)) found.invalid(at, owner, 'conflicting duplicate paths');
    paths.add(path);
  };
  itemsAt(source, 'sources').forEach((one, i) => {
    const place = `${at}.sources[${i}]`;
    let sources = 0;
    for (const type of ['secret', 'configMap']) {
      const part = partAt(one, type);
      if (part === undefined) continue;
      sources++;
      const name = found.needs(part, `${place}.${type}`, 'name');
      itemsAt(part, 'items').forEach((item, j) => {
        keyToPath(found, item, `${place}.${type}.items[${j}]`);
        once(textAt(item, 'path'), name);
      });
    }
    const downward = partAt(one, 'downwardAPI');
    if (downward !== undefined) {
      sources++;
      for (const item of itemsAt(downward, 'items')) {
        downwardFile(found, item, `${place}.downwardAPI`);
        once(textAt(item, 'path'), textAt(item, 'path'));
      }
    }
    const token = partAt(one, 'serviceAccountToken');
    if (token !== undefined) {
      sources++;
      serviceAccountToken(found, token, at, `${place}.serviceAccountToken`);
    }
    const bundle = partAt(one, 'clusterTrustBundle');
    if (bundle !== undefined) {
      sources++;
      trustBundle(found, bundle, `${place}.clusterTrustBundle`);
      once(textAt(bundle, 'path'), textAt(bundle, 'path'));
    }
    if (sources > 1) found.forbidden(place, 'may not specify more than 1 volume type per source');
  });
}

/** The path of the token stands, in errors, at the volume. */
function serviceAccountToken(found: Findings, token: JsonObject, volume: string, at: string): void {
  const seconds = integerAt(token, 'expirationSeconds');
  if (seconds < 600)
    found.invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32)
    found.invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds');
  const path = textAt(token, 'path');
  if (path === '') found.required(`${volume}.path`);
  else freePath(found, path, `${volume}.path`);
}

function trustBundle(found: Findings, bundle: JsonObject, at: string): void {
  const [named, signed] = [isSet(bundle, 'name'), isSet(bundle, 'signerName')];
  if (named && signed) found.invalid(at, bundle, 'only one of name and signerName may be used');
  else if (named) {
    if (textAt(bundle, 'name') === '') found.required(`${at}.name`, 'must be a valid object name');
    if (isSet(bundle, 'labelSelector')) {
      found.invalid(
        `${at}.labelSelector`,
        member(bundle, 'labelSelector') ?? null,
        'labelSelector must be unset if name is specified',
      );
    }
  } else if (signed) {
    if (textAt(bundle, 'signerName') === '')
      found.required(`${at}.signerName`, 'must be a valid signer name');
    labelSelector(found, partAt(bundle, 'labelSelector'), `${at}.labelSelector`);
  } else found.required(at, 'either name or signerName must be specified');
  freePath(found, found.needs(bundle, at, 'path'), `${at}.path`);
}
