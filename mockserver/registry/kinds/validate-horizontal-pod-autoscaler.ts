/** Validation of HorizontalPodAutoscalers, in their stored version. Source: kubernetes apis/autoscaling/validation/validation.go. */
import { type JsonObject, member } from '../../ground/json.js';
import { parseApiVersion } from '../../ground/kind.js';
import { type ApiObject } from '../../ground/object.js';
import { dns1123LabelProblems, pathSegmentProblems } from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { amountOf, notNegative } from '../../schema/validation/quantities.js';
import { containerResourceProblems } from './resource-names.js';
import { type KindValidation } from '../kind-validation.js';

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');
const SCALES_TO_ZERO =
  'must specify at least one Object or External metric to support scaling to zero replicas';

function autoscaler(found: Findings, spec: JsonObject, previous: JsonObject | undefined): void {
  // Down to 0 where an object or external metric says when to come back.
  const least = isSet(spec, 'minReplicas') ? integerAt(spec, 'minReplicas') : undefined;
  const most = integerAt(spec, 'maxReplicas');
  const lowest =
    previous !== undefined && isSet(previous, 'minReplicas') && integerAt(previous, 'minReplicas') === 0
      ? 0
      : 1;
  if (least !== undefined && least < lowest)
    found.invalid('spec.minReplicas', least, `must be greater than or equal to ${lowest}`);
  if (most === 0) found.required('spec.maxReplicas', 'must be set and greater than 0');
  else if (most < 0) found.invalid('spec.maxReplicas', most, 'must be greater than or equal to 1');
  if (least !== undefined && most < least)
    found.invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`');
  const scaled = partOrEmpty(spec, 'scaleTargetRef');
  const had = partAt(previous, 'scaleTargetRef');
  const kept =
    had !== undefined && ['apiVersion', 'kind'].every((name) => textAt(had, name) === textAt(scaled, name));
  reference(found, scaled, 'spec.scaleTargetRef', {
    anyVersion: kept,
    coreGroup: textAt(scaled, 'kind') === 'ReplicationController',
  });
  const metrics = itemsAt(spec, 'metrics');
  metrics.forEach((metric, i) => {
    metricSpec(found, metric, `spec.metrics[${i}]`);
  });
  const outside = metrics.some((metric) => ['Object', 'External'].includes(textAt(metric, 'type')));
  if (least === 0 && !outside) found.forbidden('spec.metrics', SCALES_TO_ZERO);
  const behavior = partAt(spec, 'behavior');
  for (const way of ['scaleUp', 'scaleDown'])
    scalingRules(found, partAt(behavior, way), `spec.behavior.${way}`);
}

interface ReferenceWish {
  /** Whether the version need not be looked at. */
  readonly anyVersion: boolean;
  /** Whether the group may be empty. */
  readonly coreGroup: boolean;
}

function reference(found: Findings, target: JsonObject, at: string, wish: ReferenceWish): void {
  found.needsForm(target, at, 'kind', pathSegmentProblems);
  found.needsForm(target, at, 'name', pathSegmentProblems);
  if (wish.anyVersion) return;
  const version = textAt(target, 'apiVersion');
  const parsed = parseApiVersion(version);
  if (parsed === undefined)
    found.invalid(`${at}.apiVersion`, version, `unexpected GroupVersion string: ${version}`);
  else if (parsed.group === '' && !wish.coreGroup)
    found.invalid(`${at}.apiVersion`, version, 'apiVersion must specify API group');
}

function scalingRules(found: Findings, rules: JsonObject | undefined, at: string): void {
  if (rules === undefined) return;
  if (isSet(rules, 'stabilizationWindowSeconds')) {
    const seconds = integerAt(rules, 'stabilizationWindowSeconds');
    const field = `${at}.stabilizationWindowSeconds`;
    if (seconds < 0) found.invalid(field, seconds, 'must be greater than or equal to zero');
    if (seconds > 3600) found.invalid(field, seconds, 'must be less than or equal to 3600');
  }
  found.among(rules, at, 'selectPolicy', ['Disabled', 'Max', 'Min']);
  const policies = itemsAt(rules, 'policies');
  if (policies.length === 0) found.required(`${at}.policies`, 'must specify at least one Policy');
  policies.forEach((policy, i) => {
    const place = `${at}.policies[${i}]`;
    found.among(policy, place, 'type', ['Percent', 'Pods'], 'bad');
    for (const name of ['value', 'periodSeconds'])
      if (integerAt(policy, name) <= 0)
        found.invalid(`${place}.${name}`, integerAt(policy, name), 'must be greater than zero');
    if (integerAt(policy, 'periodSeconds') > 1800)
      found.invalid(
        `${place}.periodSeconds`,
        integerAt(policy, 'periodSeconds'),
        'must be less than or equal to 1800',
      );
  });
  const tolerance = member(rules, 'tolerance') ?? null;
  if (tolerance !== null) notNegative(found, tolerance, `${at}.tolerance`);
}

type SourceCheck = (found: Findings, source: JsonObject, at: string) => void;

/** In the order in which a server looks; only the first is looked into. */
const SOURCES: readonly (readonly [member: string, type: string, check: SourceCheck])[] = [
  ['object', 'Object', objectSource],
  ['external', 'External', externalSource],
  ['pods', 'Pods', podsSource],
  ['resource', 'Resource', resourceSource],
  ['containerResource', 'ContainerResource', containerSource],
];
const TYPES = SOURCES.map(([, type]) => type).sort();

function metricSpec(found: Findings, metric: JsonObject, at: string): void {
  const type = textAt(metric, 'type');
  const known = SOURCES.find(([, name]) => name === type);
  if (type === '') found.required(`${at}.type`, 'must specify a metric source type');
  if (known === undefined) found.notSupported(`${at}.type`, type, TYPES);
  const present = SOURCES.filter(([name]) => isSet(metric, name));
  const first = present[0];
  if (first !== undefined) first[2](found, partOrEmpty(metric, first[0]), `${at}.${first[0]}`);
  if (known === undefined) found.notSupported(`${at}.type`, type, TYPES);
  else if (!isSet(metric, known[0]))
    found.required(`${at}.${known[0]}`, 'must populate information for the given metric source');
  if (present.length === 1) return;
  for (const [name] of present)
    if (name !== known?.[0]) found.forbidden(`${at}.${name}`, 'must populate the given metric source only');
}

function identifier(found: Findings, source: JsonObject, at: string): void {
  const metric = partOrEmpty(source, 'metric');
  const name = found.needs(metric, `${at}.metric`, 'name', 'must specify a metric name');
  if (name !== '') found.problems(`${at}.metric.name`, name, pathSegmentProblems);
}

function target(found: Findings, source: JsonObject, at: string): JsonObject {
  const wanted = partOrEmpty(source, 'target');
  const type = textAt(wanted, 'type');
  const place = `${at}.target`;
  if (type === '') found.required(`${place}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    found.invalid(`${place}.type`, type, 'must be either Utilization, Value, or AverageValue');
  for (const name of ['value', 'averageValue']) {
    const value = member(wanted, name) ?? null;
    if (value !== null && amountOf(value) <= 0n) found.invalid(`${place}.${name}`, value, 'must be positive');
  }
  if (isSet(wanted, 'averageUtilization') && integerAt(wanted, 'averageUtilization') < 1)
    found.invalid(
      `${place}.averageUtilization`,
      integerAt(wanted, 'averageUtilization'),
      'must be greater than 0',
    );
  return wanted;
}

function objectSource(found: Findings, source: JsonObject, at: string): void {
  reference(found, partOrEmpty(source, 'describedObject'), `${at}.describedObject`, {
    anyVersion: false,
    coreGroup: true,
  });
  identifier(found, source, at);
  const wanted = target(found, source, at);
  if (!isSet(wanted, 'value') && !isSet(wanted, 'averageValue'))
    found.required(`${at}.target.averageValue`, 'must set either a target value or averageValue');
}

function externalSource(found: Findings, source: JsonObject, at: string): void {
  identifier(found, source, at);
  const wanted = target(found, source, at);
  const [value, average] = [isSet(wanted, 'value'), isSet(wanted, 'averageValue')];
  if (!value && !average)
    found.required(
      `${at}.target.averageValue`,
      'must set either a target value for metric or a per-pod target',
    );
  if (value && average)
    found.forbidden(`${at}.target.value`, 'may not set both a target value for metric and a per-pod target');
}

function podsSource(found: Findings, source: JsonObject, at: string): void {
  identifier(found, source, at);
  if (!isSet(target(found, source, at), 'averageValue'))
    found.required(`${at}.target.averageValue`, 'must specify a positive target averageValue');
}

function utilization(found: Findings, source: JsonObject, at: string): void {
  const wanted = target(found, source, at);
  const [share, average] = [isSet(wanted, 'averageUtilization'), isSet(wanted, 'averageValue')];
  if (!share && !average)
    found.required(
      `${at}.target.averageUtilization`,
      'must set either a target raw value or a target utilization',
    );
  if (share && average)
    found.forbidden(
      `${at}.target.averageValue`,
      'may not set both a target raw value and a target utilization',
    );
}

function resourceSource(found: Findings, source: JsonObject, at: string): void {
  found.needs(source, at, 'name', 'must specify a resource name');
  utilization(found, source, at);
}

function containerSource(found: Findings, source: JsonObject, at: string): void {
  const name = found.needs(source, at, 'name', 'must specify a resource name');
  if (name !== '') found.problems(`${at}.name`, name, containerResourceProblems);
  const container = found.needs(source, at, 'container', 'must specify a container');
  if (container !== '') found.problems(`${at}.container`, container, dns1123LabelProblems);
  utilization(found, source, at);
}

export const horizontalPodAutoscalerValidation: KindValidation = {
  group: 'autoscaling',
  resource: 'horizontalpodautoscalers',
  create(found, object) {
    autoscaler(found, specOf(object), undefined);
  },
  update(found, next, previous) {
    autoscaler(found, specOf(next), specOf(previous));
  },
  status(found, next) {
    found.nonNegative(partOrEmpty(next, 'status'), 'status', 'currentReplicas', 'desiredReplicas');
  },
};
