/** The form of `kubernetes-<version>.json`: the built-in API's OpenAPI documents, folded (see its README). */
import { type JsonObject } from '../mockserver/ground/json.js';

/** A number is an index into the operation's schema names; null a response without content. */
export type FoldedSchema = number | JsonObject;

export interface FoldedContent {
  readonly types: readonly string[];
  readonly schema: FoldedSchema;
}

export interface FoldedBody extends FoldedContent {
  readonly required?: boolean;
}

/** A body in v2 is a parameter. */
export interface FoldedBodyParameter {
  readonly body: FoldedSchema;
  readonly required?: boolean;
}

/** What operations of one kind have in common. */
export interface OperationShape {
  /** `x-kubernetes-action` */
  readonly action?: string;
  readonly v3: {
    readonly parameters?: readonly string[];
    readonly body?: FoldedBody;
    readonly responses: Readonly<Record<string, FoldedContent | null>>;
  };
  readonly v2: {
    readonly consumes?: readonly string[];
    readonly produces?: readonly string[];
    readonly schemes?: readonly string[];
    readonly parameters?: readonly (string | FoldedBodyParameter)[];
    readonly responses: Readonly<Record<string, FoldedSchema | null>>;
  };
}

export type FoldedOperation = readonly [
  shape: number,
  operationId: string,
  tag: string,
  kind: readonly [group: string, version: string, kind: string] | null,
  schemas: readonly string[],
  deprecated?: 'deprecated',
];

export interface ParameterSet {
  readonly v3: readonly string[];
  readonly v2: readonly string[];
}

/** `d` names the v3 document, `p` the parameter set; the other members are methods. */
export interface FoldedPath {
  readonly d: string;
  readonly p?: number;
  readonly [method: string]: FoldedOperation | string | number | undefined;
}

export interface OpenApiFacts {
  readonly kubernetes: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly securityDefinitions: JsonObject;
  readonly security: readonly JsonObject[];
  readonly parameters: Readonly<Record<string, JsonObject>>;
  readonly v2Parameters: Readonly<Record<string, JsonObject>>;
  readonly parameterSets: readonly ParameterSet[];
  readonly shapes: readonly OperationShape[];
  readonly paths: Readonly<Record<string, FoldedPath>>;
  /** By schema name; a reference is `{"$ref": name}`, with `"$bare": true` where it stands alone. */
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type Method = (typeof METHODS)[number];

/** The operation of one method; undefined when the path does not have it. */
export function operationOf(path: FoldedPath, method: Method): FoldedOperation | undefined {
  const value = path[method];
  return typeof value === 'object' ? value : undefined;
}
