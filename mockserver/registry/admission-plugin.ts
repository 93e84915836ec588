/** What a plugin of admission is: it changes what a request writes, or refuses it. */
import { type GroupResource } from '../ground/kind.js';
import { type JsonObject } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { type KindContext } from './kind-context.js';

export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete';
  readonly of: GroupResource;
  /** `''` for the main resource. */
  readonly subresource: string;
  /** `''` for cluster-scoped resources. */
  readonly namespace: string;
  /** `''` while an object that is to be named by generateName has no name. */
  readonly name: string;
  /** In the stored form; of a delete the object that is to go. */
  readonly object: ApiObject;
  /** As it is stored; undefined for a create. */
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
  /** Adds a text to the answer's `Warning` headers. */
  readonly warn: (text: string) => void;
}

export interface AdmissionContext extends KindContext {
  /** Writes the status of an object in the server's own name; nothing happens where there is no such object. */
  writeStatus(of: GroupResource, namespace: string, name: string, status: JsonObject): void;
}

/** Plugins look at what is stored, and never change their arguments. */
export interface AdmissionPlugin {
  /** As `--enable-admission-plugins` knows it. */
  readonly name: string;
  /** What it looks at; undefined: everything. */
  readonly resources?: readonly GroupResource[];
  /**
   * The object as it goes on, before defaults of the strategy and validation. Not asked about deletes.
   *
   * Errors: StatusErrors.
   */
  readonly admit?: (request: AdmissionRequest, context: AdmissionContext) => ApiObject;
  /** Refuses what is valid otherwise, right before it is stored. Errors: StatusErrors. */
  readonly validate?: (request: AdmissionRequest, context: AdmissionContext) => void;
}
