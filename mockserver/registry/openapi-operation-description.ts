/** What OpenAPI documents say that an operation does: a sentence made of its action, its kind and its path. */
import { type Method } from '../../openapi/open-api-facts.js';

export interface DescribedOperation {
  readonly method: Method;
  readonly path: string;
  /** `x-kubernetes-action`; undefined for operations on no resource. */
  readonly action: string | undefined;
  /** Of the resource, also for operations on its subresources; undefined for those on no resource. */
  readonly kind: string | undefined;
  /** Of a list: whether the same path can be watched. */
  readonly watchable: boolean;
}

const DEPRECATED = "deprecated: use the 'watch' parameter with a list operation instead";

/** What is not about a resource, by path. */
const FIXED: readonly (readonly [path: RegExp, description: string])[] = [
  [/^\/apis?\/$/, 'get available API versions'],
  [/^\/version\/$/, 'get the version information for this server'],
  [
    /^\/\.well-known\/openid-configuration\/$/,
    "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
  ],
  [
    /^\/openid\/v1\/jwks\/$/,
    'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
  ],
  [/^\/(?:api|apis\/[^/]+)\/[^/]+\/$/, 'get available resources'],
  [/^\/apis\/[^/]+\/$/, 'get information of a group'],
];

/**
 * Shape: undefined where a real server says nothing.
 * Source: apiserver endpoints/installer.go, registerResourceHandlers; apiextensions-apiserver
 * controller/openapi/builder/builder.go, descriptionFor.
 */
export function descriptionOf({
  method,
  path,
  action,
  kind,
  watchable,
}: DescribedOperation): string | undefined {
  if (kind === undefined) return FIXED.find(([pattern]) => pattern.test(path))?.[1];
  const part = /\{name\}\/([^/{]+)/.exec(path)?.[1];
  const of = part === undefined ? ' ' : ` ${part} of `;
  switch (action) {
    case 'list':
      return `${watchable ? 'list or watch' : 'list'} objects of kind ${kind}`;
    case 'watchlist':
      return `watch individual changes to a list of ${kind}. ${DEPRECATED}.`;
    case 'watch':
      return `watch changes to an object of kind ${kind}. ${DEPRECATED}, filtered to a single item with the 'fieldSelector' parameter.`;
    case 'get':
      return `read${of}the specified ${kind}`;
    case 'put':
      return `replace${of}the specified ${kind}`;
    case 'patch':
      return `partially update${of}the specified ${kind}`;
    case 'post':
      return `create${part === undefined ? '' : ` ${part} of`}${articleOf(kind)}${kind}`;
    case 'delete':
      return `delete${part === undefined ? '' : ` ${part} of`}${articleOf(kind)}${kind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    case 'connect':
      return `connect ${method.toUpperCase()} requests to${part === undefined ? '' : ` ${part} of`} ${kind}`;
    default:
      return undefined;
  }
}

/** With a blank on either side; plurals have none. Source: apiserver endpoints/installer.go, GetArticleForNoun. */
function articleOf(noun: string): string {
  if (noun.endsWith('s') && !noun.endsWith('ss')) return ' ';
  return /^[aeiou]/i.test(noun) ? ' an ' : ' a ';
}
