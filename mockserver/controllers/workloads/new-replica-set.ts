/** The ReplicaSet of a Deployment's template: how it looks when it is made, and what it is told later. */
import { objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import { type ApiObject, EMPTY, nameOf, namespaceOf } from '../../ground/object.js';
import { controllerReference } from './controller-reference.js';
import {
  annotationsOf,
  DESIRED_REPLICAS,
  HASH_LABEL,
  MAX_REPLICAS,
  maxSurge,
  REVISION,
  REVISION_HISTORY,
  ROLLBACK_TO,
  templateOf,
  wantedReplicas,
  withAnnotations,
} from './deployment-facts.js';
import { specNumber } from './replicas.js';

const LONGEST_NAME = 253;
const LONGEST_HISTORY = 2000;

/** What of a deployment's annotations its sets do not share. */
const OWN_ANNOTATIONS: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  ROLLBACK_TO,
]);

export const isShared = (annotation: string): boolean => !OWN_ANNOTATIONS.has(annotation);

/** Source: kubernetes pkg/controller/deployment/sync.go, getNewReplicaSet. */
export function newReplicaSet(deployment: ApiObject, hash: string): ApiObject {
  const template = templateOf(deployment);
  const metadata = objectMember(template, 'metadata') ?? EMPTY;
  const labels = { ...objectMember(metadata, 'labels'), [HASH_LABEL]: hash };
  const selector = objectMember(objectMember(deployment, 'spec'), 'selector') ?? EMPTY;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${nameOf(deployment).slice(0, LONGEST_NAME - 1 - hash.length)}-${hash}`,
      namespace: namespaceOf(deployment),
      ownerReferences: [controllerReference(deployment)],
      labels,
    },
    spec: {
      replicas: 0,
      minReadySeconds: specNumber(deployment, 'minReadySeconds', 0),
      selector: {
        ...selector,
        matchLabels: { ...objectMember(selector, 'matchLabels'), [HASH_LABEL]: hash },
      },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}

/** The set with the deployment's annotations, and with a revision at least this high. */
export function withRevision(set: ApiObject, deployment: ApiObject, revision: number): ApiObject {
  const shared = Object.entries(annotationsOf(deployment)).filter(([name]) => isShared(name));
  const before = annotationsOf(set);
  const annotations: JsonObject = { ...before, ...Object.fromEntries(shared) };
  const known = stringMember(before, REVISION);
  const current = known === undefined ? 0 : Number(known);
  // A revision that nobody can read is left alone.
  if (Number.isNaN(current) || current >= revision) return withAnnotations(set, annotations);
  return withAnnotations(set, {
    ...annotations,
    [REVISION]: String(revision),
    ...(known === undefined
      ? {}
      : { [REVISION_HISTORY]: history(stringMember(before, REVISION_HISTORY) ?? '', known) }),
  });
}

/** Earlier revisions, the oldest forgotten where the text would grow too long. */
function history(before: string, revision: string): string {
  const revisions = before === '' ? [revision] : [...before.split(','), revision];
  while (revisions.length > 1 && revisions.join(',').length > LONGEST_HISTORY) revisions.shift();
  return revisions.join(',');
}

/** The set with what it is to know of the deployment's size. */
export const withSize = (set: ApiObject, deployment: ApiObject): ApiObject =>
  withAnnotations(set, {
    ...annotationsOf(set),
    [DESIRED_REPLICAS]: String(wantedReplicas(deployment)),
    [MAX_REPLICAS]: String(wantedReplicas(deployment) + maxSurge(deployment)),
  });
