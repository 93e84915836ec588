/** Validation of requests and limits. Source: kubernetes apis/core/validation/validation.go, validateResourceRequirements. */
import { type JsonObject, isJsonObject, member } from '../../ground/json.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import {
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  plainText,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { resourceAmount } from './resource-amount.js';
import {
  containerResourceProblems,
  isHugePage,
  mayOvercommit,
  resourceNameProblems,
} from './resource-names.js';

type NameCheck = (found: Findings, name: string, field: string) => void;

const containerName: NameCheck = (found, name, field) => {
  found.problems(field, name, containerResourceProblems);
};

const POD_RESOURCES = ['cpu', 'hugepages-', 'memory'];

const podName: NameCheck = (found, name, field) => {
  const problems = resourceNameProblems(name);
  for (const problem of problems) found.invalid(field, name, problem);
  if (problems.length === 0 && name !== 'cpu' && name !== 'memory' && !isHugePage(name))
    found.notSupported(field, name, POD_RESOURCES);
};

export function containerResources(
  found: Findings,
  container: JsonObject,
  at: string,
  claims: ReadonlySet<string>,
): void {
  const resources = partAt(container, 'resources');
  if (resources !== undefined) requirements(found, resources, `${at}.resources`, claims, containerName);
}

export function podResources(
  found: Findings,
  spec: JsonObject,
  at: string,
  claims: ReadonlySet<string>,
): void {
  const resources = partAt(spec, 'resources');
  if (resources === undefined) return;
  const field = `${at}.resources`;
  if (textAt(partAt(spec, 'os'), 'name') === 'windows') {
    found.forbidden(field, 'may not be set for a windows pod');
    return;
  }
  if (isSet(resources, 'claims'))
    found.forbidden(`${field}.claims`, 'claims may not be set for Resources at pod-level');
  requirements(found, resources, field, claims, podName);
  consistency(found, spec, resources, field);
}

/** Of `cpu` and `memory`, one must stand beside huge pages. */
const isCompute = (name: string): boolean => name === 'cpu' || name === 'memory';

function requirements(
  found: Findings,
  resources: JsonObject,
  at: string,
  claims: ReadonlySet<string>,
  name: NameCheck,
): void {
  const limits = partOrEmpty(resources, 'limits');
  const requests = partOrEmpty(resources, 'requests');
  let compute = false;
  let hugePages = false;
  const each = (part: string, resource: string, value: string): void => {
    const field = `${at}.${part}[${resource}]`;
    name(found, resource, field);
    resourceAmount(found, resource, value, field);
  };
  for (const [resource, value] of Object.entries(limits)) {
    const text = plainText(value);
    each('limits', resource, text);
    if (isHugePage(resource)) {
      hugePages = true;
      wholePages(found, resource, text, `${at}.limits[${resource}]`);
    }
    compute ||= isCompute(resource);
  }
  for (const [resource, value] of Object.entries(requests)) {
    const text = plainText(value);
    each('requests', resource, text);
    const limit = member(limits, resource);
    if (limit !== undefined) {
      const [asked, most] = [amountOf(text), amountOf(limit)];
      if (asked !== most && !mayOvercommit(resource)) {
        found.invalid(`${at}.requests`, text, `must be equal to ${resource} limit of ${plainText(limit)}`);
      } else if (asked > most) {
        found.invalid(
          `${at}.requests`,
          text,
          `must be less than or equal to ${resource} limit of ${plainText(limit)}`,
        );
      }
    } else if (!mayOvercommit(resource)) {
      found.required(`${at}.limits`, 'Limit must be set for non overcommitable resources');
    }
    if (isHugePage(resource)) {
      hugePages = true;
      wholePages(found, resource, text, at);
    }
    compute ||= isCompute(resource);
  }
  if (hugePages && !compute) found.forbidden(at, 'HugePages require cpu or memory');
  claimNames(found, resources, `${at}.claims`, claims);
}

function wholePages(found: Findings, resource: string, value: string, field: string): void {
  const size = amountOf(resource.slice('hugepages-'.length));
  if (size > 0n && amountOf(value) % size !== 0n)
    found.invalid(field, value, `${value} is not positive integer multiple of ${resource}`);
}

function claimNames(found: Findings, resources: JsonObject, at: string, known: ReadonlySet<string>): void {
  const names = new Set<string>();
  itemsAt(resources, 'claims').forEach((claim, i) => {
    const [name, request] = [textAt(claim, 'name'), textAt(claim, 'request')];
    const field = `${at}[${i}]`;
    if (name === '') {
      found.required(field);
      return;
    }
    if (names.has(name)) found.duplicate(field, name);
    else {
      if (request !== '') found.problems(`${field}.request`, request, dns1123LabelProblems);
      const key = request === '' ? name : `${name}/${request}`;
      if (names.has(key)) found.duplicate(field, key);
      else if (request === '') {
        for (const other of names) if (other.startsWith(`${name}/`)) found.duplicate(field, name);
      }
      names.add(key);
    }
    if (!known.has(name)) {
      const list = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
      found.notFound(field, name, `must be one of the names in pod.spec.resourceClaims${list}`);
    }
  });
}

/** Containers together may not ask for more than the pod; each may not have more than the pod may. */
function consistency(found: Findings, spec: JsonObject, resources: JsonObject, at: string): void {
  const containers = itemsAt(spec, 'containers');
  for (const [resource, value] of Object.entries(partOrEmpty(resources, 'requests'))) {
    const asked = containers
      .map((one) => member(partAt(partAt(one, 'resources'), 'requests'), resource))
      .filter((one) => typeof one === 'string');
    const sum = asked.reduce((total, one) => total + amountOf(one), 0n);
    if (sum > amountOf(value)) {
      const shown = asked.length === 1 ? String(asked[0]) : amountText(sum);
      found.invalid(
        `${at}.requests[${resource}]`,
        value,
        `must be greater than or equal to aggregate container requests of ${shown}`,
      );
    }
  }
  const limits = partOrEmpty(resources, 'limits');
  containers.forEach((container, i) => {
    const own = member(partAt(container, 'resources'), 'limits');
    if (!isJsonObject(own)) return;
    for (const [resource, value] of Object.entries(own)) {
      const most = member(limits, resource);
      if (most !== undefined && amountOf(value) > amountOf(most))
        found.invalid(
          `${at}.containers[${i}][${resource}].limits`,
          value,
          `must be less than or equal to pod limits of ${plainText(most)}`,
        );
    }
  });
}

/** A sum of billionths as a decimal quantity. */
function amountText(amount: bigint): string {
  const unit = 10n ** 9n;
  return amount % unit === 0n ? String(amount / unit) : `${amount / 10n ** 6n}m`;
}
