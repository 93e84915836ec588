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
  const context = admissionContextOf(call);
  for (const plugin of call.cluster.admission.of(resource.store.groupResource)) {
    if (plugin.admit === undefined) continue;
    const next = plugin.admit(requestOf(call, { ...write, object }), context);
    if (next !== object) object = workingCodec(resource).arrange(next);
  }
  return object;
}

/** Refuses a write that is valid, or lets it pass. Errors: those of the plugins. */
export function admissionValidated(call: Call, write: AdmittedWrite): void {
  validate(call, requestOf(call, write));
}

/** Refuses a delete, or lets it pass. Errors: those of the plugins. */
export function admitDelete(call: Call, object: ApiObject, dryRun: boolean): void {
  validate(call, { ...requestOf(call, { object, previous: object, dryRun }), operation: 'delete' });
}

function validate(call: Call, request: AdmissionRequest): void {
  const context = admissionContextOf(call);
  for (const plugin of call.cluster.admission.of(request.of)) plugin.validate?.(request, context);
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
