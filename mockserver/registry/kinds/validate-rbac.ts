/** Validation of the kinds of rbac.authorization.k8s.io. Source: kubernetes apis/rbac/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1123SubdomainProblems, pathSegmentProblems } from '../../ground/name-syntax.js';
import { itemsAt, listAt, partAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { type KindValidation } from '../kind-validation.js';

const GROUP = 'rbac.authorization.k8s.io';

function rules(found: Findings, role: ApiObject, isNamespaced: boolean): void {
  itemsAt(role, 'rules').forEach((rule, i) => {
    const at = `rules[${i}]`;
    const has = (name: string): boolean => listAt(rule, name).length > 0;
    if (!has('verbs')) found.required(`${at}.verbs`, 'verbs must contain at least one value');
    if (has('nonResourceURLs')) {
      const urls = listAt(rule, 'nonResourceURLs');
      if (isNamespaced)
        found.invalid(`${at}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs');
      if (has('apiGroups') || has('resources') || has('resourceNames'))
        found.invalid(
          `${at}.nonResourceURLs`,
          urls,
          'rules cannot apply to both regular resources and non-resource URLs',
        );
      return;
    }
    if (!has('apiGroups'))
      found.required(`${at}.apiGroups`, 'resource rules must supply at least one api group');
    if (!has('resources'))
      found.required(`${at}.resources`, 'resource rules must supply at least one resource');
  });
}

function role(found: Findings, object: ApiObject): void {
  rules(found, object, true);
}

function clusterRole(found: Findings, object: ApiObject): void {
  rules(found, object, false);
  const aggregation = partAt(object, 'aggregationRule');
  if (aggregation === undefined) return;
  const selectors = itemsAt(aggregation, 'clusterRoleSelectors');
  const at = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    found.required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  selectors.forEach((selector, i) => {
    const before = found.errors.length;
    labelSelector(found, selector, `${at}[${i}]`);
    if (found.errors.length > before) found.invalid(`${at}[${i}]`, null, 'invalid label selector.');
  });
}

export const roleValidation: KindValidation = {
  group: GROUP,
  resource: 'roles',
  create: role,
  update: role,
};

export const clusterRoleValidation: KindValidation = {
  group: GROUP,
  resource: 'clusterroles',
  create: clusterRole,
  update: clusterRole,
};

function binding(found: Findings, object: ApiObject, isNamespaced: boolean): void {
  const reference = partOrEmpty(object, 'roleRef');
  found.among(reference, 'roleRef', 'apiGroup', [GROUP], 'bad');
  found.among(reference, 'roleRef', 'kind', isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'], 'bad');
  found.needsForm(reference, 'roleRef', 'name', pathSegmentProblems);
  itemsAt(object, 'subjects').forEach((subject, i) => {
    subjectErrors(found, subject, isNamespaced, `subjects[${i}]`);
  });
}

function subjectErrors(found: Findings, subject: JsonObject, isNamespaced: boolean, at: string): void {
  found.needs(subject, at, 'name');
  switch (textAt(subject, 'kind')) {
    case 'ServiceAccount':
      found.form(subject, at, 'name', dns1123SubdomainProblems);
      if (textAt(subject, 'apiGroup') !== '')
        found.notSupported(`${at}.apiGroup`, textAt(subject, 'apiGroup'), ['']);
      if (!isNamespaced) found.needs(subject, at, 'namespace');
      break;
    case 'User':
    case 'Group':
      found.among(subject, at, 'apiGroup', [GROUP], 'bad');
      break;
    default:
      found.notSupported(`${at}.kind`, textAt(subject, 'kind'), ['ServiceAccount', 'User', 'Group']);
  }
}

const bindingValidation = (resource: string, isNamespaced: boolean): KindValidation => ({
  group: GROUP,
  resource,
  create(found, object) {
    binding(found, object, isNamespaced);
  },
  update(found, next, previous) {
    binding(found, next, isNamespaced);
    if (jsonEqual(member(next, 'roleRef') ?? null, member(previous, 'roleRef') ?? null)) return;
    found.invalid('roleRef', partOrEmpty(next, 'roleRef'), 'cannot change roleRef');
  },
});

export const roleBindingValidation = bindingValidation('rolebindings', true);
export const clusterRoleBindingValidation = bindingValidation('clusterrolebindings', false);
