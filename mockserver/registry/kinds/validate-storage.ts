/** Validation of the kinds of storage.k8s.io. Source: kubernetes apis/storage/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1123SubdomainProblems, labelKeyProblems } from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { notNegative } from '../../schema/validation/quantities.js';
import { type KindValidation } from '../kind-validation.js';
import { csiDriverName } from './validate-pod-volumes.js';
import { volumeSpec } from './validate-volumes.js';

const GROUP = 'storage.k8s.io';
const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');
const MOST_PARAMETERS = 512;
const MOST_PARAMETER_BYTES = 256 * 1024;

export function parameters(found: Findings, all: JsonObject, mayBeEmpty: boolean): void {
  const entries = Object.entries(all);
  if (entries.length > MOST_PARAMETERS) {
    found.tooLong('parameters', MOST_PARAMETERS);
    return;
  }
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') found.invalid('parameters', key, 'field can not be empty.');
    size += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  if (size > MOST_PARAMETER_BYTES) found.tooLong('parameters', MOST_PARAMETER_BYTES);
  if (!mayBeEmpty && entries.length === 0)
    found.required('parameters', 'must contain at least one key/value pair');
}

function immutable(
  found: Findings,
  next: JsonObject,
  previous: JsonObject,
  at: string,
  name: string,
  shown = name,
): void {
  const [now, before] = [member(next, name) ?? null, member(previous, name) ?? null];
  if (!jsonEqual(now, before)) found.invalid(`${at}${shown}`, now, IMMUTABLE);
}

function storageClass(found: Findings, object: ApiObject): void {
  const provisioner = found.needs(object, '', 'provisioner');
  if (provisioner !== '') found.problems('provisioner', provisioner.toLowerCase(), labelKeyProblems);
  parameters(found, partOrEmpty(object, 'parameters'), true);
  if (textAt(object, 'reclaimPolicy') !== '') found.among(object, '', 'reclaimPolicy', ['Delete', 'Retain']);
  if (!isSet(object, 'volumeBindingMode')) found.required('volumeBindingMode');
  else found.among(object, '', 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer'], 'bad');
  const topologies = itemsAt(object, 'allowedTopologies');
  // A real server compares with as many terms without expressions, besides the earlier ones.
  const terms: string[] = topologies.map(() => '[]');
  topologies.forEach((term, i) => {
    const at = `allowedTopologies[${i}]`;
    topologyTerm(found, term, at);
    const shape = JSON.stringify(
      itemsAt(term, 'matchLabelExpressions')
        .map((one) => [textAt(one, 'key'), [...textsAt(one, 'values')].sort()])
        .sort(),
    );
    for (const other of terms) if (other === shape) found.duplicate(`${at}.matchLabelExpressions`, '');
    terms.push(shape);
  });
}

function topologyTerm(found: Findings, term: JsonObject, at: string): void {
  const keys = new Set<string>();
  itemsAt(term, 'matchLabelExpressions').forEach((one, i) => {
    const place = `${at}.matchLabelExpressions[${i}]`;
    const values = textsAt(one, 'values');
    if (values.length === 0) found.required(`${place}.values`);
    values.forEach((value, j) => {
      if (values.indexOf(value) < j) found.duplicate(`${place}.values[${j}]`, value);
    });
    const key = textAt(one, 'key');
    found.problems(`${place}.key`, key, labelKeyProblems);
    if (keys.has(key)) found.duplicate(`${place}.key`, key);
    keys.add(key);
  });
}

export const storageClassValidation: KindValidation = {
  group: GROUP,
  resource: 'storageclasses',
  create: storageClass,
  update(found, next, previous) {
    storageClass(found, next);
    for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'])
      immutable(found, next, previous, '', name);
  },
};

function csiDriver(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  for (const [name, shown] of [
    ['attachRequired', 'attachedRequired'],
    ['podInfoOnMount', 'podInfoOnMount'],
    ['storageCapacity', 'storageCapacity'],
  ] as const)
    if (!isSet(spec, name)) found.required(`spec.${shown}`);
  found.among(spec, 'spec', 'fsGroupPolicy', ['File', 'None', 'ReadWriteOnceWithFSType']);
  const audiences = new Set<string>();
  itemsAt(spec, 'tokenRequests').forEach((request, i) => {
    const at = `spec.tokenRequests[${i}]`;
    const audience = textAt(request, 'audience');
    if (audiences.has(audience)) {
      found.duplicate(`${at}.audience`, audience);
      return;
    }
    audiences.add(audience);
    if (!isSet(request, 'expirationSeconds')) return;
    const seconds = integerAt(request, 'expirationSeconds');
    if (seconds < 600)
      found.invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes');
    if (seconds > 2 ** 32)
      found.invalid(
        `${at}.expirationSeconds`,
        seconds,
        'may not specify a duration larger than 2^32 seconds',
      );
  });
  for (const mode of textsAt(spec, 'volumeLifecycleModes'))
    if (mode !== 'Persistent' && mode !== 'Ephemeral')
      found.notSupported('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']);
  if (
    isSet(spec, 'nodeAllocatableUpdatePeriodSeconds') &&
    integerAt(spec, 'nodeAllocatableUpdatePeriodSeconds') < 10
  )
    found.invalid(
      'spec.nodeAllocatableUpdatePeriodSeconds',
      integerAt(spec, 'nodeAllocatableUpdatePeriodSeconds'),
      'must be greater than or equal to 10 seconds',
    );
  if (isSet(spec, 'serviceAccountTokenInSecrets') && listAt(spec, 'tokenRequests').length === 0)
    found.invalid(
      'spec.serviceAccountTokenInSecrets',
      member(spec, 'serviceAccountTokenInSecrets') ?? null,
      'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    );
}

const TOKENS_IN_ATTRIBUTES =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

export const csiDriverValidation: KindValidation = {
  group: GROUP,
  resource: 'csidrivers',
  create: csiDriver,
  update(found, next, previous) {
    csiDriver(found, next);
    immutable(found, specOf(next), specOf(previous), 'spec.', 'attachRequired', 'attachedRequired');
    immutable(found, specOf(next), specOf(previous), 'spec.', 'volumeLifecycleModes');
  },
  warnings(next, previous) {
    const spec = specOf(next);
    const requests = listAt(spec, 'tokenRequests');
    if (requests.length === 0 || isSet(spec, 'serviceAccountTokenInSecrets')) return [];
    const before = previous === undefined ? [] : listAt(specOf(previous), 'tokenRequests');
    return jsonEqual(requests, before) ? [] : [TOKENS_IN_ATTRIBUTES];
  },
};

function csiNode(found: Findings, object: ApiObject): void {
  const names = new Set<string>();
  itemsAt(specOf(object), 'drivers').forEach((driver, i) => {
    const at = `spec.drivers[${i}]`;
    const name = textAt(driver, 'name');
    csiDriverName(found, name, `${at}.name`);
    const id = found.needs(driver, at, 'nodeID');
    if (id.length > 256) found.invalid(`${at}.nodeID`, id, 'must be 256 characters or less');
    found.nonNegative(partOrEmpty(driver, 'allocatable'), `${at}.allocatable`, 'count');
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
    const keys = new Set<string>();
    for (const key of textsAt(driver, 'topologyKeys')) {
      if (key === '') found.required(at);
      if (keys.has(key)) found.duplicate(at, key);
      keys.add(key);
      found.problems(at, key, labelKeyProblems);
    }
  });
}

export const csiNodeValidation: KindValidation = {
  group: GROUP,
  resource: 'csinodes',
  create: csiNode,
  update(found, next, previous) {
    csiNode(found, next);
    const plain = (driver: JsonObject): JsonObject => ({ ...driver, allocatable: null });
    for (const old of itemsAt(specOf(previous), 'drivers'))
      for (const driver of itemsAt(specOf(next), 'drivers'))
        if (textAt(driver, 'name') === textAt(old, 'name') && !jsonEqual(plain(driver), plain(old)))
          found.invalid('spec.drivers', shownDriver(driver), IMMUTABLE);
  },
};

const shownDriver = (driver: JsonObject): JsonObject => ({
  Name: textAt(driver, 'name'),
  NodeID: textAt(driver, 'nodeID'),
  TopologyKeys: member(driver, 'topologyKeys') ?? null,
  Allocatable: null,
});

function volumeAttachment(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  csiDriverName(found, textAt(spec, 'attacher'), 'spec.attacher');
  const source = partOrEmpty(spec, 'source');
  const inline = partAt(source, 'inlineVolumeSpec');
  const named = isSet(source, 'persistentVolumeName');
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && !named) found.required('spec.source', exactlyOne);
  else if (inline !== undefined && named) found.forbidden('spec.source', exactlyOne);
  else if (inline !== undefined) volumeSpec(found, inline, 'spec.source.inlineVolumeSpec', true);
  else if (textAt(source, 'persistentVolumeName') === '')
    found.required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName');
  found.problems('spec.nodeName', textAt(spec, 'nodeName'), dns1123SubdomainProblems);
  if (named)
    found.problems(
      'spec.source.persistentVolumeName',
      textAt(source, 'persistentVolumeName'),
      dns1123SubdomainProblems,
    );
}

export const volumeAttachmentValidation: KindValidation = {
  group: GROUP,
  resource: 'volumeattachments',
  create: volumeAttachment,
  update(found, next, previous) {
    volumeAttachment(found, next);
    const spec = specOf(next);
    if (jsonEqual(spec, specOf(previous))) return;
    found.invalid('spec', spec, IMMUTABLE);
  },
};

export const csiStorageCapacityValidation: KindValidation = {
  group: GROUP,
  resource: 'csistoragecapacities',
  create: storageCapacity,
  update(found, next, previous) {
    storageCapacity(found, next);
    immutable(found, next, previous, '', 'nodeTopology');
    immutable(found, next, previous, '', 'storageClassName');
  },
};

function storageCapacity(found: Findings, object: ApiObject): void {
  labelSelector(found, partAt(object, 'nodeTopology'), 'nodeTopology');
  found.problems('storageClassName', textAt(object, 'storageClassName'), dns1123SubdomainProblems);
  const capacity = member(object, 'capacity') ?? null;
  if (capacity !== null) notNegative(found, capacity, 'capacity');
}

export const volumeAttributesClassValidation: KindValidation = {
  group: GROUP,
  resource: 'volumeattributesclasses',
  create: attributesClass,
  update(found, next, previous) {
    for (const name of ['driverName', 'parameters'])
      if (!jsonEqual(member(next, name) ?? null, member(previous, name) ?? null))
        found.forbidden(name, `updates to ${name} are forbidden.`);
    attributesClass(found, next);
  },
};

function attributesClass(found: Findings, object: ApiObject): void {
  csiDriverName(found, textAt(object, 'driverName'), 'driverName');
  parameters(found, partOrEmpty(object, 'parameters'), false);
}
