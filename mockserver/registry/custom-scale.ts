/** The scale subresource of custom resources, whose numbers stand where the definition says. */
import { isJsonObject, member, setMember, type JsonObject, type MutableJsonObject } from '../ground/json.js';
import { type ApiObject, editMetadata, withMetadata } from '../ground/object.js';
import { badRequest, bareError, internalError } from '../ground/status.js';
import { type ReplicasPaths } from '../patch/scale-ownership.js';
import { nestedField, stepsOf } from '../schema/structural/nested-field.js';
import { type ScalePaths } from '../schema/structural/replica-counts.js';
import { type SubresourceView } from './kind-rules.js';
import { scaleOf, wantedReplicas } from './scale.js';

/** Stands for "was not there" in what a patch is put upon. */
const NO_REPLICAS = -(2 ** 31);

/** Source: apiextensions-apiserver registry/customresource/etcd.go, ScaleREST. */
export function customScale(paths: ScalePaths, replicasPaths: ReplicasPaths): SubresourceView {
  const scale = (object: ApiObject, absent: number): ApiObject => {
    const wanted = numberAt(object, paths.specReplicasPath);
    const present = numberAt(object, paths.statusReplicasPath);
    const selector =
      paths.labelSelectorPath === undefined ? undefined : textAt(object, paths.labelSelectorPath);
    return scaleOf(object, {
      wanted: wanted ?? absent,
      present: present ?? 0,
      selector: selector ?? '',
    });
  };
  return {
    replicasPaths,
    show(object) {
      if (numberAt(object, paths.specReplicasPath) === undefined) {
        throw internalError(
          `the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`,
        );
      }
      return scale(object, 0);
    },
    patchBase: (object) => scale(object, NO_REPLICAS),
    put(object, sent) {
      const replicas = wantedReplicas(sent);
      if (replicas === NO_REPLICAS) {
        throw badRequest(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} cannot be empty`);
      }
      const version = member(sent.metadata, 'resourceVersion') ?? object.metadata['resourceVersion'];
      const metadata = editMetadata(object.metadata, { resourceVersion: version });
      return withMetadata(withNumberAt(object, paths.specReplicasPath, replicas), metadata);
    },
  };
}

function numberAt(object: ApiObject, path: string): number | undefined {
  const found = nestedField(object, path, 'int64');
  if (found.kind === 'wrong') throw bareError(500, found.why);
  return found.kind === 'found' ? Number(found.value) : undefined;
}

function textAt(object: ApiObject, path: string): string | undefined {
  const found = nestedField(object, path, 'string');
  if (found.kind === 'wrong') throw bareError(500, found.why);
  return found.kind === 'found' && typeof found.value === 'string' ? found.value : undefined;
}

function withNumberAt(object: ApiObject, path: string, value: number): ApiObject {
  const edited = withValueAt(object, stepsOf(path), value, path);
  return { ...edited, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

function withValueAt(object: JsonObject, steps: readonly string[], value: number, path: string): JsonObject {
  const [step = '', ...rest] = steps;
  const edited: MutableJsonObject = { ...object };
  if (rest.length === 0) {
    setMember(edited, step, value);
    return edited;
  }
  const inner = member(object, step) ?? {};
  if (!isJsonObject(inner)) {
    throw bareError(500, `value cannot be set because ${path} is not a map[string]interface{}`);
  }
  setMember(edited, step, withValueAt(inner, rest, value, path));
  return edited;
}
