/** LimitRanges: limits of containers complete each other. */
import { type JsonObject, objectMember, stringMember } from '../../ground/json.js';
import { sortedByName } from './members.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/core/v1/defaults.go, SetDefaults_LimitRangeItem. */
export const limitRangeDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.LimitRangeItem', fill: limitRangeItem, rules: ['d163', 'd164'] },
];

function limitRangeItem(item: JsonObject): JsonObject {
  if (stringMember(item, 'type') !== 'Container') return item;
  const [min, max] = [objectMember(item, 'min'), objectMember(item, 'max')];
  const [given, request] = [objectMember(item, 'default'), objectMember(item, 'defaultRequest')];
  const limits = completed(given, max);
  const requests = completed(completed(request, limits), min);
  if (limits === given && requests === request) return item;
  return {
    ...item,
    ...(limits === undefined ? {} : { default: limits }),
    ...(requests === undefined ? {} : { defaultRequest: requests }),
  };
}

/** The list with what it lacks of `other`; the list itself when it lacks nothing. */
function completed(list: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  const missing = Object.keys(other ?? {}).some((name) => list === undefined || !Object.hasOwn(list, name));
  if (!missing) return list;
  return sortedByName({ ...other, ...list });
}
