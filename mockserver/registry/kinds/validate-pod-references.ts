/** References from pods to their own fields and resources. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { labelKeyProblems } from '../../ground/name-syntax.js';
import { textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { amountOf } from '../../schema/validation/quantities.js';

const SUBSCRIPTED = /^(.*)\['(.*)'\]$/;
/** Those that some version of a pod knows. */
const KNOWN = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

/** @param supported the paths that may be named here, without subscript */
export function fieldReference(
  found: Findings,
  reference: JsonObject,
  at: string,
  supported: readonly string[],
): void {
  const version = textAt(reference, 'apiVersion');
  if (version === '') {
    found.required(`${at}.apiVersion`);
    return;
  }
  const path = found.needs(reference, at, 'fieldPath');
  if (path === '') return;
  const field = `${at}.fieldPath`;
  const unusable = (why: string): void => {
    found.invalid(field, path, `error converting fieldPath: ${why}`);
  };
  if (version !== 'v1') {
    unusable(`unsupported pod version: ${version}`);
    return;
  }
  const [, base, subscript = ''] = SUBSCRIPTED.exec(path) ?? [];
  if (base !== undefined) {
    if (base !== 'metadata.annotations' && base !== 'metadata.labels')
      unusable(`field label does not support subscript: ${path}`);
    else {
      const key = base === 'metadata.annotations' ? subscript.toLowerCase() : subscript;
      found.problems(at, key, labelKeyProblems);
    }
    return;
  }
  const known = path === 'spec.host' ? 'spec.nodeName' : path;
  if (!KNOWN.has(known)) unusable(`field label not supported: ${path}`);
  else if (!supported.includes(known)) found.notSupported(field, known, supported);
}

const RESOURCES = ['cpu', 'ephemeral-storage', 'memory'];
const RESOURCE_FIELDS = ['limits', 'requests'].flatMap((one) => RESOURCES.map((name) => `${one}.${name}`));
const HUGE_PAGES = /^(limits|requests)\.hugepages-/;

/** @param elsewhere whether the container must be named */
export function resourceReference(
  found: Findings,
  reference: JsonObject,
  at: string,
  elsewhere: boolean,
): void {
  const resource = textAt(reference, 'resource');
  if (elsewhere && textAt(reference, 'containerName') === '') found.required(`${at}.containerName`);
  else if (resource === '') found.required(`${at}.resource`);
  else if (!RESOURCE_FIELDS.includes(resource) && !HUGE_PAGES.test(resource))
    found.notSupported(`${at}.resource`, resource, RESOURCE_FIELDS);
  divisor(found, resource, reference, `${at}.divisor`);
}

const BYTE_UNITS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const WHAT: Readonly<Record<string, string>> = {
  memory: 'memory',
  'ephemeral-storage': 'local ephemeral storage',
};

function divisor(found: Findings, resource: string, reference: JsonObject, field: string): void {
  const value = member(reference, 'divisor') ?? '0';
  if (amountOf(value) === 0n || typeof value !== 'string') return;
  const name = resource.replace(/^(limits|requests)\./, '');
  if (name === resource) return;
  if (name === 'cpu') {
    if (value !== '1m' && value !== '1')
      found.invalid(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    return;
  }
  const what = HUGE_PAGES.test(resource) ? 'hugepages' : WHAT[name];
  if (what !== undefined && !BYTE_UNITS.includes(value))
    found.invalid(
      field,
      resource,
      `only divisor's values ${BYTE_UNITS.join(', ')} are supported with the ${what} resource`,
    );
}
