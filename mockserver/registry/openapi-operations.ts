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
import { descriptionOf } from './openapi-operation-description.js';

export interface OperationFacts {
  readonly shape: OperationShape;
  readonly id: string;
  readonly tag: string;
  readonly kind?: GroupVersionKind;
  /** Names of the schemas that the shape refers to by number. */
  readonly schemas: readonly string[];
  readonly deprecated: boolean;
  readonly description?: string;
}

export interface PathOperations {
  readonly operations: Readonly<Partial<Record<Method, OperationFacts>>>;
  /** Of all operations of the path. */
  readonly parameters?: ParameterSet;
}

/** The operations of a built-in path. Errors: throws when the path refers to a shape that is not there. */
export function operationsOf(facts: OpenApiFacts, path: string, folded: FoldedPath): PathOperations {
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
  const all = { operations, ...(parameters === undefined ? {} : { parameters }) };
  const watched = path.replace(/^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\//, '/$1/watch/');
  return described(all, path, kindAt(facts, path), Object.hasOwn(facts.paths, watched));
}

/** The kind of the object that a path is about, also where it goes on to a subresource of another kind. */
function kindAt(facts: OpenApiFacts, path: string): string | undefined {
  const ofObject = facts.paths[path.replace(/(\{name\})\/.*$/, '$1')] ?? facts.paths[path];
  if (ofObject === undefined) return undefined;
  const kinds = METHODS.map((method) => operationOf(ofObject, method)?.[3]);
  return kinds.find((kind) => kind !== undefined && kind !== null)?.[2];
}

/** The same operations, each with what it does. @param kind of the path's resource; undefined where it is about none */
export function described(
  path: PathOperations,
  at: string,
  kind: string | undefined,
  watchable: boolean,
): PathOperations {
  const operations: Partial<Record<Method, OperationFacts>> = {};
  for (const method of METHODS) {
    const operation = path.operations[method];
    if (operation === undefined) continue;
    const { action } = operation.shape;
    const description = descriptionOf({ method, path: at, action, kind, watchable });
    operations[method] = { ...operation, ...(description === undefined ? {} : { description }) };
  }
  return { ...path, operations };
}
