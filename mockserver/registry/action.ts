/** What happens when something is created that is not stored: reviews, bindings, evictions, requests for tokens. */
import { type TokenReview } from '../access/token-review.js';
import { type ServiceAccountTokens } from '../access/service-account-tokens.js';
import { type User } from '../access/user.js';
import { type JsonObject } from '../ground/json.js';
import { type GroupResource } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type Status } from '../ground/status.js';
import { type DeleteOptions } from './delete-options.js';
import { type KindContext } from './kind-context.js';

/** The request, and what its action may ask of the cluster. */
export interface ActionContext extends KindContext {
  /** `''` for cluster-scoped resources. */
  readonly namespace: string;
  /** Of the object whose subresource is created; `''` where there is none. */
  readonly name: string;
  readonly dryRun: boolean;
  /** Who asks. */
  readonly user: User;
  readonly tokens: ServiceAccountTokens;
  readonly reviewToken: (token: string, audiences: readonly string[]) => TokenReview;
  /** The key under which an object is stored, which one error message shows. */
  keyOf(group: string, resource: string, namespace: string, name: string): string;
}

/** A change that an action makes, in the stored form of its object. */
export type ActionStep =
  | { readonly kind: 'write'; readonly of: GroupResource; readonly object: ApiObject }
  /** As the server itself writes a status, which managedFields show. */
  | { readonly kind: 'write status'; readonly of: GroupResource; readonly object: ApiObject }
  | {
      readonly kind: 'delete';
      readonly of: GroupResource;
      readonly namespace: string;
      readonly name: string;
      readonly order: Omit<DeleteOptions, 'dryRun'>;
    };

export interface ActionOutcome {
  /** What the client is sent: a Status, or the object that it created, completed. */
  readonly answer: ApiObject | Status;
  /** Done in their order, in one turn, unless the request is a dry run. */
  readonly steps: readonly ActionStep[];
}

/**
 * Decides what follows from a creation; changes nothing itself.
 *
 * Errors: StatusErrors.
 */
export type Action = (sent: ApiObject, context: ActionContext) => ActionOutcome;

/** The answer of an action that has nothing to show. */
export const DONE: Status = Object.freeze({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
});

export const isStatus = (answer: ApiObject | Status): answer is Status => answer.kind === 'Status';

/** An outcome that only answers. */
export const answering = (object: ApiObject): ActionOutcome => ({ answer: object, steps: [] });

/** An object with another status. */
export const withStatus = (object: ApiObject, status: JsonObject): ApiObject => ({ ...object, status });
