/** Validation of APIServices; their names are looked at with metadata. Source: kube-aggregator apis/apiregistration/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { isPort, PORT_PROBLEM } from '../../schema/validation/text-forms.js';
import { type KindValidation } from '../kind-validation.js';

function apiService(found: Findings, object: ApiObject): void {
  const spec: JsonObject = partOrEmpty(object, 'spec');
  const [group, version] = [textAt(spec, 'group'), textAt(spec, 'version')];
  if (group === '' && version !== 'v1')
    found.required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  if (group !== '') found.problems('spec.group', group, dns1123SubdomainProblems);
  found.problems('spec.version', version, dns1035LabelProblems);
  for (const [name, most] of [
    ['groupPriorityMinimum', 20000],
    ['versionPriority', 1000],
  ] as const) {
    const value = integerAt(spec, name);
    if (value <= 0 || value > most)
      found.invalid(`spec.${name}`, value, `must be positive and less than ${most}`);
  }
  const service = partAt(spec, 'service');
  const bundle = textAt(spec, 'caBundle');
  const insecure = flagAt(spec, 'insecureSkipTLSVerify');
  if (service === undefined) {
    if (bundle !== '')
      found.invalid(
        'spec.caBundle',
        `${Buffer.from(bundle, 'base64').length} bytes`,
        'local APIServices may not have a caBundle',
      );
    if (insecure)
      found.invalid(
        'spec.insecureSkipTLSVerify',
        true,
        'local APIServices may not have insecureSkipTLSVerify',
      );
    return;
  }
  found.needs(service, 'spec.service', 'namespace');
  found.needs(service, 'spec.service', 'name');
  const port = integerAt(service, 'port');
  if (!isPort(port)) found.invalid('spec.service.port', port, `port is not valid: ${PORT_PROBLEM}`);
  if (insecure && bundle !== '')
    found.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
}

export const apiServiceValidation: KindValidation = {
  group: 'apiregistration.k8s.io',
  resource: 'apiservices',
  create: apiService,
  update(found, next) {
    apiService(found, next);
  },
  status(found, next) {
    itemsAt(partAt(next, 'status'), 'conditions').forEach((condition, i) => {
      found.among(condition, `status.conditions[${i}]`, 'status', ['True', 'False', 'Unknown'], 'bad');
    });
  },
};
