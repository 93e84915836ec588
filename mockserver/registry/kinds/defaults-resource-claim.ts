/** Requests for devices, and what is said against devices: how many, since when. */
import { type JsonObject, member, numberMember, stringMember } from '../../ground/json.js';
import { formatTime } from '../../ground/clock.js';
import { type WrittenDefault } from './written-default.js';

const RESOURCE = 'k8s.io.api.resource.v1';

/** Source: kubernetes apis/resource/v1/defaults.go. A taint without a time is from now on. */
export const resourceClaimDefaults: readonly WrittenDefault[] = [
  { message: `${RESOURCE}.ExactDeviceRequest`, fill: request, rules: ['d248'] },
  { message: `${RESOURCE}.DeviceSubRequest`, fill: request, rules: ['d249'] },
  {
    message: `${RESOURCE}.DeviceTaint`,
    fill: (taint, now) =>
      member(taint, 'timeAdded') === undefined ? { ...taint, timeAdded: formatTime(now) } : taint,
    rules: [],
  },
];

function request(object: JsonObject): JsonObject {
  const mode = stringMember(object, 'allocationMode') ?? '';
  if (mode !== '' && mode !== 'ExactCount') return object;
  const count = numberMember(object, 'count') ?? 0;
  if (mode !== '' && count !== 0) return object;
  return { ...object, allocationMode: 'ExactCount', count: count === 0 ? 1 : count };
}
