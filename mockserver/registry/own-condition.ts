/** A condition that the server itself writes: of which objects, in whose name, and what it says. */
import { type ApiObject } from '../ground/object.js';

/** What is said of an object; when it came to be so is found by comparing. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The stored form of an object, as it is now. `namespace` is `''` for cluster-scoped resources. */
export type FindObject = (
  group: string,
  resource: string,
  namespace: string,
  name: string,
) => ApiObject | undefined;

export interface OwnCondition {
  readonly group: string;
  readonly resource: string;
  /** As managedFields name it. */
  readonly writer: string;
  readonly operation: 'Apply' | 'Update';
  /** Resources that the condition is about besides: when one of theirs changes, all objects are looked at again. */
  readonly dependsOn: readonly { readonly group: string; readonly resource: string }[];
  /** Undefined: nothing is said. */
  readonly conditionOf: (object: ApiObject, find: FindObject) => Condition | undefined;
}
