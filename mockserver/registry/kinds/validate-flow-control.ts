/** Validation of FlowSchemas and PriorityLevelConfigurations. Source: kubernetes apis/flowcontrol/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { type KindValidation } from '../kind-validation.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function flowSchema(found: Findings, object: ApiObject): void {
  const spec = partOrEmpty(object, 'spec');
  const precedence = integerAt(spec, 'matchingPrecedence');
  const field = 'spec.matchingPrecedence';
  if (precedence <= 0) found.invalid(field, precedence, 'must be a positive value');
  if (precedence > 10000) found.invalid(field, precedence, 'must not be greater than 10000');
  if (precedence === 1 && nameOf(object) !== 'exempt')
    found.invalid(field, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  const method = partAt(spec, 'distinguisherMethod');
  if (method !== undefined && !['ByNamespace', 'ByUser'].includes(textAt(method, 'type')))
    found.notSupported('spec.distinguisherMethod.type', { Type: textAt(method, 'type') }, [
      'ByNamespace',
      'ByUser',
    ]);
  const level = textAt(partAt(spec, 'priorityLevelConfiguration'), 'name');
  if (level === '') found.required('spec.priorityLevelConfiguration.name', 'must reference a priority level');
  else found.problems('spec.priorityLevelConfiguration.name', level, dns1123SubdomainProblems);
  itemsAt(spec, 'rules').forEach((rule, i) => {
    flowRule(found, rule, `spec.rules[${i}]`);
  });
}

function flowRule(found: Findings, rule: JsonObject, at: string): void {
  const subjects = itemsAt(rule, 'subjects');
  if (subjects.length === 0) found.required(`${at}.subjects`, 'subjects must contain at least one value');
  subjects.forEach((subject, i) => {
    flowSubject(found, subject, `${at}.subjects[${i}]`);
  });
  const [resources, others] = [itemsAt(rule, 'resourceRules'), itemsAt(rule, 'nonResourceRules')];
  if (resources.length === 0 && others.length === 0)
    found.required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  resources.forEach((one, i) => {
    resourceRule(found, one, `${at}.resourceRules[${i}]`);
  });
  others.forEach((one, i) => {
    nonResourceRule(found, one, `${at}.nonResourceRules[${i}]`);
  });
}

const SUBJECTS: readonly (readonly [kind: string, member: string])[] = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
];

function flowSubject(found: Findings, subject: JsonObject, at: string): void {
  const kind = textAt(subject, 'kind');
  const own = SUBJECTS.find(([name]) => name === kind)?.[1];
  if (own === undefined) {
    found.notSupported(`${at}.kind`, kind, ['Group', 'ServiceAccount', 'User']);
    return;
  }
  const part = partAt(subject, own);
  const place = `${at}.${own}`;
  if (part === undefined) found.required(place, `${own} is required when subject kind is '${kind}'`);
  else if (own === 'serviceAccount') {
    const name = found.needs(part, place, 'name');
    if (name !== '' && name !== '*') found.problems(`${place}.name`, name, dns1123SubdomainProblems);
    const namespace = found.needs(part, place, 'namespace', 'must specify namespace for service account');
    if (namespace !== '') found.problems(`${place}.namespace`, namespace, dns1123LabelProblems);
  } else found.needs(part, place, 'name');
  for (const [name, other] of SUBJECTS)
    if (other !== own && isSet(subject, other))
      found.forbidden(`${at}.${other}`, `${other} is forbidden when subject kind is not '${name}'`);
}

function verbs(found: Findings, rule: JsonObject, at: string): void {
  const list = textsAt(rule, 'verbs');
  if (list.length === 0) found.required(`${at}.verbs`, 'verbs must contain at least one value');
  else if (list.includes('*')) {
    if (list.length > 1)
      found.invalid(`${at}.verbs`, list, "if '*' is present, must not specify other verbs");
  } else if (!list.every((verb) => VERBS.includes(verb))) found.notSupported(`${at}.verbs`, list, VERBS);
}

function resourceRule(found: Findings, rule: JsonObject, at: string): void {
  verbs(found, rule, at);
  for (const [name, what] of [
    ['apiGroups', 'api group'],
    ['resources', 'resource'],
  ] as const) {
    const list = textsAt(rule, name);
    if (list.length === 0) found.required(`${at}.${name}`, `resource rules must supply at least one ${what}`);
    else if (list.length > 1 && list.includes('*'))
      found.invalid(`${at}.${name}`, list, `if '*' is present, must not specify other ${what}s`);
  }
  const namespaces = textsAt(rule, 'namespaces');
  const field = `${at}.namespaces`;
  if (namespaces.length === 0 && !flagAt(rule, 'clusterScope'))
    found.required(field, 'resource rules that are not cluster scoped must supply at least one namespace');
  else if (namespaces.includes('*')) {
    if (namespaces.length > 1)
      found.invalid(field, namespaces, "if '*' is present, must not specify other namespaces");
  } else
    namespaces.forEach((name, i) => {
      for (const problem of dns1123LabelProblems(name))
        found.invalid(
          `${field}[${i}]`,
          name,
          `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
        );
    });
}

function nonResourceRule(found: Findings, rule: JsonObject, at: string): void {
  verbs(found, rule, at);
  const urls = textsAt(rule, 'nonResourceURLs');
  const field = `${at}.nonResourceURLs`;
  if (urls.length === 0) found.required(field, 'nonResourceURLs must contain at least one value');
  else if (urls.includes('*')) {
    if (urls.length > 1)
      found.invalid(field, urls, "if '*' is present, must not specify other non-resource URLs");
  } else
    urls.forEach((url, i) => {
      const problem = urlProblem(url);
      if (problem !== undefined) found.invalid(`${field}[${i}]`, url, problem);
    });
}

function urlProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  const stars = path.split('*').length - 1;
  return stars > 1 || (stars === 1 && !path.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}

export const flowSchemaValidation: KindValidation = {
  group: GROUP,
  resource: 'flowschemas',
  create: flowSchema,
  update(found, next) {
    flowSchema(found, next);
  },
};

function shares(found: Findings, part: JsonObject, at: string): void {
  if (integerAt(part, 'nominalConcurrencyShares') < 0)
    found.invalid(
      `${at}.nominalConcurrencyShares`,
      integerAt(part, 'nominalConcurrencyShares'),
      'must be a non-negative integer',
    );
}

function lendable(found: Findings, part: JsonObject, at: string): void {
  found.between(part, at, 'lendablePercent', 0, 100);
}

function priorityLevel(found: Findings, object: ApiObject): void {
  const spec = partOrEmpty(object, 'spec');
  const type = textAt(spec, 'type');
  const [exempt, limited] = [partAt(spec, 'exempt'), partAt(spec, 'limited')];
  if ((nameOf(object) === 'exempt') !== (type === 'Exempt'))
    found.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'");
  if (type === 'Exempt') {
    if (limited !== undefined) found.forbidden('spec.limited', 'must be nil if the type is not Limited');
    if (exempt !== undefined) {
      shares(found, exempt, 'spec.exempt');
      lendable(found, exempt, 'spec.exempt');
    }
  } else if (type === 'Limited') {
    if (exempt !== undefined) found.forbidden('spec.exempt', 'must be nil if the type is Limited');
    if (limited === undefined) found.required('spec.limited', 'must not be empty when type is Limited');
    else limitedLevel(found, limited, 'spec.limited');
  } else found.among(spec, 'spec', 'type', ['Exempt', 'Limited'], 'missing');
}

function limitedLevel(found: Findings, limited: JsonObject, at: string): void {
  shares(found, limited, at);
  const response = partOrEmpty(limited, 'limitResponse');
  const place = `${at}.limitResponse`;
  const queuing = partAt(response, 'queuing');
  const type = textAt(response, 'type');
  if (type === 'Reject') {
    if (queuing !== undefined)
      found.forbidden(`${place}.queuing`, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type === 'Queue') {
    if (queuing === undefined)
      found.required(`${place}.queuing`, 'must not be empty if limited.limitResponse.type is Limited');
    else queues(found, queuing, `${place}.queuing`);
  } else found.among(response, place, 'type', ['Queue', 'Reject'], 'missing');
  lendable(found, limited, at);
  if (isSet(limited, 'borrowingLimitPercent') && integerAt(limited, 'borrowingLimitPercent') < 0)
    found.invalid(
      `${at}.borrowingLimitPercent`,
      integerAt(limited, 'borrowingLimitPercent'),
      'if specified, must be a non-negative integer',
    );
}

const MOST_QUEUES = 10_000_000;
const HASH_BITS = 60;

function queues(found: Findings, queuing: JsonObject, at: string): void {
  const [length, count, hand] = ['queueLengthLimit', 'queues', 'handSize'].map((name) =>
    integerAt(queuing, name),
  ) as [number, number, number];
  if (length <= 0) found.invalid(`${at}.queueLengthLimit`, length, 'must be positive');
  if (count <= 0) found.invalid(`${at}.queues`, count, 'must be positive');
  else if (count > MOST_QUEUES)
    found.invalid(`${at}.queues`, count, `must not be greater than ${MOST_QUEUES}`);
  if (hand <= 0) found.invalid(`${at}.handSize`, hand, 'must be positive');
  else if (hand > count)
    found.invalid(`${at}.handSize`, hand, `should not be greater than queues (${count})`);
  else if (entropyBits(count, hand) > HASH_BITS)
    found.invalid(
      `${at}.handSize`,
      hand,
      `required entropy bits of deckSize ${count} and handSize ${hand} should not be greater than ${HASH_BITS}`,
    );
}

/** Bits needed to choose a hand. Source: apiserver util/shufflesharding. */
const entropyBits = (deck: number, hand: number): number =>
  Math.ceil(Array.from({ length: hand }, (_, i) => Math.log2(deck - i)).reduce((sum, bits) => sum + bits, 0));

export const priorityLevelConfigurationValidation: KindValidation = {
  group: GROUP,
  resource: 'prioritylevelconfigurations',
  create: priorityLevel,
  update(found, next) {
    priorityLevel(found, next);
  },
};
