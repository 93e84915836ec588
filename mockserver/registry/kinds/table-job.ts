/** The tables of jobs and cron jobs. */
import { type ApiObject } from '../../ground/object.js';
import { instantOf } from '../../schema/go-time.js';
import {
  type CellValue,
  conditionOf,
  countAt,
  isTerminating,
  lengthOf,
  objectAt,
  shownAt,
  textAt,
  valueAt,
} from '../tables/cell.js';
import { Elapsed, humanDuration, timeSince } from '../tables/elapsed.js';
import { type KindTable } from '../tables/kind-table.js';
import { selectorCell } from '../tables/labels-text.js';
import { TEMPLATE_CONTAINERS, containerCells } from './table-containers.js';

const group = 'batch';

export const jobTable: KindTable = {
  group,
  kind: 'Job',
  cells: {
    Status: statusOf,
    Completions: completionsOf,
    Duration: durationOf,
    ...TEMPLATE_CONTAINERS,
    Selector: (job) => selectorCell(objectAt(job, 'spec', 'selector')),
  },
};

/** The first that holds; being deleted stands between what has ended and what goes on. */
function statusOf(job: ApiObject): string {
  const holds = (type: string): boolean =>
    textAt(conditionOf(objectAt(job, 'status'), type), 'status') === 'True';
  const ended = ['Complete', 'Failed'].find(holds);
  if (ended !== undefined) return ended;
  if (isTerminating(job)) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function completionsOf(job: ApiObject): string {
  const succeeded = countAt(job, 'status', 'succeeded');
  const wanted = shownAt(job, 'spec', 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = countAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf(job: ApiObject): CellValue {
  const start = instantOf(textAt(job, 'status', 'startTime'));
  if (typeof start !== 'number') return '';
  const end = instantOf(textAt(job, 'status', 'completionTime'));
  return typeof end === 'number' ? humanDuration(end - start) : new Elapsed(start);
}

export const cronJobTable: KindTable = {
  group,
  kind: 'CronJob',
  cells: {
    Suspend: (object) => {
      const suspend = valueAt(object, ['spec', 'suspend']);
      return suspend === undefined ? '<unset>' : suspend === true ? 'True' : 'False';
    },
    Active: lengthOf('status', 'active'),
    'Last Schedule': (object) => {
      const last = valueAt(object, ['status', 'lastScheduleTime']);
      return last === undefined ? '<none>' : timeSince(last);
    },
    ...containerCells('spec', 'jobTemplate', 'spec', 'template', 'spec'),
    Selector: (object) => selectorCell(objectAt(object, 'spec', 'jobTemplate', 'spec', 'selector')),
  },
};
