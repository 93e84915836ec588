/** Validation of the spec of claims. Source: kubernetes apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec. */
import { type JsonObject, member } from '../../ground/json.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { partAt, partOrEmpty, textAt, textsAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { amountOf } from '../../schema/validation/quantities.js';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];
const ALONE = 'ReadWriteOncePod';

export function claimSpec(found: Findings, spec: JsonObject, at: string): void {
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) found.required(`${at}.accessModes`, 'at least 1 access mode is required');
  labelSelector(found, partAt(spec, 'selector'), `${at}.selector`);
  accessModes(found, modes, `${at}.accessModes`);
  const storage = member(partAt(partOrEmpty(spec, 'resources'), 'requests'), 'storage');
  const field = `${at}.resources[storage]`;
  if (storage === undefined || storage === null) found.required(field);
  else if (amountOf(storage) <= 0n) found.invalid(field, storage, 'must be greater than zero');
  found.form(spec, at, 'storageClassName', dns1123SubdomainProblems);
  found.among(spec, at, 'volumeMode', VOLUME_MODES);
  const [source, reference] = [partAt(spec, 'dataSource'), partAt(spec, 'dataSourceRef')];
  if (source !== undefined) dataSource(found, source, `${at}.dataSource`);
  if (reference !== undefined) {
    dataSource(found, reference, `${at}.dataSourceRef`);
    found.form(reference, `${at}.dataSourceRef`, 'namespace', dns1123LabelProblems);
  }
  if (source !== undefined && textAt(reference, 'namespace') !== '') {
    found.invalid(at, {}, 'may not be specified when dataSourceRef.namespace is specified');
  } else if (source !== undefined && reference !== undefined && !sameSource(source, reference)) {
    found.invalid(at, {}, 'must match dataSourceRef');
  }
  found.form(spec, at, 'volumeAttributesClassName', dns1123SubdomainProblems);
}

const sameSource = (a: JsonObject, b: JsonObject): boolean =>
  ['apiGroup', 'kind', 'name'].every((name) => textAt(a, name) === textAt(b, name));

export function accessModes(found: Findings, modes: readonly string[], field: string): void {
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) found.notSupported(field, mode, ACCESS_MODES);
  if (modes.includes(ALONE) && modes.some((mode) => mode !== ALONE && ACCESS_MODES.includes(mode)))
    found.forbidden(field, `may not use ${ALONE} with other access modes`);
}

function dataSource(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'name');
  const kind = found.needs(source, at, 'kind');
  const group = textAt(source, 'apiGroup');
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    found.invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  found.form(source, at, 'apiGroup', dns1123SubdomainProblems);
}
