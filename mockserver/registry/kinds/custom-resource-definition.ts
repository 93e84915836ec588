/** CustomResourceDefinitions: what create, update and delete make of them. */
import { type JsonObject, objectMember } from '../../ground/json.js';
import { formatTime } from '../../ground/clock.js';
import { type ApiObject, editMetadata, finalizersOf, withMetadata } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';
import {
  groupOf,
  isConditionTrue,
  requestedNames,
  specOf,
  statusOf,
  storedVersionsOf,
  versionsOf,
  withCondition,
} from './custom-resource-definition-spec.js';
import { formatWarnings } from './custom-resource-definition-format-warnings.js';
import { createErrors, statusErrors, updateErrors } from './custom-resource-definition-validation.js';
import { dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { maskTrailingDash } from './name-syntax.js';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** Source: apiextensions registry/customresourcedefinition/strategy.go and etcd.go. */
export const customResourceDefinitionRules: KindRules = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  storedAsJson: true,

  prepareForCreate(object) {
    const crd = withDefaults(object);
    const storage = versionsOf(crd).find((version) => version.storage)?.name;
    return {
      ...crd,
      status: {
        conditions: null,
        acceptedNames: { plural: '', kind: '' },
        storedVersions: storage === undefined ? null : [storage],
      },
    };
  },

  prepareForUpdate(next, previous, { subresource }) {
    if (subresource === 'status') return withStoredVersion({ ...next, spec: specOf(previous) });
    const crd: ApiObject = { ...withDefaults(next), status: statusOf(previous) };
    const storage = versionsOf(crd).find((version) => version.storage)?.name;
    const stored = storedVersionsOf(crd);
    if (storage === undefined || stored.includes(storage)) return crd;
    return { ...crd, status: { ...statusOf(crd), storedVersions: [...stored, storage] } };
  },

  validateCreate: createErrors,
  validateUpdate: (next, previous, { subresource }) =>
    subresource === 'status' ? statusErrors(next) : updateErrors(next, previous),

  writeWarnings: (next, previous, { subresource }) =>
    subresource === 'status' ? [] : formatWarnings(next, previous),

  nameProblems(name, isPrefix, object) {
    const problems = dns1123SubdomainProblems(isPrefix ? maskTrailingDash(name) : name);
    return name === `${requestedNames(object).plural}.${groupOf(object)}`
      ? problems
      : [...problems, 'must be spec.names.plural+"."+spec.group'];
  },

  /** The options do not matter: the collector's finalizers are not added to a definition. */
  holdOnDelete(object, _wish, { clock }) {
    const finalizers = finalizersOf(object);
    const held = finalizers.includes(CLEANUP_FINALIZER) ? finalizers : [...finalizers, CLEANUP_FINALIZER];
    return withCondition(
      withMetadata(object, editMetadata(object.metadata, { finalizers: held })),
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
      formatTime(clock.now()),
    );
  },
};

/** singular, listKind and conversion where they are not given. Source: apis/apiextensions/v1/defaults.go. */
export function withDefaults(crd: ApiObject): ApiObject {
  const spec = specOf(crd);
  const names = requestedNames(crd);
  return {
    ...crd,
    spec: {
      ...spec,
      names: {
        ...objectMember(spec, 'names'),
        ...(names.singular === '' && names.kind !== '' ? { singular: names.kind.toLowerCase() } : {}),
        ...(names.listKind === '' && names.kind !== '' ? { listKind: `${names.kind}List` } : {}),
      },
      conversion: conversionWithDefaults(objectMember(spec, 'conversion')),
    },
  };
}

function conversionWithDefaults(conversion: JsonObject | undefined): JsonObject {
  if (conversion === undefined) return { strategy: 'None' };
  const webhook = objectMember(conversion, 'webhook');
  const clientConfig = objectMember(webhook, 'clientConfig');
  const service = objectMember(clientConfig, 'service');
  if (service === undefined || Object.hasOwn(service, 'port')) return conversion;
  return {
    ...conversion,
    webhook: { ...webhook, clientConfig: { ...clientConfig, service: { ...service, port: 443 } } },
  };
}

/** An empty list of stored versions is filled with the storage version. Source: the same. */
function withStoredVersion(crd: ApiObject): ApiObject {
  const storage = versionsOf(crd).find((version) => version.storage)?.name;
  if (storage === undefined || storedVersionsOf(crd).length > 0) return crd;
  return { ...crd, status: { ...statusOf(crd), storedVersions: [storage] } };
}

/** The definition while its objects are being deleted, which the server writes right after the delete. */
export function withInstanceDeletion(crd: ApiObject, time: string): ApiObject {
  return withCondition(
    crd,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    },
    time,
  );
}

/** The definition without the finalizer that held it until its objects were gone. */
export function withoutCleanupFinalizer(crd: ApiObject): ApiObject {
  const left = finalizersOf(crd).filter((one) => one !== CLEANUP_FINALIZER);
  return withMetadata(crd, editMetadata(crd.metadata, { finalizers: left.length === 0 ? undefined : left }));
}

/**
 * The definition when its objects are gone, or when it never had any: said in its condition, and without the finalizer
 * that held it. One write makes both, and removes the definition when nothing else holds it.
 * Source: controller/finalizer/crd_finalizer.go.
 */
export function withInstancesGone(crd: ApiObject, time: string): ApiObject {
  const established = isConditionTrue(crd, 'Established');
  return withCondition(
    withoutCleanupFinalizer(crd),
    {
      type: 'Terminating',
      status: 'False',
      reason: established ? 'InstanceDeletionCompleted' : 'NeverEstablished',
      message: established ? 'removed all instances' : 'resource was never established',
    },
    time,
  );
}
