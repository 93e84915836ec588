/** The operations of one path, in a form from which both versions of OpenAPI are written. */
import { type GroupVersionKind } from '../ground/kind.js';
import {
  type FoldedPath,
  type Method,
  type OpenApiFacts,
  type OperationShape,
  type ParameterSet,
  METHODS,
  operationOf,
} from '../../openapi/open-api-facts.js';

export interface OperationFacts {
  readonly shape: OperationShape;
  readonly id: string;
  readonly tag: string;
  readonly kind?: GroupVersionKind;
  /** Names of the schemas that the shape refers to by number. */
  readonly schemas: readonly string[];
  readonly deprecated: boolean;
}

export interface PathOperations {
  readonly operations: Readonly<Partial<Record<Method, OperationFacts>>>;
  /** Of all operations of the path. */
  readonly parameters?: ParameterSet;
}

/** The operations of a built-in path. Errors: throws when the path refers to a shape that is not there. */
export function operationsOf(facts: OpenApiFacts, folded: FoldedPath): PathOperations {
  const operations: Partial<Record<Method, OperationFacts>> = {};
  for (const method of METHODS) {
    const operation = operationOf(folded, method);
    if (operation === undefined) continue;
    const [shapeIndex, id, tag, kind, schemas, deprecated] = operation;
    const shape = facts.shapes[shapeIndex];
    if (shape === undefined) throw new Error(`the built-in API has no operation shape ${shapeIndex}`);
    operations[method] = {
      shape,
      id,
      tag,
      ...(kind === null ? {} : { kind: { group: kind[0], version: kind[1], kind: kind[2] } }),
      schemas,
      deprecated: deprecated !== undefined,
    };
  }
  const parameters = folded.p === undefined ? undefined : facts.parameterSets[folded.p];
  return { operations, ...(parameters === undefined ? {} : { parameters }) };
}
