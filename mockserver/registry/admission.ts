/** Asks the plugins of admission about a write. */
import { type ApiObject, nameOf } from '../ground/object.js';
import { type AdmissionContext, type AdmissionRequest } from './admission-plugin.js';
import { type Call, contextOf } from './call.js';
import { writeStatus } from './own-status.js';
import { workingCodec } from './resource.js';

export interface AdmittedWrite {
  /** In the working form. */
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
}

/**
 * The object as the plugins leave it: in the working form, in wire order.
 *
 * Errors: those of the plugins.
 */
export function admitted(call: Call, write: AdmittedWrite): ApiObject {
  const { resource } = call;
  let { object } = write;
  for (const plugin of call.cluster.admission.of(resource.store.groupResource)) {
    if (plugin.admit === undefined) continue;
    const next = plugin.admit(requestOf(call, { ...write, object }), admissionContextOf(call));
    if (next !== object) object = workingCodec(resource).arrange(next);
  }
  return object;
}

/** Refuses a write that is valid, or lets it pass. Errors: those of the plugins. */
export function admissionValidated(call: Call, write: AdmittedWrite): void {
  for (const plugin of call.cluster.admission.of(call.resource.store.groupResource))
    plugin.validate?.(requestOf(call, write), admissionContextOf(call));
}

/** Refuses a delete, or lets it pass. Errors: those of the plugins. */
export function admitDelete(call: Call, object: ApiObject, dryRun: boolean): void {
  for (const plugin of call.cluster.admission.of(call.resource.store.groupResource))
    plugin.validate?.(
      { ...requestOf(call, { object, previous: object, dryRun }), operation: 'delete' },
      admissionContextOf(call),
    );
}

const requestOf = (call: Call, { object, previous, dryRun }: AdmittedWrite): AdmissionRequest => ({
  operation: previous === undefined ? 'create' : 'update',
  of: call.resource.store.groupResource,
  subresource: call.subresource,
  namespace: call.resource.namespaced ? call.namespace : '',
  name: nameOf(object),
  object,
  previous,
  dryRun,
  warn: call.warn,
});

const admissionContextOf = (call: Call): AdmissionContext => ({
  ...contextOf(call),
  writeStatus: (of, namespace, name, status) => {
    writeStatus(call.cluster, { of, namespace, name }, status);
  },
});
