/** The admission of new objects into their namespace. */
import { qualifiedName, type GroupResource } from '../../ground/kind.js';
import { objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { forbiddenObject, notFound } from '../../ground/status.js';

/** Reviews say nothing about the namespace: whether it exists would be a leak. */
const REVIEWS: ReadonlySet<string> = new Set(['localsubjectaccessreviews.authorization.k8s.io']);

export interface Admission {
  /** The namespace that the object goes into. */
  readonly namespace: string;
  readonly of: GroupResource;
  /** The object's name, or its generateName when it has no name yet. */
  readonly objectName: string;
}

/**
 * Lets a new object into a namespace, or throws.
 *
 * Not to be asked for cluster-scoped objects. Updates and deletes pass a namespace that ends; an update needs one that
 * exists, which `admitUpdateInNamespace` checks.
 * @param namespace the Namespace object; undefined when there is none
 * Errors: 404 of the namespace; 403 with the cause NamespaceTerminating.
 * Source: apiserver admission/plugin/namespace/lifecycle.
 */
export function admitIntoNamespace(
  namespace: ApiObject | undefined,
  { namespace: name, of, objectName }: Admission,
): void {
  if (REVIEWS.has(qualifiedName(of))) return;
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  if (stringMember(objectMember(namespace, 'status'), 'phase') !== 'Terminating') return;
  throw forbiddenObject(
    of,
    objectName,
    `unable to create new content in namespace ${name} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${name} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

/** An update needs a namespace that exists, whatever its phase. Errors: 404 of the namespace. */
export function admitUpdateInNamespace(namespace: ApiObject | undefined, name: string): void {
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
}
