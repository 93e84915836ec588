/** Validation of the environment of containers. Source: kubernetes apis/core/validation/validation.go, ValidateEnv. */
import { type JsonObject } from '../../ground/json.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { isSet, itemsAt, partAt, textAt } from '../../schema/validation/field-values.js';
import { withoutBacksteps } from '../../schema/validation/file-paths.js';
import { type Findings } from '../../schema/validation/findings.js';
import { environmentNameProblems, fileKeyProblems } from '../../schema/validation/text-forms.js';
import { maskTrailingDash } from './name-syntax.js';
import { fieldReference, resourceReference } from './validate-pod-references.js';

const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

export function environment(found: Findings, container: JsonObject, at: string): void {
  itemsAt(container, 'env').forEach((variable, i) => {
    const place = `${at}.env[${i}]`;
    found.needsForm(variable, place, 'name', environmentNameProblems);
    const source = partAt(variable, 'valueFrom');
    if (source !== undefined) valueSource(found, source, textAt(variable, 'value'), `${place}.valueFrom`);
  });
  itemsAt(container, 'envFrom').forEach((source, i) => {
    whole(found, source, `${at}.envFrom`, i);
  });
}

function valueSource(found: Findings, source: JsonObject, value: string, at: string): void {
  let sources = 0;
  const check = (name: string, look: (part: JsonObject, at: string) => void): void => {
    const part = partAt(source, name);
    if (part === undefined) return;
    sources++;
    look(part, `${at}.${name}`);
  };
  check('fieldRef', (part, place) => {
    fieldReference(found, part, place, FIELDS);
  });
  check('resourceFieldRef', (part, place) => {
    resourceReference(found, part, place, false);
  });
  for (const name of ['configMapKeyRef', 'secretKeyRef']) {
    check(name, (part, place) => {
      found.problems(`${place}.name`, textAt(part, 'name'), dns1123SubdomainProblems);
      found.needsForm(part, place, 'key', fileKeyProblems);
    });
  }
  check('fileKeyRef', (part, place) => {
    found.needsForm(part, place, 'key', environmentNameProblems);
    found.needsForm(part, place, 'volumeName', dns1123LabelProblems);
    const path = found.needs(part, place, 'path');
    if (path !== '') withoutBacksteps(found, path, `${place}.path`);
  });
  if (sources === 0) {
    found.invalid(
      at,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  } else if (value !== '') found.invalid(at, '', 'may not be specified when `value` is not empty');
  else if (sources > 1) found.invalid(at, '', 'may not have more than one field specified at a time');
}

/** What is wrong with a source as a whole stands, in errors, at the list. */
function whole(found: Findings, source: JsonObject, at: string, i: number): void {
  const place = `${at}[${i}]`;
  found.form(source, place, 'prefix', environmentNameProblems);
  let sources = 0;
  for (const name of ['configMapRef', 'secretRef']) {
    const part = partAt(source, name);
    if (part === undefined) continue;
    sources++;
    found.needsForm(part, `${place}.${name}`, 'name', (text) =>
      dns1123SubdomainProblems(maskTrailingDash(text)),
    );
  }
  if (sources === 0) found.invalid(at, '', 'must specify one of: `configMapRef` or `secretRef`');
  else if (sources > 1) found.invalid(at, '', 'may not have more than one field specified at a time');
}

/** Files that variables are read from must stand in empty directories of the pod. */
export function environmentFiles(
  found: Findings,
  container: JsonObject,
  at: string,
  volumes: readonly JsonObject[],
): void {
  itemsAt(container, 'env').forEach((variable, i) => {
    const reference = partAt(partAt(variable, 'valueFrom'), 'fileKeyRef');
    if (reference === undefined) return;
    const name = textAt(reference, 'volumeName');
    const field = `${at}.env[${i}].valueFrom.fileKeyRef.volumeName`;
    const volume = volumes.findLast((one) => textAt(one, 'name') === name);
    if (volume === undefined) found.notFound(field, name);
    else if (!isSet(volume, 'emptyDir'))
      found.invalid(field, name, 'referenced volume must be of type emptyDir');
  });
}
