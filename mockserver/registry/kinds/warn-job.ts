/** Warnings about jobs and templates of jobs. Source: kubernetes api/job/warnings.go. */
import { type ApiObject } from '../../ground/object.js';
import { integerAt, textAt } from '../../schema/validation/field-values.js';
import { isNewGeneration, partOfObject, podTemplateWarnings } from './warn-pod.js';

const MANY_COMPLETIONS = 100_000;
const MANY_AT_ONCE = 10_000;

/** Warnings about the JobSpec at a path, of a create and of an update that metadata.generation counts. */
export function jobSpecWarnings(
  path: string,
  next: ApiObject,
  previous: ApiObject | undefined,
): readonly string[] {
  if (!isNewGeneration(next, previous)) return [];
  const spec = partOfObject(path, next);
  const hardToTrack =
    textAt(spec, 'completionMode') === 'Indexed' &&
    integerAt(spec, 'completions') > MANY_COMPLETIONS &&
    integerAt(spec, 'parallelism') > MANY_AT_ONCE;
  return [
    ...(hardToTrack
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podTemplateWarnings(`${path}.template`)(next, previous),
  ];
}
