/** Validation of pod templates and of annotations that speak of containers. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';
import { labelKeyProblems } from '../../ground/name-syntax.js';
import { isSet, keysAt, listAt, partAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { eachContainer, podSpec } from './validate-pod-spec.js';

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const ANNOTATIONS_LIMIT_BYTES = 256 * 1024;

/** @param at path of the template */
export function podTemplate(found: Findings, template: JsonObject, at: string): void {
  const metadata = partOrEmpty(template, 'metadata');
  const spec = partOrEmpty(template, 'spec');
  found.labels(partAt(metadata, 'labels'), `${at}.labels`);
  annotations(found, metadata, `${at}.annotations`);
  podAnnotations(found, metadata, spec, `${at}.annotations`);
  podSpec(found, spec, { at: `${at}.spec`, podName: undefined });
  if (listAt(spec, 'ephemeralContainers').length > 0)
    found.forbidden(`${at}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
}

export function annotations(found: Findings, metadata: JsonObject, field: string): void {
  let bytes = 0;
  for (const key of keysAt(metadata, 'annotations')) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(textAt(partAt(metadata, 'annotations'), key));
    for (const problem of labelKeyProblems(key.toLowerCase())) found.invalid(field, key, problem);
  }
  if (bytes > ANNOTATIONS_LIMIT_BYTES) found.tooLong(field, ANNOTATIONS_LIMIT_BYTES);
}

/** Annotations that mean something to the node. */
export function podAnnotations(found: Findings, metadata: JsonObject, spec: JsonObject, at: string): void {
  const all = partAt(metadata, 'annotations');
  if (all === undefined) return;
  for (const key of Object.keys(all)) {
    if (!key.startsWith(APP_ARMOR)) continue;
    const container = key.slice(APP_ARMOR.length);
    const profile = textAt(all, key);
    const names: string[] = [];
    eachContainer(spec, '', (one) => {
      names.push(textAt(one, 'name'));
    });
    if (!names.includes(container)) found.invalid(`${at}[${key}]`, container, 'container not found');
    const good = profile === '' || profile === 'runtime/default' || profile === 'unconfined';
    if (!good && !profile.startsWith('localhost/'))
      found.invalid(`${at}[${key}]`, profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
  }
  const cost = textAt(all, DELETION_COST);
  if (isSet(all, DELETION_COST) && !/^(0|-?[1-9]\d{0,9})$/.test(cost))
    found.invalid(`${at}[${DELETION_COST}]`, cost, 'must be a 32bit integer');
}

/** The selector of a workload must select its own pods. */
export function unmatched(found: Findings, template: JsonObject, at: string): void {
  found.invalid(
    `${at}.metadata.labels`,
    partAt(partAt(template, 'metadata'), 'labels') ?? null,
    '`selector` does not match template `labels`',
  );
}

/** Pods of most workloads restart always and have no deadline. */
export function restartsAlways(found: Findings, spec: JsonObject, at: string, owner: string): void {
  found.among(spec, at, 'restartPolicy', ['Always'], 'bad');
  if (isSet(spec, 'activeDeadlineSeconds'))
    found.forbidden(`${at}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${owner} is not Supported`);
}
