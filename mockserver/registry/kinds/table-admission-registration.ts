/** The tables of webhook configurations, admission policies and their bindings. */
import { type JsonObject, type JsonValue, compareUtf8 } from '../../ground/json.js';
import { type Cell, lengthOf, objectAt, objectsAt, textAt, textsAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const group = 'admissionregistration.k8s.io';

const paramKind: Cell = (policy) => {
  const kind = objectAt(policy, 'spec', 'paramKind');
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
};

/** Whether a parameter is cluster-scoped cannot be told, so one without a namespace is shown as of any. */
const paramRef: Cell = (binding) => {
  const ref = objectAt(binding, 'spec', 'paramRef');
  const name = textAt(ref, 'name');
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`;
  const selector = objectAt(ref, 'selector');
  return selector === undefined ? '<unset>' : selectorDump(selector);
};

/** A selector as Go prints the generated type. Source: apimachinery meta/v1/generated.pb.go. */
function selectorDump(selector: JsonObject): string {
  const labels = objectAt(selector, 'matchLabels') ?? {};
  const pairs = Object.keys(labels)
    .sort(compareUtf8)
    .map((key) => `${key}: ${textAt(labels, key)},`);
  const expressions = objectsAt(selector, 'matchExpressions').map(
    (one) =>
      `LabelSelectorRequirement{Key:${textAt(one, 'key')},Operator:${operatorOf(one)},Values:${dump(one)},},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

const operatorOf = (requirement: JsonObject): string => textAt(requirement, 'operator');
const dump = (requirement: JsonValue): string => `[${textsAt(requirement, 'values').join(' ')}]`;

const webhooks = { Webhooks: lengthOf('webhooks') };

export const admissionRegistrationTables: readonly KindTable[] = [
  { group, kind: 'ValidatingWebhookConfiguration', cells: webhooks },
  { group, kind: 'MutatingWebhookConfiguration', cells: webhooks },
  {
    group,
    kind: 'ValidatingAdmissionPolicy',
    cells: { Validations: lengthOf('spec', 'validations'), ParamKind: paramKind },
  },
  { group, kind: 'ValidatingAdmissionPolicyBinding', cells: { ParamRef: paramRef } },
  {
    group,
    kind: 'MutatingAdmissionPolicy',
    cells: { Mutations: lengthOf('spec', 'mutations'), ParamKind: paramKind },
  },
  { group, kind: 'MutatingAdmissionPolicyBinding', cells: { ParamRef: paramRef } },
];
