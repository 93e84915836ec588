/** Checks of volume sources that pods and persistent volumes share. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  isSet,
  keysAt,
  listAt,
  partAt,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, rangeProblem } from '../../schema/validation/findings.js';

type SourceCheck = (found: Findings, source: JsonObject, at: string) => void;

/** Texts that must be there. */
export const needing =
  (...names: readonly string[]): SourceCheck =>
  (found, source, at) => {
    for (const name of names) found.needs(source, at, name);
  };

/** A disk by name, with a partition. */
export const withPartition =
  (name: string): SourceCheck =>
  (found, source, at) => {
    found.needs(source, at, name);
    const partition = integerAt(source, 'partition');
    if (partition < 0 || partition > 255) found.invalid(`${at}.partition`, partition, rangeProblem(1, 255));
  };

/** A disk by name, with a secret that has a name. */
export const localDriver =
  (name: string): SourceCheck =>
  (found, source, at) => {
    found.needs(source, at, name);
    secretName(found, source, at);
  };

export function secretName(found: Findings, source: JsonObject, at: string, withNamespace = false): void {
  const secret = partAt(source, 'secretRef');
  if (secret === undefined) return;
  found.needs(secret, `${at}.secretRef`, 'name');
  if (withNamespace) found.needs(secret, `${at}.secretRef`, 'namespace');
}

const ISCSI_FORMS: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};
/** @param prefixDetail the words for a name that begins with none of the three prefixes */
export function iscsi(found: Findings, source: JsonObject, at: string, prefixDetail: string): void {
  found.needs(source, at, 'targetPortal');
  const name = found.needs(source, at, 'iqn');
  if (name !== '') iscsiName(found, name, `${at}.iqn`, prefixDetail);
  const lun = integerAt(source, 'lun');
  if (lun < 0 || lun > 255) found.invalid(`${at}.lun`, lun, rangeProblem(0, 255));
  const secret = partAt(source, 'secretRef');
  if ((flagAt(source, 'chapAuthDiscovery') || flagAt(source, 'chapAuthSession')) && secret === undefined)
    found.required(`${at}.secretRef`);
  if (isSet(source, 'initiatorName'))
    iscsiName(found, textAt(source, 'initiatorName'), `${at}.initiatorname`, prefixDetail);
}

function iscsiName(found: Findings, name: string, field: string, prefixDetail: string): void {
  const prefix = name.slice(0, 3);
  if (prefix !== 'iqn' && prefix !== 'eui' && prefix !== 'naa') found.invalid(field, name, prefixDetail);
  else if (ISCSI_FORMS[prefix]?.test(name) !== true) found.invalid(field, name, 'must be valid format');
}

export function fibreChannel(found: Findings, source: JsonObject, at: string): void {
  const [targets, ids] = [listAt(source, 'targetWWNs'), listAt(source, 'wwids')];
  const field = `${at}.targetWWNs`;
  if (targets.length === 0 && ids.length === 0)
    found.required(field, 'must specify either targetWWNs or wwids, but not both');
  if (targets.length > 0 && ids.length > 0)
    found.invalid(field, targets, 'targetWWNs and wwids can not be specified simultaneously');
  if (targets.length === 0) return;
  if (!isSet(source, 'lun')) found.required(`${at}.lun`, 'lun is required if targetWWNs is specified');
  else found.between(source, at, 'lun', 0, 255);
}

export function glusterfs(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'endpoints');
  found.needs(source, at, 'path');
}

export function quobyte(found: Findings, source: JsonObject, at: string): void {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  const registry = found.needs(source, at, 'registry', pairs);
  if (registry !== '') {
    if (textAt(source, 'tenant').length >= 65)
      found.required(`${at}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
    else
      for (const pair of registry.split(','))
        if (!/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) found.invalid(`${at}.registry`, registry, pairs);
  }
  found.needs(source, at, 'volume');
}

export function flexVolume(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'driver');
  for (const key of keysAt(source, 'options')) {
    const domain = `.${(key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase()}`;
    if (domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io'))
      found.invalid(`${at}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved');
  }
}

export function storageOs(found: Findings, source: JsonObject, at: string): void {
  found.needsForm(source, at, 'volumeName', dns1123LabelProblems);
  found.form(source, at, 'volumeNamespace', dns1123LabelProblems);
  secretName(found, source, at);
}

const MANAGED_URI =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function azureDisk(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'diskName');
  const uri = found.needs(source, at, 'diskURI');
  found.among(source, at, 'cachingMode', ['None', 'ReadOnly', 'ReadWrite']);
  found.among(source, at, 'kind', ['Dedicated', 'Managed', 'Shared']);
  if (member(source, 'kind') === 'Managed') {
    if (!uri.startsWith('/subscriptions/')) found.notSupported(`${at}.diskURI`, uri, [MANAGED_URI]);
  } else if (isSet(source, 'kind') && !uri.startsWith('https://')) {
    found.notSupported(`${at}.diskURI`, uri, [BLOB_URI]);
  }
}
