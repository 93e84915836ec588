/** RuntimeClass: pods get what the class that they name brings along. */
import {
  type JsonArray,
  type JsonObject,
  isJsonObject,
  jsonEqual,
  member,
  objectMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { forbiddenObject, type StatusError } from '../../ground/status.js';
import { isSet, listAt, partAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { type AdmissionPlugin, type AdmissionRequest } from '../admission-plugin.js';
import { type KindContext } from '../kind-context.js';

const PODS = { group: '', resource: 'pods' } as const;

const isNewPod = ({ operation, subresource }: AdmissionRequest): boolean =>
  operation === 'create' && subresource === '';

const refused = ({ name }: AdmissionRequest, why: string): StatusError => forbiddenObject(PODS, name, why);

const specOf = (pod: ApiObject): JsonObject => objectMember(pod, 'spec') ?? EMPTY;

/** Source: kubernetes plugin/pkg/admission/runtimeclass. */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  resources: [PODS],
  admit(request, context) {
    const { object: pod } = request;
    const found = isNewPod(request) ? classOf(request, context) : undefined;
    if (found === undefined) return pod;
    const spec = withScheduling(request, withOverhead(request, specOf(pod), found), found);
    return spec === specOf(pod) ? pod : { ...pod, spec };
  },
  validate(request, context) {
    if (!isNewPod(request)) return;
    const overhead = partAt(classOf(request, context), 'overhead');
    const own = partAt(specOf(request.object), 'overhead');
    if (overhead === undefined) {
      if (own !== undefined)
        throw refused(
          request,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        );
    } else if (!jsonEqual(partOrEmpty(overhead, 'podFixed'), own ?? EMPTY)) throw refused(request, DIFFERS);
  },
};

const DIFFERS = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function classOf(request: AdmissionRequest, context: Pick<KindContext, 'find'>): ApiObject | undefined {
  const spec = specOf(request.object);
  if (!isSet(spec, 'runtimeClassName')) return undefined;
  const name = textAt(spec, 'runtimeClassName');
  const found = context.find('node.k8s.io', 'runtimeclasses', '', name);
  if (found === undefined)
    throw refused(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function withOverhead(request: AdmissionRequest, spec: JsonObject, found: ApiObject): JsonObject {
  const overhead = partAt(found, 'overhead');
  if (overhead === undefined) return spec;
  const fixed = partOrEmpty(overhead, 'podFixed');
  const own = partOrEmpty(spec, 'overhead');
  if (Object.keys(own).length > 0 && !jsonEqual(own, fixed)) throw refused(request, DIFFERS);
  return { ...spec, overhead: fixed };
}

function withScheduling(request: AdmissionRequest, spec: JsonObject, found: ApiObject): JsonObject {
  const scheduling = partAt(found, 'scheduling');
  if (scheduling === undefined) return spec;
  const own = partOrEmpty(spec, 'nodeSelector');
  const given = partOrEmpty(scheduling, 'nodeSelector');
  for (const [key, value] of Object.entries(given)) {
    const known = member(own, key);
    if (known === undefined || known === value) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${textAt(given, key)}; pod.spec.nodeSelector[${key}] = ${textAt(own, key)}`;
    throw refused(request, why);
  }
  const nodeSelector = { ...own, ...given };
  const tolerations = mergedTolerations(listAt(spec, 'tolerations'), listAt(scheduling, 'tolerations'));
  return {
    ...spec,
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(tolerations.length === 0 ? {} : { tolerations }),
  };
}

/** Of two where one tolerates all that the other does, only that one. Source: kubernetes pkg/util/tolerations. */
function mergedTolerations(first: JsonArray, second: JsonArray): JsonArray {
  const all = [...first, ...second].filter(isJsonObject);
  const merged: JsonObject[] = [];
  all.forEach((one, i) => {
    const covered =
      merged.some((other) => covers(other, one)) ||
      all.slice(i + 1).some((other) => !jsonEqual(one, other) && covers(other, one));
    if (!covered) merged.push(one);
  });
  return merged;
}

function covers(wide: JsonObject, one: JsonObject): boolean {
  if (jsonEqual(wide, one)) return true;
  const exists = textAt(wide, 'operator') === 'Exists';
  if (textAt(one, 'key') !== textAt(wide, 'key') && !(textAt(wide, 'key') === '' && exists)) return false;
  if (textAt(one, 'effect') !== textAt(wide, 'effect') && textAt(wide, 'effect') !== '') return false;
  if (textAt(wide, 'effect') === 'NoExecute' && isSet(wide, 'tolerationSeconds')) {
    const [most, seconds] = [member(wide, 'tolerationSeconds'), member(one, 'tolerationSeconds')];
    if (typeof seconds !== 'number' || typeof most !== 'number' || most < seconds) return false;
  }
  return exists || (textAt(one, 'operator') === 'Equal' && textAt(one, 'value') === textAt(wide, 'value'));
}
