/** Pods and their templates: what a pod spec is filled up with, and what only a pod itself is. */
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { mapShared } from '../../schema/member-order.js';
import { pullPolicyOf } from './defaults-image-tag.js';
import { withPodResources } from './defaults-pod-resources.js';
import { sortedByName, without } from './members.js';
import { type WrittenDefault } from './written-default.js';

const CORE = 'k8s.io.api.core.v1';

/** Source: kubernetes apis/core/v1/defaults.go and conversion.go. */
export const podDefaults: readonly WrittenDefault[] = [
  { message: `${CORE}.Pod`, fill: pod, rules: ['d075', 'd106', 'd109'] },
  { message: `${CORE}.PodTemplateSpec`, fill: withoutInitContainerAnnotations, rules: [] },
  { message: `${CORE}.PodSpec`, fill: withOneServiceAccount, rules: ['d072', 'd073'] },
  { message: `${CORE}.Container`, fill: container, rules: ['d087', 'd105'] },
  { message: `${CORE}.Volume`, fill: volume, rules: ['d110', 'd124'] },
];

function pod(object: JsonObject): JsonObject {
  const spec = objectMember(object, 'spec');
  if (spec === undefined) return withoutInitContainerAnnotations(object);
  let next = withRequests(spec);
  next = withPodResources(next);
  if (next['hostNetwork'] === true) next = eachContainer(next, withHostPorts);
  if ((numberMember(next, 'terminationGracePeriodSeconds') ?? 0) < 0) {
    next = { ...next, terminationGracePeriodSeconds: 1 };
  }
  return withoutInitContainerAnnotations(next === spec ? object : { ...object, spec: next });
}

/** The service account under both of its names; the newer one wins. */
function withOneServiceAccount(spec: JsonObject): JsonObject {
  const name = stringMember(spec, 'serviceAccountName') ?? '';
  const older = stringMember(spec, 'serviceAccount') ?? '';
  if (name === older) return spec;
  const chosen = name === '' ? older : name;
  return { ...spec, serviceAccountName: chosen, serviceAccount: chosen };
}

function container(object: JsonObject): JsonObject {
  if ((stringMember(object, 'imagePullPolicy') ?? '') !== '') return object;
  return { ...object, imagePullPolicy: pullPolicyOf(stringMember(object, 'image') ?? '') };
}

/** A volume without a source is an empty directory. */
function volume(object: JsonObject): JsonObject {
  let sources = 0;
  for (const name in object) if (name !== 'name' && Object.hasOwn(object, name)) sources++;
  if (sources === 0) return { ...object, emptyDir: {} };
  const image = objectMember(object, 'image');
  if (image === undefined || (stringMember(image, 'pullPolicy') ?? '') !== '') return object;
  const reference = stringMember(image, 'reference') ?? '';
  return { ...object, image: { ...image, pullPolicy: pullPolicyOf(reference) } };
}

/** Requests that are not given are those of the limits. */
function withRequests(spec: JsonObject): JsonObject {
  return eachContainer(spec, (one) => {
    const resources = objectMember(one, 'resources');
    const limits = objectMember(resources, 'limits');
    if (limits === undefined) return one;
    const requests = objectMember(resources, 'requests');
    const missing = Object.keys(limits).filter((name) => member(requests, name) === undefined);
    if (missing.length === 0) return one;
    return { ...one, resources: { ...inRequestOrder(resources ?? {}, { ...limits, ...requests }) } };
  });
}

/** limits, requests, claims. */
const inRequestOrder = ({ claims, ...rest }: JsonObject, requests: JsonObject): JsonObject => ({
  ...rest,
  requests: sortedByName(requests),
  ...(claims === undefined ? {} : { claims }),
});

function withHostPorts(one: JsonObject): JsonObject {
  const ports = member(one, 'ports');
  if (!isJsonArray(ports)) return one;
  const next = mapShared(ports, (port) => {
    if (!isJsonObject(port) || (numberMember(port, 'hostPort') ?? 0) !== 0) return port;
    const { name, ...rest } = port;
    return { ...(name === undefined ? {} : { name }), hostPort: member(port, 'containerPort') ?? 0, ...rest };
  });
  return next === ports ? one : { ...one, ports: next };
}

function eachContainer(spec: JsonObject, change: (one: JsonObject) => JsonObject): JsonObject {
  const changed = (value: JsonValue): JsonValue => (isJsonObject(value) ? change(value) : value);
  let next = spec;
  for (const name of ['initContainers', 'containers']) {
    const list = member(spec, name);
    if (!isJsonArray(list)) continue;
    const edited = mapShared(list, changed);
    if (edited !== list) next = { ...next, [name]: edited };
  }
  return next;
}

const INIT_CONTAINER_ANNOTATIONS = ['beta', 'alpha'].flatMap((stage) =>
  ['init-containers', 'init-container-statuses'].map((name) => `pod.${stage}.kubernetes.io/${name}`),
);

/** Annotations by which very old clients spoke of init containers are dropped. */
function withoutInitContainerAnnotations(object: JsonObject): JsonObject {
  const metadata = objectMember(object, 'metadata');
  const annotations = objectMember(metadata, 'annotations');
  if (metadata === undefined || annotations === undefined) return object;
  if (!INIT_CONTAINER_ANNOTATIONS.some((name) => Object.hasOwn(annotations, name))) return object;
  const kept = Object.entries(annotations).filter(([name]) => !INIT_CONTAINER_ANNOTATIONS.includes(name));
  if (kept.length === 0) return { ...object, metadata: without(metadata, 'annotations') };
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(kept) } };
}
