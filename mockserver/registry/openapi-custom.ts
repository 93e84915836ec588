/** The paths of custom resources in the OpenAPI documents, and the documents of version 3 that hold them. */
import { type JsonObject, compareUtf8 } from '../ground/json.js';
import { type GroupVersion } from '../ground/kind.js';
import {
  type Method,
  type OpenApiFacts,
  type OperationShape,
  type ParameterSet,
} from '../../openapi/open-api-facts.js';
import { type CustomResource, type CustomVersion } from './custom-resource.js';
import { pathItem, schemasFor } from './openapi-built-in.js';
import { customSchemaName, customSchemas } from './openapi-custom-schema.js';
import { type OperationFacts, type PathOperations, described } from './openapi-operations.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const STATUS = `${META}.Status`;
const PATCH = `${META}.Patch`;
const DELETE_OPTIONS = `${META}.DeleteOptions`;
const SCALE = 'io.k8s.api.autoscaling.v1.Scale';

const TYPES = ['application/json', 'application/yaml'];
/** In the order of version 2; version 3 sorts them. */
const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

/**
 * Groups whose kinds the server of custom resources does not know: kinds that stand for the whole API (delete options)
 * list all group versions but those of these.
 */
const UNKNOWN_GROUPS: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);
const isListed = ({ group }: GroupVersion): boolean => !UNKNOWN_GROUPS.has(group);

/**
 * One document of `/openapi/v3`: the custom resources of one group version.
 *
 * @param facts the built-in API, for the shared parameters and the schemas of metadata, options and Status.
 */
export function customDocument(
  facts: OpenApiFacts,
  resources: readonly { readonly resource: CustomResource; readonly version: CustomVersion }[],
): JsonObject {
  const needed = new Set<string>([`${META}.ObjectMeta`, `${META}.ListMeta`]);
  const paths: [string, JsonObject][] = [];
  const schemas: [string, JsonObject][] = [];
  for (const { resource, version } of resources) {
    for (const [path, operations] of Object.entries(customPaths(facts, resource, version))) {
      paths.push([path, pathItem(facts, operations, needed)]);
    }
    schemas.push(...Object.entries(customSchemas(resource, version, 'v3')));
  }
  const byName = ([a]: [string, JsonObject], [b]: [string, JsonObject]): number => compareUtf8(a, b);
  const shared = Object.entries(schemasFor(facts, needed, isListed)) as [string, JsonObject][];
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: Object.fromEntries(paths.sort(byName)),
    components: { schemas: Object.fromEntries([...schemas, ...shared].sort(byName)) },
  };
}

/**
 * The paths of one custom resource in one version.
 *
 * Source: apiextensions-apiserver controller/openapi/builder/builder.go, generateBuilder and buildRoute.
 */
export function customPaths(
  facts: OpenApiFacts,
  resource: CustomResource,
  version: CustomVersion,
): Record<string, PathOperations> {
  const { group, names, namespaced } = resource;
  const kind = { group, version: version.name, kind: names.kind };
  const object = customSchemaName(group, version.name, names.kind);
  const list = customSchemaName(group, version.name, names.listKind);
  const shapes = customShapes(facts);
  const ids = operationIds(group, version.name);
  const scope = namespaced ? 'Namespaced' : '';

  const operation = (shape: OperationShape, name: string, ...schemas: string[]): OperationFacts => ({
    shape,
    id: ids.id(name),
    tag: ids.tag,
    kind,
    schemas,
    deprecated: false,
  });
  const at = (
    parameters: readonly string[],
    operations: Partial<Record<Method, OperationFacts>>,
  ): PathOperations => ({ operations, parameters: parameterSet(facts, parameters) });

  const root = `/apis/${group}/${version.name}`;
  const collection = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${names.plural}`;
  const place = namespaced ? ['/namespace', 'pretty'] : ['pretty'];
  const item = ['/name', ...place];
  const paths: Record<string, PathOperations> = {};
  if (namespaced) {
    paths[`${root}/${names.plural}`] = {
      operations: { get: operation(shapes.listEverywhere, `list${names.kind}ForAllNamespaces`, list) },
      parameters: parameterSet(facts, [...shapes.listParameters, 'pretty'].sort(compareUtf8)),
    };
  }
  paths[collection] = at(place, {
    get: operation(shapes.list, `list${scope}${names.kind}`, list),
    post: operation(shapes.post, `create${scope}${names.kind}`, object),
    delete: operation(shapes.deleteCollection, `deletecollection${scope}${names.kind}`, STATUS),
  });
  paths[`${collection}/{name}`] = at(item, {
    get: operation(shapes.get, `read${scope}${names.kind}`, object),
    put: operation(shapes.put, `replace${scope}${names.kind}`, object),
    delete: operation(shapes.delete, `delete${scope}${names.kind}`, DELETE_OPTIONS, STATUS),
    patch: operation(shapes.patch, `patch${scope}${names.kind}`, PATCH, object),
  });
  const subresource = (name: string, title: string, schema: string): void => {
    paths[`${collection}/{name}/${name}`] = at(item, {
      get: operation(shapes.get, `read${scope}${names.kind}${title}`, schema),
      put: operation(shapes.put, `replace${scope}${names.kind}${title}`, schema),
      patch: operation(shapes.patch, `patch${scope}${names.kind}${title}`, PATCH, schema),
    });
  };
  if (version.hasStatus) subresource('status', 'Status', object);
  if (version.hasScale) subresource('scale', 'Scale', SCALE);
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, described(item, path, names.kind, false)]),
  );
}

interface CustomShapes {
  readonly listParameters: readonly string[];
  readonly listEverywhere: OperationShape;
  readonly list: OperationShape;
  readonly post: OperationShape;
  readonly deleteCollection: OperationShape;
  readonly get: OperationShape;
  readonly put: OperationShape;
  readonly delete: OperationShape;
  readonly patch: OperationShape;
}

/** The shapes of operations on custom resources: the parameters of built-in ones with other media types. */
function customShapes(facts: OpenApiFacts): CustomShapes {
  const list = parametersOf(facts, 'list');
  const shape = (
    action: string,
    parameters: ParameterSet | undefined,
    schema: number,
    codes: readonly string[],
    body?: { readonly types: readonly string[]; readonly required: boolean },
  ): OperationShape => {
    const bodyInV2 =
      body?.required === true && action !== 'patch' ? [{ body: 0, required: true } as const] : [];
    return {
      action,
      v3: {
        ...(parameters === undefined ? {} : { parameters: parameters.v3 }),
        ...(body === undefined
          ? {}
          : {
              body: {
                types: [...body.types].sort(compareUtf8),
                schema: 0,
                ...(body.required ? { required: true } : {}),
              },
            }),
        responses: {
          ...Object.fromEntries(codes.map((code) => [code, { types: TYPES, schema }])),
          '401': null,
        },
      },
      v2: {
        consumes: action === 'patch' ? PATCH_TYPES : TYPES,
        produces: TYPES,
        schemes: ['https'],
        ...(parameters === undefined ? {} : { parameters: [...bodyInV2, ...parameters.v2] }),
        responses: { ...Object.fromEntries(codes.map((code) => [code, schema])), '401': null },
      },
    };
  };
  const versionAt = list.v3.indexOf('resourceVersion');
  const get = { v3: ['resourceVersion'], v2: [list.v2[versionAt] ?? 'resourceVersion'] };
  const whole = { types: TYPES, required: true };
  return {
    listParameters: list.v3,
    listEverywhere: shape('list', undefined, 0, ['200']),
    list: shape('list', list, 0, ['200']),
    post: shape('post', parametersOf(facts, 'post'), 0, ['200', '201', '202'], whole),
    deleteCollection: shape('deletecollection', list, 0, ['200']),
    get: shape('get', get, 0, ['200']),
    put: shape('put', parametersOf(facts, 'put'), 0, ['200', '201'], whole),
    delete: shape('delete', parametersOf(facts, 'delete'), 1, ['200', '202'], {
      types: TYPES,
      required: false,
    }),
    patch: shape('patch', parametersOf(facts, 'patch'), 1, ['200'], { types: PATCH_TYPES, required: true }),
  };
}

/** The parameters of the built-in operations with this action; those of version 2 with a shared body, if any. */
function parametersOf(facts: OpenApiFacts, action: string): ParameterSet {
  const shape = facts.shapes.find((one) => one.action === action && one.v3.parameters !== undefined);
  if (shape === undefined) throw new Error(`the built-in API has no ${action} with parameters`);
  return {
    v3: shape.v3.parameters ?? [],
    v2: (shape.v2.parameters ?? []).filter((one): one is string => typeof one === 'string'),
  };
}

/** The set of parameters that built-in paths have with these names. */
function parameterSet(facts: OpenApiFacts, names: readonly string[]): ParameterSet {
  const found = facts.parameterSets.find(
    (set) => set.v3.length === names.length && set.v3.every((name, i) => name === names[i]),
  );
  if (found === undefined) throw new Error(`the built-in API has no parameters ${names.join(', ')}`);
  return found;
}

const VERBS = ['list', 'create', 'read', 'replace', 'patch', 'delete'];

/**
 * Names operations: `listNamespacedWidget` of `ex.io/v1` becomes `listExIoV1NamespacedWidget`.
 *
 * Source: apiserver endpoints/openapi/openapi.go, GetOperationIDAndTags.
 */
function operationIds(group: string, version: string): { tag: string; id: (name: string) => string } {
  const trimmed = group.replace(/\.k8s\.io$/, '');
  return {
    tag: `${identifier(trimmed, false)}_${identifier(version, false)}`,
    id(name) {
      const verb = VERBS.find((one) => name.startsWith(one)) ?? '';
      const rest = identifier(name.slice(verb.length), true);
      return `${verb}${identifier(trimmed, true)}${identifier(version, true)}${rest}`;
    },
  };
}

/** Letters, digits and underscores only; what follows another sign is raised. A digit in front is left out. */
function identifier(text: string, upper: boolean): string {
  let written = '';
  let raise = upper;
  let atStart = true;
  for (const sign of text) {
    const stays = /[\p{L}_]/u.test(sign) || (!atStart && /\p{Nd}/u.test(sign));
    atStart = false;
    if (stays) written += raise ? sign.toUpperCase() : sign;
    raise = !stays;
  }
  return written;
}
