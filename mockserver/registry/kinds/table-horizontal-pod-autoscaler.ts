/** The table of horizontal pod autoscalers. */
import { type JsonObject } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { count, firstOf, objectAt, objectsAt, shownAt, textAt } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

/** How many metrics are shown before the rest is counted. */
const SHOWN = 2;
const UNKNOWN = '<unknown>';

export const horizontalPodAutoscalerTable: KindTable = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  cells: {
    Reference: (object) => {
      const target = objectAt(object, 'spec', 'scaleTargetRef');
      return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
    },
    Targets: targetsOf,
    MaxPods: count('spec', 'maxReplicas'),
    Replicas: count('status', 'currentReplicas'),
  },
};

function targetsOf(object: ApiObject): string {
  const current = objectsAt(object, 'status', 'currentMetrics');
  const metrics = objectsAt(object, 'spec', 'metrics').map((metric, i) => metricText(metric, current[i]));
  return metrics.length === 0 ? '<none>' : firstOf(metrics, SHOWN, ', ');
}

/** Source: kubernetes printers/internalversion/printers.go, formatHPAMetrics. */
function metricText(metric: JsonObject, status: JsonObject | undefined): string {
  switch (textAt(metric, 'type')) {
    case 'External':
      return averageOrValue(objectAt(metric, 'external'), objectAt(status, 'external'));
    case 'Object':
      return averageOrValue(objectAt(metric, 'object'), objectAt(status, 'object'));
    case 'Pods':
      return average(objectAt(metric, 'pods'), objectAt(status, 'pods'));
    case 'Resource':
      return resource(objectAt(metric, 'resource'), objectAt(status, 'resource'));
    case 'ContainerResource':
      return resource(objectAt(metric, 'containerResource'), objectAt(status, 'containerResource'));
    default:
      return '<unknown type>';
  }
}

type Part = JsonObject | undefined;

function averageOrValue(metric: Part, status: Part): string {
  const wanted = shownAt(metric, 'target', 'averageValue');
  if (wanted !== undefined) return `${shownAt(status, 'current', 'averageValue') ?? UNKNOWN}/${wanted} (avg)`;
  return `${currentOf(status, 'value')}/${shownAt(metric, 'target', 'value') ?? '<nil>'}`;
}

const average = (metric: Part, status: Part): string =>
  `${currentOf(status, 'averageValue')}/${shownAt(metric, 'target', 'averageValue') ?? '<nil>'}`;

function resource(metric: Part, status: Part): string {
  const name = textAt(metric, 'name');
  if (objectAt(metric, 'target') !== undefined && shownAt(metric, 'target', 'averageValue') !== undefined) {
    return `${name}: ${average(metric, status)}`;
  }
  const used = shownAt(status, 'current', 'averageUtilization');
  const wanted = shownAt(metric, 'target', 'averageUtilization');
  return `${name}: ${used === undefined ? UNKNOWN : `${used}%`}/${wanted === undefined ? '<auto>' : `${wanted}%`}`;
}

/** A status that has no such amount prints as Go prints a nil pointer. */
const currentOf = (status: Part, amount: string): string =>
  status === undefined ? UNKNOWN : (shownAt(status, 'current', amount) ?? '<nil>');
