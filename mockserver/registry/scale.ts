/** The Scale of an object: how many replicas it asks for and has, in autoscaling/v1. */
import { invalid, type FieldError } from '../ground/field-error.js';
import { type JsonObject, numberMember, objectMember } from '../ground/json.js';
import { type GroupVersionKind } from '../ground/kind.js';
import { type ApiObject, nameOf } from '../ground/object.js';
import { invalidObject } from '../ground/status.js';
import { labelErrors } from './metadata-validation.js';

export const SCALE_KIND: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

export interface ScaleParts {
  readonly wanted: number;
  readonly present: number;
  /** As a selector text; `''`: none. */
  readonly selector: string;
}

/** Members of metadata that a Scale has of its object, in wire order. */
const SHOWN = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'] as const;

/** Shape: in wire order; no replicas in the spec when there are none. */
export function scaleOf(object: ApiObject, { wanted, present, selector }: ScaleParts): ApiObject {
  const metadata = Object.fromEntries(
    SHOWN.flatMap((name) => {
      const value = object.metadata[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const status: JsonObject = selector === '' ? { replicas: present } : { replicas: present, selector };
  return {
    kind: SCALE_KIND.kind,
    apiVersion: `${SCALE_KIND.group}/${SCALE_KIND.version}`,
    metadata,
    spec: wanted === 0 ? {} : { replicas: wanted },
    status,
  };
}

/** spec.replicas of a Scale that was sent; 0 when it is not there. */
export const wantedReplicas = (scale: ApiObject): number =>
  numberMember(objectMember(scale, 'spec'), 'replicas') ?? 0;

/** Errors: 422 of the Scale itself. Source: kubernetes apis/autoscaling/validation, ValidateScale. */
export function refuseScale(scale: ApiObject): void {
  const replicas = wantedReplicas(scale);
  const errors: FieldError[] = [...labelErrors(scale.metadata)];
  if (replicas < 0) errors.push(invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) {
    throw invalidObject({ group: SCALE_KIND.group, resource: SCALE_KIND.kind }, nameOf(scale), errors);
  }
}
