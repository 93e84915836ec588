/** The scale subresource of custom resources, whose numbers stand where the definition says. */
import { type FieldError, invalid } from '../ground/field-error.js';
import {
  Float,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import { type ApiObject, editMetadata, withMetadata } from '../ground/object.js';
import { badRequest, bareError, internalError } from '../ground/status.js';
import { type ReplicasPaths } from '../patch/scale-ownership.js';
import { type SubresourceView } from './kind-rules.js';
import { scaleOf, wantedReplicas } from './scale.js';

/** Paths in dot notation, with the leading dot: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string | undefined;
}

const MAX_INT32 = 2 ** 31 - 1;
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

/**
 * What an object of a resource with a scale must have at the paths of it. A write of the status is not asked about
 * the rest.
 *
 * Source: apiextensions-apiserver registry/customresource/validator.go, ValidateScaleSpec and ValidateScaleStatus.
 */
export function scaleErrors(object: ApiObject, paths: ScalePaths, subresource: string): FieldError[] {
  return [
    ...(subresource === 'status' ? [] : numberErrors(object, paths.specReplicasPath)),
    ...numberErrors(object, paths.statusReplicasPath),
    ...(paths.labelSelectorPath === undefined ? [] : textErrors(object, paths.labelSelectorPath)),
  ];
}

function numberErrors(object: ApiObject, path: string): FieldError[] {
  const found = lookUp(object, path, 'int64');
  if (found.kind === 'wrong') return [invalid(path, 0, found.why)];
  if (found.kind === 'absent') return [];
  const { value } = found;
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > MAX_INT32 ? [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)] : [];
}

function textErrors(object: ApiObject, path: string): FieldError[] {
  const found = lookUp(object, path, 'string');
  return found.kind === 'wrong' ? [invalid(path, '', found.why)] : [];
}

type Found =
  | { readonly kind: 'found'; readonly value: JsonValue }
  | { readonly kind: 'absent' }
  /** In the words of an accessor of unstructured objects. */
  | { readonly kind: 'wrong'; readonly why: string };

/** Source: apimachinery meta/v1/unstructured/helpers.go, NestedInt64 and NestedString. */
function lookUp(object: ApiObject, path: string, goType: 'int64' | 'string'): Found {
  const steps = stepsOf(path);
  let value: JsonValue = object;
  for (const [i, step] of steps.entries()) {
    if (!isJsonObject(value)) {
      if (value === null) return { kind: 'absent' };
      return wrong(steps.slice(0, i + 1), value, 'map[string]interface{}');
    }
    const next: JsonValue | undefined = member(value, step);
    if (next === undefined) return { kind: 'absent' };
    value = next;
  }
  return goTypeOf(value) === goType ? { kind: 'found', value } : wrong(steps, value, goType);
}

const wrong = (steps: readonly string[], value: JsonValue, expected: string): Found => ({
  kind: 'wrong',
  why: `.${steps.join('.')} accessor error: ${shown(value)} is of the type ${goTypeOf(value)}, expected ${expected}`,
});

const shown = (value: JsonValue): string =>
  typeof value === 'string' ? value : value === null ? '<nil>' : writeJson(value);

function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (value instanceof Float) return 'float64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return isJsonArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function numberAt(object: ApiObject, path: string): number | undefined {
  const found = lookUp(object, path, 'int64');
  if (found.kind === 'wrong') throw bareError(500, found.why);
  return found.kind === 'found' ? Number(found.value) : undefined;
}

function textAt(object: ApiObject, path: string): string | undefined {
  const found = lookUp(object, path, 'string');
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

const stepsOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');
