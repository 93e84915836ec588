/** Scopes and schemas for the tests of ownership. */
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { exceptFields } from '../../../mockserver/patch/field-filter.js';
import { type OwnershipScope } from '../../../mockserver/patch/ownership-scope.js';
import { type SchemaNode } from '../../../mockserver/schema/schema-node.js';
import { SchemaTree } from '../../../mockserver/schema/schema-tree.js';

const api = loadBuiltInApi();
export const TREE = new SchemaTree((name) => api.definitionOf(name));

export function definition(name: string): SchemaNode {
  const node = TREE.definition(name);
  if (node === undefined) throw new Error(`no definition ${name}`);
  return node;
}

export interface ScopeParts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: SchemaNode;
  readonly custom?: boolean;
  readonly subresource?: string;
  /** Paths that the endpoint ignores. */
  readonly ignored?: readonly string[];
}

export function scopeOf({
  apiVersion,
  kind,
  schema,
  custom,
  subresource,
  ignored,
}: ScopeParts): OwnershipScope {
  const filter = ignored === undefined ? undefined : exceptFields(ignored);
  return {
    apiVersion,
    kind,
    schema,
    subresource: subresource ?? '',
    order: custom === true ? 'sorted' : 'typed',
    filterOf: (version) => (version === apiVersion ? filter : undefined),
    convert: (object, version) => (version === apiVersion ? { object, schema } : undefined),
  };
}

export const configMaps = scopeOf({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  schema: definition('io.k8s.api.core.v1.ConfigMap'),
});

export const object = (of: OwnershipScope, content: JsonObject = {}): ApiObject => ({
  metadata: {},
  ...content,
  apiVersion: of.apiVersion,
  kind: of.kind,
});
