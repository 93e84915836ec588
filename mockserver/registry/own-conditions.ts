/** Conditions that the server itself writes into the status of built-in objects. */
import { formatTime } from '../ground/clock.js';
import {
  arrayMember,
  isJsonObject,
  objectMember,
  stringMember,
  type JsonArray,
  type JsonObject,
} from '../ground/json.js';
import { apiVersionOf } from '../ground/kind.js';
import { nameOf } from '../ground/object.js';
import { type StoredObject } from '../ground/stored-object.js';
import { scopeRange } from '../store/key.js';
import { applyPatch } from './apply.js';
import { type Call } from './call.js';
import { type Cluster } from './cluster.js';
import { ALL_OWN_CONDITIONS } from './kinds/all-own-conditions.js';
import { type Condition, type OwnCondition } from './own-condition.js';
import { type Resource } from './resource.js';
import { update } from './update.js';
import { withMember } from './shape.js';

/**
 * Keeps the conditions in step with what they are about. The writes come before the answer to the request that caused
 * them (decision 003).
 *
 * Objects that are there already have their conditions, or get them when they are next written.
 */
export function keepOwnConditions(cluster: Cluster): void {
  for (const condition of ALL_OWN_CONDITIONS) {
    const resource = cluster.resources.findStored(condition.group, condition.resource);
    if (resource === undefined) continue;
    const step = (key: string): void => {
      const stored = cluster.store.get(key);
      if (stored !== undefined) bringUp(cluster, resource, condition, stored);
    };
    cluster.store.subscribe(resource.store.prefix, ({ key, current }) => {
      if (current !== undefined) cluster.react(() => step(key));
    });
    for (const other of condition.dependsOn) {
      const prefix = cluster.resources.findStored(other.group, other.resource)?.store.prefix;
      if (prefix === undefined) continue;
      cluster.store.subscribe(prefix, () =>
        cluster.react(() => {
          for (const { key } of cluster.store.range(scopeRange(resource.store.prefix, undefined)).items)
            step(key);
        }),
      );
    }
  }
}

function bringUp(cluster: Cluster, resource: Resource, own: OwnCondition, { object }: StoredObject): void {
  const wanted = own.conditionOf(object, (...address) => cluster.find(...address));
  if (wanted === undefined) return;
  const status = objectMember(object, 'status');
  const conditions = arrayMember(status, 'conditions') ?? [];
  const before = conditions.filter(isJsonObject).find((one) => one['type'] === wanted.type);
  const same = (name: 'status' | 'reason' | 'message'): boolean =>
    stringMember(before, name) === wanted[name];
  if (same('status') && same('reason') && same('message')) return;

  const call: Call = {
    cluster,
    resource,
    subresource: 'status',
    namespace: '',
    name: nameOf(object),
    largest: 0,
    writer: own.writer,
    warn: () => undefined,
  };
  const now = formatTime(cluster.clock.now());
  if (own.operation === 'Apply') {
    const { kind } = resource;
    const applied = {
      apiVersion: apiVersionOf(resource),
      kind,
      metadata: { name: nameOf(object) },
      status: { conditions: [shown(wanted, now)] },
    };
    applyPatch(call, {
      text: JSON.stringify(applied),
      force: true,
      fieldValidation: 'Ignore',
      dryRun: false,
    });
    return;
  }
  const since = same('status') ? (stringMember(before, 'lastTransitionTime') ?? now) : now;
  const next: JsonArray = [...conditions.filter((one) => one !== before), shown(wanted, since)];
  update(call, {
    dryRun: false,
    next: (live) => ({
      object: withMember(resource, live, 'status', { ...objectMember(live, 'status'), conditions: next }),
      owners: 'tracked',
    }),
  });
}

/** In wire order. */
const shown = ({ type, status, reason, message }: Condition, lastTransitionTime: string): JsonObject => ({
  type,
  status,
  lastTransitionTime,
  reason,
  message,
});
