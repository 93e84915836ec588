/** Ownership in one cluster: what the verbs ask of it, in terms of calls and resources. */
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { definitionNameOf } from '../../openapi/resource-definition.js';
import { type Clock } from '../ground/clock.js';
import { type JsonArray } from '../ground/json.js';
import { apiVersionOf, parseApiVersion } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type ApplyRequest, type ApplyResult } from '../patch/apply.js';
import { createOwnership, type Ownership } from '../patch/ownership.js';
import { type OwnershipScope } from '../patch/ownership-scope.js';
import { type ReplicasPaths } from '../patch/scale-ownership.js';
import { type UpdateToTrack } from '../patch/ownership-update.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { type SchemaTree } from '../schema/schema-tree.js';
import { ownershipScope, type OwnershipSources } from './ownership-scopes.js';
import { inKindOf, memberOrderOf, type Resource } from './resource.js';
import { type ResourceTable } from './resource-table.js';
import { stamp } from './meta-stamp.js';

/** Why no field of a custom resource's scale can be applied. Source: apiextensions-apiserver conversion. */
const SCALE_OF_CUSTOM = 'request to convert CR to an invalid group/version: autoscaling/v1';

export interface OwnershipParts {
  readonly api: BuiltInApi;
  readonly schemas: () => SchemaTree;
  readonly resources: ResourceTable;
  readonly clock: Clock;
}

/** Where a write happens and by whom. */
export interface Writing {
  readonly resource: Resource;
  readonly subresource: string;
  /** As `writerName` has it; absent for the server's own writes. */
  readonly writer?: string;
}

export type TrackedWrite = Pick<UpdateToTrack, 'live' | 'next' | 'creating' | 'resets'>;

export class ClusterOwnership {
  readonly #parts: OwnershipParts;
  readonly #ownership: Ownership = createOwnership();
  readonly #sources: OwnershipSources;
  /** By resource in one version, then by subresource. A definition that changes makes other resources. */
  readonly #scopes = new WeakMap<Resource, Map<string, OwnershipScope>>();
  readonly #schemas = new WeakMap<Resource, SchemaNode>();

  constructor(parts: OwnershipParts) {
    this.#parts = parts;
    this.#sources = {
      schemaOf: (resource) => this.#schemaOf(resource),
      ignoredFieldsOf: (of, subresource) => parts.api.ignoredFieldsOf(of, subresource),
      inVersion: ({ resource }, apiVersion) => {
        const version = parseApiVersion(apiVersion);
        return version && parts.resources.find(version.group, version.version, resource);
      },
    };
  }

  /** The next object, in the version of the call, with its managedFields as they are after the write. */
  tracked(writing: Writing, write: TrackedWrite): ApiObject {
    const list = this.trackedList(writing, write);
    const { next } = write;
    return next.metadata['managedFields'] === list ? next : withManagedFields(writing.resource, next, list);
  }

  trackedList(writing: Writing, write: TrackedWrite): JsonArray | undefined {
    const { clock } = this.#parts;
    return this.#ownership.track(this.#scope(writing), {
      ...write,
      writer: writing.writer ?? SERVER,
      now: clock.now(),
    });
  }

  /** Errors: those of an apply. */
  applied(
    writing: Writing,
    request: Pick<ApplyRequest, 'live' | 'applied' | 'force' | 'empty'>,
  ): ApplyResult {
    const { clock } = this.#parts;
    return this.#ownership.apply(this.#scope(writing), {
      ...request,
      writer: writing.writer ?? SERVER,
      now: clock.now(),
    });
  }

  /** How the resource's ownership looks to those who write its scale. */
  ofScale(parent: ApiObject, paths: ReplicasPaths): JsonArray | undefined {
    return this.#ownership.ofScale(parent, paths);
  }

  /** The managedFields of an object whose scale has been written. @param scale those of the scale */
  afterScale(
    { resource }: Writing,
    parent: ApiObject,
    scale: JsonArray | undefined,
    paths: ReplicasPaths,
  ): JsonArray | undefined {
    const order = memberOrderOf(resource);
    return this.#ownership.afterScale(parent, scale, paths, apiVersionOf(resource), order);
  }

  #scope({ resource, subresource }: Writing): OwnershipScope {
    let scopes = this.#scopes.get(resource);
    if (scopes === undefined) this.#scopes.set(resource, (scopes = new Map<string, OwnershipScope>()));
    let scope = scopes.get(subresource);
    if (scope === undefined) scopes.set(subresource, (scope = this.#newScope(resource, subresource)));
    return scope;
  }

  #newScope(resource: Resource, name: string): OwnershipScope {
    const subresource = resource.subresources.get(name);
    if (subresource?.codec === undefined) return ownershipScope(this.#sources, resource, name);
    const scope = ownershipScope(this.#sources, inKindOf(resource, subresource), name);
    return resource.custom ? { ...scope, refusesApplied: SCALE_OF_CUSTOM } : scope;
  }

  #schemaOf(resource: Resource): SchemaNode {
    let schema = this.#schemas.get(resource);
    if (schema === undefined) this.#schemas.set(resource, (schema = this.#readSchema(resource)));
    return schema;
  }

  #readSchema(resource: Resource): SchemaNode {
    const tree = this.#parts.schemas();
    if (resource.custom) return tree.custom(resource.schema);
    const { group, version, kind } = resource;
    const schema = tree.definition(definitionNameOf(group, version, kind));
    if (schema === undefined) throw new Error(`no schema of ${apiVersionOf(resource)} ${kind}`);
    return schema;
  }
}

/** What the server calls itself when it writes. */
const SERVER = 'kube-apiserver';

/** The object with other managedFields; undefined: with none. */
export const withManagedFields = (
  resource: Resource,
  object: ApiObject,
  list: JsonArray | undefined,
): ApiObject => stamp(resource, object, { managedFields: list });
