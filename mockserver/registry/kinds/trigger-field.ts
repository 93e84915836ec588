/**
 * The field by which a real server looks up who is interested in a change of a resource: a watch that names it may keep
 * fewer events waiting, one that does not may keep more.
 *
 * Source: kube-apiserver pkg/registry/core/{pod,node,secret,configmap}/strategy.go, TriggerFunc; apiserver
 * storage/cacher/cacher.go, Watch.
 */

const TRIGGER_FIELDS: Readonly<Record<string, string | undefined>> = {
  pods: 'spec.nodeName',
  nodes: 'metadata.name',
  secrets: 'metadata.name',
  configmaps: 'metadata.name',
};

/** @param group and resource of the stored form. Shape: undefined for a resource without one. */
export const triggerFieldOf = (group: string, resource: string): string | undefined =>
  group === '' && Object.hasOwn(TRIGGER_FIELDS, resource) ? TRIGGER_FIELDS[resource] : undefined;
