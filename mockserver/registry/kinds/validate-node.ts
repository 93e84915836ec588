/** Validation of nodes. Source: kubernetes apis/core/validation/validation.go, ValidateNode, ValidateNodeUpdate. */
import { type JsonObject, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { labelKeyProblems, labelValueProblems } from '../../ground/name-syntax.js';
import { itemsAt, partAt, partOrEmpty, textAt, textsAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { resourceAmount } from './resource-amount.js';
import { type KindValidation } from '../kind-validation.js';
import { CIDR_PROBLEM, parseCidr } from './validate-addresses.js';
import { EFFECTS } from './validate-pod-scheduling.js';

const specOf = (node: ApiObject): JsonObject => partOrEmpty(node, 'spec');

/** Errors place taints among metadata. */
function taints(found: Findings, node: ApiObject): void {
  const seen = new Set<string>();
  itemsAt(specOf(node), 'taints').forEach((taint, i) => {
    const at = `metadata.taints[${i}]`;
    const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')];
    found.problems(`${at}.key`, key, labelKeyProblems);
    const problems = labelValueProblems(value);
    if (problems.length > 0) found.invalid(`${at}.value`, value, problems.join(';'));
    found.among(taint, at, 'effect', EFFECTS, 'missing');
    if (seen.has(`${effect}/${key}`))
      found.add({
        reason: 'FieldValueDuplicate',
        field: at,
        value: { Key: key, Value: value, Effect: effect, TimeAdded: member(taint, 'timeAdded') ?? null },
        detail: 'taints must be unique by key and effect pair',
      });
    seen.add(`${effect}/${key}`);
  });
}

/** Names of resources follow a dot, not in brackets. */
function resources(found: Findings, node: ApiObject): void {
  for (const part of ['capacity', 'allocatable'])
    for (const [resource, value] of Object.entries(partOrEmpty(partAt(node, 'status'), part)))
      resourceAmount(found, resource, value, `status.${part}.${resource}`);
}

function podCidrs(found: Findings, node: ApiObject): void {
  const ranges = textsAt(specOf(node), 'podCIDRs');
  ranges.forEach((text, i) => {
    if (parseCidr(text) === undefined) found.invalid(`spec.podCIDRs[${i}]`, text, CIDR_PROBLEM);
  });
  if (ranges.length < 2) return;
  const families = new Set(ranges.map((text) => parseCidr(text)?.family));
  if (ranges.length > 2 || families.size < 2)
    found.invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
}

function addresses(found: Findings, node: ApiObject): void {
  const seen = new Set<string>();
  itemsAt(partAt(node, 'status'), 'addresses').forEach((one, i) => {
    const [type, address] = [textAt(one, 'type'), textAt(one, 'address')];
    if (seen.has(`${type} ${address}`)) found.duplicate(`status.addresses[${i}]`, one);
    seen.add(`${type} ${address}`);
  });
}

function changes(found: Findings, next: ApiObject, previous: ApiObject): void {
  const [now, before] = [specOf(next), specOf(previous)];
  const why = (name: string): string => `node updates may not change ${name} except from "" to valid`;
  const [ranges, had] = [textsAt(now, 'podCIDRs'), textsAt(before, 'podCIDRs')];
  if (had.length > 0) {
    if (had.length !== ranges.length) found.forbidden('spec.podCIDRs', why('podCIDR'));
    else
      had.forEach((one, i) => {
        if (one !== ranges[i]) found.forbidden('spec.podCIDRs', why('podCIDR'));
      });
  }
  const provider = textAt(before, 'providerID');
  if (provider !== '' && provider !== textAt(now, 'providerID'))
    found.forbidden('spec.providerID', why('providerID'));
}

function updated(found: Findings, next: ApiObject, previous: ApiObject): void {
  resources(found, next);
  addresses(found, next);
  changes(found, next, previous);
  taints(found, next);
  if (textAt(specOf(next), 'externalID') !== textAt(specOf(previous), 'externalID'))
    found.forbidden('spec.externalID', 'may not be updated');
}

function whole(found: Findings, node: ApiObject): void {
  taints(found, node);
  resources(found, node);
  podCidrs(found, node);
}

export const nodeValidation: KindValidation = {
  group: '',
  resource: 'nodes',
  create: whole,
  update(found, next, previous) {
    whole(found, next);
    updated(found, next, previous);
  },
  status(found, next, previous) {
    updated(found, next, previous);
  },
  warnings: (next) =>
    textAt(specOf(next), 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes'],
};
