/** From a path and a method to a verb on a resource, or to what is said when there is none. */
import {
  badRequest,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  pathNotFound,
  type StatusError,
} from '../ground/status.js';
import { type ResourceTable } from '../registry/resource-table.js';
import { groupResourceOf, type Resource, type Subresource } from '../registry/resource.js';
import { type ResourcePath } from './path.js';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export type Route =
  | {
      readonly kind: 'verb';
      readonly verb: Verb;
      readonly resource: Resource;
      readonly subresource: Subresource | undefined;
      readonly namespace: string;
      /** `''` for collections. */
      readonly name: string;
    }
  | { readonly kind: 'refused'; readonly error: StatusError }
  /** Plain text: what groups without built-in kinds say of unknown paths. */
  | { readonly kind: 'page not found' };

/**
 * Shape: the verb that the method stands for; `list` is a watch when the query says so, which is not looked at here.
 * Source: apiserver endpoints/installer.go (which routes exist) and request/requestinfo.go; for custom resources
 * apiextensions apiserver/customresource_handler.go.
 */
export function routeOf(table: ResourceTable, path: ResourcePath, method: string): Route {
  const builtIn = path.prefix === 'api' || table.isBuiltInGroup(path.group);
  const resource = table.find(path.group, path.version, path.resource);
  const nowhere = (): Route =>
    builtIn ? { kind: 'refused', error: pathNotFound() } : { kind: 'page not found' };
  if (resource === undefined) return nowhere();
  const namespace = path.namespace ?? '';
  const name = path.name ?? '';
  // A path says by its form whether the resource lives in namespaces; an empty segment counts as none.
  if (resource.namespaced ? namespace === '' && name !== '' : namespace !== '') return nowhere();
  if (path.name === '' && path.subresource !== undefined) return nowhere();
  return resource.custom
    ? customRoute(resource, path, method, namespace, name)
    : builtInRoute(resource, path, method, namespace, name);
}

function builtInRoute(
  resource: Resource,
  path: ResourcePath,
  method: string,
  namespace: string,
  name: string,
): Route {
  const refused = (error: StatusError): Route => ({ kind: 'refused', error });
  const subresource =
    path.subresource === undefined ? undefined : resource.subresources.get(path.subresource);
  if (path.subresource !== undefined && subresource === undefined) return refused(pathNotFound());
  if (path.rest.length > 0 && path.subresource !== 'proxy') return refused(pathNotFound());
  const verb = path.legacyWatch ? (method === 'GET' ? 'watch' : undefined) : verbOf(method, name !== '');
  if (path.legacyWatch && path.subresource !== undefined) return refused(pathNotFound());
  // What is created and never stored has nothing with a name.
  if (name !== '' && subresource === undefined && resource.verbs.join() === 'create')
    return refused(pathNotFound());
  if (verb === undefined) return refused(methodNotAllowed());
  // What has a name already is not created; subresources are (bindings, evictions).
  if (verb === 'create' && name !== '' && subresource === undefined) return refused(methodNotAllowed());
  // All namespaces together can only be read.
  if (resource.namespaced && namespace === '' && verb !== 'list' && verb !== 'watch')
    return refused(methodNotAllowed());
  // Bindings are created below a pod: a subresource's own POST.
  const known = subresource?.verbs ?? resource.verbs;
  if (!known.includes(verb)) return refused(methodNotAllowed());
  return { kind: 'verb', verb, resource, subresource, namespace, name };
}

function customRoute(
  resource: Resource,
  path: ResourcePath,
  method: string,
  namespace: string,
  name: string,
): Route {
  const of = groupResourceOf(resource);
  const subresource =
    path.subresource === undefined ? undefined : resource.subresources.get(path.subresource);
  // What stands behind a subresource is not looked at.
  if (path.subresource !== undefined && subresource === undefined) {
    return { kind: 'refused', error: notFound(of, name) };
  }
  const everywhere = resource.namespaced && namespace === '';
  if (method === 'PUT' && name === '' && !everywhere && !path.legacyWatch) {
    return { kind: 'refused', error: badRequest('name must be provided') };
  }
  // HEAD is a GET whose body is not sent. A watch of the old form is one by any method. A patch without a name is
  // refused after its type has been looked at.
  const named = name !== '' || method === 'PATCH' || method === 'PUT';
  const verb = path.legacyWatch ? 'watch' : verbOf(method === 'HEAD' ? 'GET' : method, named);
  if (verb === undefined) return { kind: 'refused', error: methodNotSupported(of, '') };
  if (everywhere && verb !== 'list' && verb !== 'watch') return { kind: 'page not found' };
  const known = subresource?.verbs ?? resource.verbs;
  if (!known.includes(verb)) return { kind: 'refused', error: methodNotSupported(of, verb) };
  return { kind: 'verb', verb, resource, subresource, namespace, name };
}

function verbOf(method: string, named: boolean): Verb | undefined {
  switch (method) {
    case 'GET':
      return named ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return named ? 'update' : undefined;
    case 'PATCH':
      return named ? 'patch' : undefined;
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}
