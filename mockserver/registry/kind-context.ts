/** What the rules of kinds may ask of the cluster. */
import { type User } from '../access/user.js';
import { type Clock } from '../ground/clock.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type LogBook } from './log-book.js';

/** Reads are of the current state. */
export interface KindContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logs: LogBook;
  /** Whose request it is; undefined for what the server does of its own. */
  readonly user?: User | undefined;
  /** @param namespace `''` for cluster-scoped resources */
  find(group: string, resource: string, namespace: string, name: string): ApiObject | undefined;
  /** All objects of a resource, of every namespace, in their stored form. */
  listAll(group: string, resource: string): readonly ApiObject[];
  /** The objects of one namespace, in their stored form, in the order of their names. */
  list(group: string, resource: string, namespace: string): readonly ApiObject[];
  /** Tells what becomes of an object, undefined once it is gone. Shape: what ends it. */
  follow(
    group: string,
    resource: string,
    namespace: string,
    name: string,
    listener: (next: ApiObject | undefined) => void,
  ): () => void;
}
