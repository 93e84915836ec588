/** The table of pods: readiness, STATUS and restarts come out of one walk through the container statuses. */
import { type JsonArray, type JsonObject, type JsonValue } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { instantOf } from '../../schema/go-time.js';
import {
  type CellValue,
  ageCell,
  conditionOf,
  countAt,
  flagAt,
  isTerminating,
  nameCell,
  objectAt,
  objectsAt,
  textAt,
} from '../tables/cell.js';
import { Elapsed } from '../tables/elapsed.js';
import { type KindTable } from '../tables/kind-table.js';

/** Source: kubernetes printers/internalversion/printers.go, printPod. */
export const podTable: KindTable = {
  group: '',
  kind: 'Pod',
  row(pod) {
    const summary = summaryOf(pod);
    return [
      nameCell(pod),
      `${summary.ready}/${summary.total}`,
      summary.status,
      restartsText(summary.restarts),
      ageCell(pod),
      textAt(pod, 'status', 'podIPs', 0, 'ip') || '<none>',
      textAt(pod, 'spec', 'nodeName') || '<none>',
      textAt(pod, 'status', 'nominatedNodeName') || '<none>',
      readinessGates(pod),
    ];
  },
  conditions: (pod) => ROW_CONDITIONS.get(textAt(pod, 'status', 'phase')),
};

const ROW_CONDITIONS: ReadonlyMap<string, JsonArray> = new Map([
  ['Succeeded', completed('Succeeded', 'The pod has completed successfully.')],
  ['Failed', completed('Failed', 'The pod failed.')],
]);

function completed(reason: string, message: string): JsonArray {
  return [{ type: 'Completed', status: 'True', reason, message }];
}

interface Restarts {
  readonly count: number;
  /** When the last one ended, in milliseconds since 1970; undefined: not known. */
  readonly lastMs: number | undefined;
}

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: Restarts;
}

interface InitWalk {
  readonly ready: number;
  /** What the status is while containers that run first are not done; undefined: they are. */
  readonly status: string | undefined;
  readonly all: Restarts;
  /** Of the containers that stay beside the main ones. */
  readonly sidecars: Restarts;
}

function summaryOf(pod: ApiObject): Summary {
  const spec = objectAt(pod, 'spec');
  const status = objectAt(pod, 'status');
  const initContainers = objectsAt(spec, 'initContainers');
  const sidecars = new Set(initContainers.filter(isSidecar).map((container) => textAt(container, 'name')));
  const sidecarCount = initContainers.filter(isSidecar).length;
  const init = walkInit(objectsAt(status, 'initContainerStatuses'), sidecars, initContainers.length);
  const initializing =
    init.status !== undefined && textAt(conditionOf(status, 'Initialized'), 'status') !== 'True';
  const reason = init.status ?? reasonOf(status);
  const main = initializing
    ? { ready: 0, status: reason, restarts: init.all }
    : walkMain(status, reason, init.sidecars);
  return {
    ready: init.ready + main.ready,
    total: objectsAt(spec, 'containers').length + sidecarCount,
    status: terminatingStatus(pod, status) ?? main.status,
    restarts: main.restarts,
  };
}

const isSidecar = (container: JsonObject): boolean => textAt(container, 'restartPolicy') === 'Always';

function reasonOf(status: JsonObject | undefined): string {
  const gated = objectsAt(status, 'conditions').some(
    (condition) =>
      textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(status, 'reason') || textAt(status, 'phase');
}

/** Stops at the first container that is neither done nor a sidecar that has started. */
function walkInit(
  statuses: readonly JsonObject[],
  sidecars: ReadonlySet<string>,
  declared: number,
): InitWalk {
  let ready = 0;
  let all: Restarts = { count: 0, lastMs: undefined };
  let beside = all;
  for (const [i, container] of statuses.entries()) {
    const sidecar = sidecars.has(textAt(container, 'name'));
    all = withRestarts(all, container);
    if (sidecar) beside = withRestarts(beside, container);
    const terminated = objectAt(container, 'state', 'terminated');
    if (terminated !== undefined && countAt(terminated, 'exitCode') === 0) continue;
    if (sidecar && flagAt(container, 'started')) {
      if (flagAt(container, 'ready')) ready++;
      continue;
    }
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    const status =
      terminated !== undefined
        ? `Init:${endOf(terminated)}`
        : waiting !== '' && waiting !== 'PodInitializing'
          ? `Init:${waiting}`
          : `Init:${i}/${declared}`;
    return { ready, status, all, sidecars: beside };
  }
  return { ready, status: undefined, all, sidecars: beside };
}

function walkMain(
  status: JsonObject | undefined,
  before: string,
  sidecars: Restarts,
): Pick<Summary, 'ready' | 'status' | 'restarts'> {
  let reason = before;
  let errorReason = '';
  let running = false;
  let ready = 0;
  let restarts = sidecars;
  for (const container of objectsAt(status, 'containerStatuses').toReversed()) {
    restarts = withRestarts(restarts, container);
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    const terminated = objectAt(container, 'state', 'terminated');
    if (waiting !== '') {
      reason = waiting;
    } else if (terminated !== undefined) {
      reason = endOf(terminated);
      if (countAt(terminated, 'exitCode') !== 0) errorReason = reason;
    } else if (flagAt(container, 'ready') && objectAt(container, 'state', 'running') !== undefined) {
      running = true;
      ready++;
    }
  }
  if (reason === 'Completed') {
    const podReady = objectsAt(status, 'conditions').some(
      (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
    );
    if (running && podReady) reason = 'Running';
    else if (errorReason !== '') reason = errorReason;
    else if (running) reason = 'NotReady';
  }
  return { ready, status: reason, restarts };
}

function endOf(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = countAt(terminated, 'signal');
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${countAt(terminated, 'exitCode')}`;
}

function terminatingStatus(pod: ApiObject, status: JsonObject | undefined): string | undefined {
  if (!isTerminating(pod)) return undefined;
  if (textAt(status, 'reason') === 'NodeLost') return 'Unknown';
  const phase = textAt(status, 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}

function withRestarts(restarts: Restarts, container: JsonObject): Restarts {
  const finished = textAt(container, 'lastState', 'terminated', 'finishedAt');
  const ended = finished === '' ? undefined : (instantOf(finished) ?? undefined);
  const { lastMs } = restarts;
  return {
    count: restarts.count + Number(countAt(container, 'restartCount')),
    lastMs: lastMs === undefined || (ended !== undefined && ended > lastMs) ? ended : lastMs,
  };
}

const restartsText = ({ count, lastMs }: Restarts): CellValue =>
  count !== 0 && lastMs !== undefined ? new Elapsed(lastMs, `${count} (`, ' ago)') : String(count);

function readinessGates(pod: ApiObject): JsonValue {
  const gates = objectsAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const status = objectAt(pod, 'status');
  const met = gates.filter(
    (gate) => textAt(conditionOf(status, textAt(gate, 'conditionType')), 'status') === 'True',
  );
  return `${met.length}/${gates.length}`;
}
