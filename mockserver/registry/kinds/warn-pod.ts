/** Warnings about pods and templates of pods. Source: kubernetes api/pod/warnings.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { type ApiObject, generationOf } from '../../ground/object.js';
import { goQuote } from '../../ground/revision.js';
import {
  integerAt,
  isSet,
  itemsAt,
  keysAt,
  partAt,
  partOrEmpty,
  plainText,
  textAt,
} from '../../schema/validation/field-values.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { eachContainer } from './validate-pod-spec.js';
import { overlapWarnings } from './warn-volume-paths.js';
import { addressWarnings } from './warn-addresses.js';

/** Whether a create, or an update that counted. */
export const isNewGeneration = (next: ApiObject, previous: ApiObject | undefined): boolean =>
  previous === undefined || generationOf(next) !== generationOf(previous);

/** What stands at a path of names; an empty object where nothing does. */
export const partOfObject = (path: string, object: ApiObject): JsonObject =>
  path.split('.').reduce<JsonObject>((at, name) => partOrEmpty(at, name), object);

/** Warnings about the template at a path, of a create and of an update that metadata.generation counts. */
export const podTemplateWarnings =
  (path: string) =>
  (next: ApiObject, previous: ApiObject | undefined): readonly string[] =>
    isNewGeneration(next, previous) ? podWarnings(partOfObject(path, next), `${path}.`) : [];

/** @param prefix of paths: `''` for a pod, `spec.template.` for a template */
export function podWarnings(pod: JsonObject, prefix: string): readonly string[] {
  const spec = partOrEmpty(pod, 'spec');
  const at = `${prefix}spec`;
  return [
    ...placeWarnings(spec, at),
    ...annotationWarnings(pod, prefix),
    ...volumeWarnings(spec, at),
    ...overlapWarnings(itemsAt(spec, 'volumes')),
    ...listWarnings(spec, at),
    ...containerWarnings(pod, spec, prefix),
    ...portWarnings(spec, at),
    ...(integerAt(spec, 'terminationGracePeriodSeconds') < 0
      ? [
          `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(partAt(spec, 'affinity'), `${at}.affinity`),
    ...addressListWarnings(spec, at),
  ];
}

const label = (since: string, instead: string): string =>
  `deprecated since ${since}; use ${goQuote(instead)} instead`;
const NODE_LABELS: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': label('v1.17', 'topology.kubernetes.io/zone'),
  'failure-domain.beta.kubernetes.io/region': label('v1.17', 'topology.kubernetes.io/region'),
  'beta.kubernetes.io/instance-type': label('v1.17', 'node.kubernetes.io/instance-type'),
  'beta.kubernetes.io/os': label('v1.14', 'kubernetes.io/os'),
  'beta.kubernetes.io/arch': label('v1.14', 'kubernetes.io/arch'),
};
const deprecation = (key: string): string | undefined =>
  Object.hasOwn(NODE_LABELS, key) ? NODE_LABELS[key] : undefined;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function placeWarnings(spec: JsonObject, at: string): readonly string[] {
  const texts: string[] = [];
  for (const key of keysAt(spec, 'nodeSelector')) {
    const why = deprecation(key);
    if (why !== undefined) texts.push(`${at}.nodeSelector[${key}]: ${why}`);
  }
  const nodes = partAt(partAt(spec, 'affinity'), 'nodeAffinity');
  const terms = (list: readonly JsonObject[], placeOf: (i: number) => string): void => {
    list.forEach((term, i) => {
      itemsAt(term, 'matchExpressions').forEach((one, j) => {
        const why = deprecation(textAt(one, 'key'));
        if (why !== undefined)
          texts.push(`${placeOf(i)}.matchExpressions[${j}].key: ${textAt(one, 'key')} is ${why}`);
      });
    });
  };
  const field = `${at}.affinity.nodeAffinity`;
  terms(
    itemsAt(partAt(nodes, REQUIRED), 'nodeSelectorTerms'),
    (i) => `${field}.${REQUIRED}.nodeSelectorTerms[${i}]`,
  );
  terms(
    itemsAt(nodes, PREFERRED).map((one) => partOrEmpty(one, 'preference')),
    (i) => `${field}.${PREFERRED}[${i}].preference`,
  );
  itemsAt(spec, 'topologySpreadConstraints').forEach((one, i) => {
    const place = `${at}.topologySpreadConstraints[${i}]`;
    const key = textAt(one, 'topologyKey');
    const why = deprecation(key);
    if (why !== undefined) texts.push(`${place}.topologyKey: ${key} is ${why}`);
    if (!isSet(one, 'labelSelector')) texts.push(`${place}.labelSelector: ${NULL_SELECTOR}`);
  });
  return texts;
}

const NULL_SELECTOR = 'a null labelSelector results in matching no pod';

function affinityWarnings(affinity: JsonObject | undefined, at: string): readonly string[] {
  const texts: string[] = [];
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const part = partAt(affinity, kind);
    itemsAt(part, REQUIRED).forEach((one, i) => {
      if (!isSet(one, 'labelSelector'))
        texts.push(`${at}.${kind}.${REQUIRED}[${i}].labelSelector: ${NULL_SELECTOR}`);
    });
    itemsAt(part, PREFERRED).forEach((one, i) => {
      if (!isSet(partAt(one, 'podAffinityTerm'), 'labelSelector'))
        texts.push(`${at}.${kind}.${PREFERRED}[${i}].podAffinityTerm.labelSelector: ${NULL_SELECTOR}`);
    });
  }
  return texts;
}

const DEAD_ANNOTATIONS: readonly (readonly [key: string, why: string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];

const annotationsOf = (pod: JsonObject): JsonObject => partOrEmpty(partAt(pod, 'metadata'), 'annotations');

function annotationWarnings(pod: JsonObject, prefix: string): readonly string[] {
  const all = annotationsOf(pod);
  return DEAD_ANNOTATIONS.flatMap(([key, why]) =>
    isSet(all, key) ? [`${prefix}metadata.annotations[${key}]: ${why}`] : [],
  );
}

const OLD_VOLUMES: readonly (readonly [member: string, why: string, shown?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const volumeWarnings = (spec: JsonObject, at: string): readonly string[] =>
  itemsAt(spec, 'volumes').flatMap((volume, i) => [
    ...OLD_VOLUMES.flatMap(([name, why, shown]) =>
      isSet(volume, name) ? [`${at}.volumes[${i}].${shown ?? name}: ${why}`] : [],
    ),
    ...claimWarnings(
      partOrEmpty(partAt(partAt(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec'),
      `${at}.volumes[${i}].ephemeral.volumeClaimTemplate.spec`,
    ),
  ]);

/** Source: kubernetes api/persistentvolumeclaim/util.go. */
export function claimWarnings(spec: JsonObject, at: string): readonly string[] {
  const storage = member(partAt(partAt(spec, 'resources'), 'requests'), 'storage') ?? '0';
  return amountOf(storage) % 10n ** 9n === 0n
    ? []
    : [
        `${at}.resources.requests[storage]: fractional byte value ${goQuote(plainText(storage))} is invalid, must be an integer`,
      ];
}

function listWarnings(spec: JsonObject, at: string): readonly string[] {
  const texts: string[] = [];
  const twice = (list: string, name: string): void => {
    const seen = new Set<string>();
    itemsAt(spec, list).forEach((one, i) => {
      const text = textAt(one, name);
      if (seen.has(text)) texts.push(`${at}.${list}[${i}].${name}: duplicate ${name} ${goQuote(text)}`);
      seen.add(text);
    });
  };
  twice('hostAliases', 'ip');
  twice('imagePullSecrets', 'name');
  itemsAt(spec, 'imagePullSecrets').forEach((one, i) => {
    if (textAt(one, 'name') === '') texts.push(`${at}.imagePullSecrets[${i}].name: invalid empty name ""`);
  });
  return [...texts, ...fractional(partAt(spec, 'overhead'), `${at}.overhead`)];
}

function fractional(
  amounts: JsonObject | undefined,
  at: string,
  names = ['memory', 'ephemeral-storage'],
): readonly string[] {
  return names.flatMap((name) => {
    const value = member(amounts, name) ?? '0';
    return amountOf(value) % 10n ** 9n === 0n
      ? []
      : [`${at}[${name}]: fractional byte value ${goQuote(plainText(value))} is invalid, must be an integer`];
  });
}

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const USE_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function containerWarnings(pod: JsonObject, spec: JsonObject, prefix: string): readonly string[] {
  const texts: string[] = [];
  const notes = annotationsOf(pod);
  const note = (key: string, why: string): void => {
    if (isSet(notes, key)) texts.push(`${prefix}metadata.annotations[${key}]: ${why}`);
  };
  if (!isSet(partAt(spec, 'securityContext'), 'seccompProfile')) note(SECCOMP, USE_SECCOMP);
  eachContainer(spec, `${prefix}spec`, (container, at) => {
    const context = partAt(container, 'securityContext');
    const name = textAt(container, 'name');
    if (!isSet(context, 'seccompProfile')) note(`${SECCOMP_CONTAINER}${name}`, USE_SECCOMP);
    const armored =
      isSet(context, 'appArmorProfile') || isSet(partAt(spec, 'securityContext'), 'appArmorProfile');
    if (!armored)
      note(`${APP_ARMOR}${name}`, 'deprecated since v1.30; use the "appArmorProfile" field instead');
    const resources = partAt(container, 'resources');
    for (const resource of ['memory', 'ephemeral-storage']) {
      texts.push(...fractional(partAt(resources, 'limits'), `${at}.resources.limits`, [resource]));
      texts.push(...fractional(partAt(resources, 'requests'), `${at}.resources.requests`, [resource]));
    }
    const seen = new Set<string>();
    itemsAt(container, 'env').forEach((variable, i) => {
      const key = textAt(variable, 'name');
      const value = textAt(variable, 'value');
      const reference = `$(${key})`;
      const hides = isSet(variable, 'valueFrom') || value === reference || !value.includes(reference);
      if (seen.has(key) && hides)
        texts.push(
          `${at}.env[${i}]: hides previous definition of ${goQuote(key)}, which may be dropped when using apply`,
        );
      seen.add(key);
    });
  });
  return texts;
}

interface KnownPort {
  readonly field: string;
  readonly port: JsonObject;
}

function portWarnings(spec: JsonObject, at: string): readonly string[] {
  const texts: string[] = [];
  const known = new Map<string, KnownPort[]>();
  const named: string[] = [];
  const names = new Map<string, string>();
  eachContainer(spec, at, (container, place) => {
    itemsAt(container, 'ports').forEach((port, i) => {
      const field = `${place}.ports[${i}]`;
      const name = textAt(port, 'name');
      if (textAt(port, 'hostIP') !== '' && integerAt(port, 'hostPort') === 0)
        texts.push(`${field}: hostIP set without hostPort: ${goPort(port)}`);
      const key = `${integerAt(port, 'containerPort')}/${textAt(port, 'protocol')}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const why = portClash(port, other.port);
        if (why !== undefined) texts.push(`${field}: ${why} port definition with ${other.field}`);
      }
      known.set(key, [...others, { field, port }]);
      if (name === '') return;
      const other = names.get(name);
      if (other === undefined) names.set(name, field);
      else
        named.push(
          `${field}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
        );
    });
  });
  return [...texts, ...named];
}

/** As Go prints the struct. */
const goPort = (port: JsonObject): string =>
  `{Name:${textAt(port, 'name')} HostPort:${integerAt(port, 'hostPort')} ContainerPort:${integerAt(port, 'containerPort')} Protocol:${textAt(port, 'protocol')} HostIP:${textAt(port, 'hostIP')}}`;

function portClash(port: JsonObject, other: JsonObject): string | undefined {
  const [ip, otherIp] = [textAt(port, 'hostIP'), textAt(other, 'hostIP')];
  const [host, otherHost] = [integerAt(port, 'hostPort'), integerAt(other, 'hostPort')];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

const addressListWarnings = (spec: JsonObject, at: string): readonly string[] => [
  ...addressWarnings(partAt(spec, 'dnsConfig'), 'nameservers', `${at}.dnsConfig`),
  ...itemsAt(spec, 'hostAliases').flatMap((alias, i) =>
    addressWarnings(alias, 'ip', `${at}.hostAliases[${i}]`),
  ),
];
