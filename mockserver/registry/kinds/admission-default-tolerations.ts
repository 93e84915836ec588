/** DefaultTolerationSeconds: how long a pod bears a node that fails. */
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { EMPTY } from '../../ground/object.js';
import { type AdmissionPlugin } from '../admission-plugin.js';

/** Seconds. */
const BORNE_SECONDS = 300;
const BORNE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/** Source: kubernetes plugin/pkg/admission/defaulttolerationseconds. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  resources: [{ group: '', resource: 'pods' }],
  admit({ subresource, object: pod }) {
    if (subresource !== '') return pod;
    const spec = objectMember(pod, 'spec') ?? EMPTY;
    const borne = withTolerations(spec);
    return borne === spec ? pod : { ...pod, spec: borne };
  },
};

function withTolerations(spec: JsonObject): JsonObject {
  const own = arrayMember(spec, 'tolerations') ?? [];
  const missing = BORNE_TAINTS.filter((taint) => !bears(own, taint));
  if (missing.length === 0) return spec;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: BORNE_SECONDS,
  }));
  return { ...spec, tolerations: [...own, ...added] };
}

const bears = (tolerations: JsonArray, taint: string): boolean =>
  tolerations.some((one) => {
    if (!isJsonObject(one)) return false;
    const [key, effect] = [stringMember(one, 'key') ?? '', stringMember(one, 'effect') ?? ''];
    return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
  });
