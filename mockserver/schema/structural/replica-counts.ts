/** What an object whose resource has a scale must have at the paths of it. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { type JsonObject } from '../../ground/json.js';
import { nestedField } from './nested-field.js';

/** Paths in dot notation, with the leading dot: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string | undefined;
}

const MAX_INT32 = 0x7fffffff;

/**
 * A write of the status is not asked about the rest.
 *
 * Source: apiextensions-apiserver registry/customresource/validator.go, ValidateScaleSpec and ValidateScaleStatus.
 */
export function scaleErrors(
  object: JsonObject,
  paths: ScalePaths,
  subresource: string,
): readonly FieldError[] {
  return [
    ...(subresource === 'status' ? [] : replicaErrors(object, paths.specReplicasPath)),
    ...replicaErrors(object, paths.statusReplicasPath),
    ...(paths.labelSelectorPath === undefined ? [] : selectorErrors(object, paths.labelSelectorPath)),
  ];
}

/** Errors of the number of replicas at `path`: a missing one counts as 0. */
export function replicaErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = nestedField(object, path, 'int64');
  if (found.kind === 'wrong') return [invalid(path, 0, found.why)];
  if (found.kind === 'absent') return [];
  const { value } = found;
  if (Number(value) < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return Number(value) > MAX_INT32
    ? [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)]
    : [];
}

/** Errors of the selector at `path`. */
export function selectorErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = nestedField(object, path, 'string');
  return found.kind === 'wrong' ? [invalid(path, '', found.why)] : [];
}
