/** The scale subresource of the built-in kinds that run pods. */
import { numberMember, objectMember } from '../../ground/json.js';
import { type GroupResource } from '../../ground/kind.js';
import { type ApiObject, editMetadata, nameOf, uidOf, withMetadata } from '../../ground/object.js';
import { conflict } from '../../ground/status.js';
import { type KindRules, type SubresourceView } from '../kind-rules.js';
import { type ReplicasPaths } from '../../patch/scale-ownership.js';
import { labelSelectorOf } from '../label-selector.js';
import { refuseScale, scaleOf, wantedReplicas } from '../scale.js';

/** The selector of the workload's pods as a text. */
type SelectorText = (object: ApiObject) => string;

const selectorOfSpec: SelectorText = (object) =>
  labelSelectorOf(objectMember(objectMember(object, 'spec'), 'selector'))?.toString() ?? '';

/** Source: kubernetes registry/apps/deployment/storage/storage.go and its likes. */
const APPS_PATHS: ReplicasPaths = new Map(
  ['apps/v1beta1', 'apps/v1beta2', 'apps/v1'].map((version) => [version, 'spec.replicas']),
);
const CORE_PATHS: ReplicasPaths = new Map([['v1', 'spec.replicas']]);

/**
 * @param of as conflicts name it
 * Source: kubernetes registry/apps/deployment/storage/storage.go, registry/core/replicationcontroller/storage/storage.go.
 */
export function workloadScale(of: GroupResource, selector: SelectorText = selectorOfSpec): SubresourceView {
  const replicasPaths = of.group === '' ? CORE_PATHS : APPS_PATHS;
  return {
    replicasPaths,
    show: (object) =>
      scaleOf(object, {
        wanted: numberMember(objectMember(object, 'spec'), 'replicas') ?? 0,
        present: numberMember(objectMember(object, 'status'), 'replicas') ?? 0,
        selector: selector(object),
      }),
    put(object, sent) {
      refuseScale(sent);
      const uid = uidOf(sent);
      if (uid !== '' && uid !== uidOf(object)) {
        throw conflict(
          { ...of, resource: `${of.resource}/scale` },
          nameOf(object),
          `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${uidOf(object)}`,
        );
      }
      const spec = { ...objectMember(object, 'spec'), replicas: wantedReplicas(sent) };
      const metadata = editMetadata(object.metadata, { resourceVersion: sent.metadata['resourceVersion'] });
      return { ...withMetadata(object, metadata), spec };
    },
  };
}

const scaled = (of: GroupResource): KindRules => ({
  ...of,
  subresources: { scale: { view: workloadScale(of) } },
});

export const deploymentRules = scaled({ group: 'apps', resource: 'deployments' });
export const replicaSetRules = scaled({ group: 'apps', resource: 'replicasets' });
export const statefulSetRules = scaled({ group: 'apps', resource: 'statefulsets' });
