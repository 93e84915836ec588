/** The tables of flow schemas and priority levels. */
import { compareUtf8 } from '../../ground/json.js';
import { nameOf } from '../../ground/object.js';
import { type Cell, conditionOf, count, countAt, objectAt, setOr, textAt, textOr } from '../tables/cell.js';
import { type KindTable } from '../tables/kind-table.js';

const group = 'flowcontrol.apiserver.k8s.io';

/** Its list stands in the order in which the schemas are tried. */
export const flowSchemaTable: KindTable = {
  group,
  kind: 'FlowSchema',
  cells: {
    PriorityLevel: textOr('', 'spec', 'priorityLevelConfiguration', 'name'),
    MatchingPrecedence: count('spec', 'matchingPrecedence'),
    DistinguisherMethod: setOr('<none>', 'spec', 'distinguisherMethod', 'type'),
    MissingPL: (schema) => {
      const dangling = conditionOf(objectAt(schema, 'status'), 'Dangling');
      return dangling === undefined ? '?' : textAt(dangling, 'status');
    },
  },
  order: (a, b) => {
    const precedence =
      Number(countAt(a, 'spec', 'matchingPrecedence')) - Number(countAt(b, 'spec', 'matchingPrecedence'));
    return precedence || compareUtf8(nameOf(a), nameOf(b));
  },
};

const queuing =
  (name: string): Cell =>
  (level) => {
    const queues = objectAt(level, 'spec', 'limited', 'limitResponse', 'queuing');
    return queues === undefined ? '<none>' : countAt(queues, name);
  };

export const priorityLevelTable: KindTable = {
  group,
  kind: 'PriorityLevelConfiguration',
  cells: {
    NominalConcurrencyShares: (level) => {
      const limited = objectAt(level, 'spec', 'limited');
      return limited === undefined ? '<none>' : countAt(limited, 'nominalConcurrencyShares');
    },
    Queues: queuing('queues'),
    HandSize: queuing('handSize'),
    QueueLengthLimit: queuing('queueLengthLimit'),
  },
};
