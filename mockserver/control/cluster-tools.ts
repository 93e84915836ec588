/** What stands beside a cluster for its user: faults, journal, control, and the hooks that connect them with its requests. */
import { type Clock } from '../ground/clock.js';
import { type ClusterClock } from '../ground/cluster-clock.js';
import { type PodRules } from '../controllers/nodes/pod-rules.js';
import { type FaultRule } from '../faults/rule.js';
import { Faults } from '../faults/faults.js';
import { ListPages } from '../faults/list-pages.js';
import { type ClusterHooks } from '../http/cluster-hooks.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { Journal } from '../observe/journal.js';
import { type Cluster } from '../registry/cluster.js';
import { type LogEntry } from '../registry/log-book.js';
import { type ClusterDirectory } from './cluster-directory.js';
import { ClusterControl } from './cluster-control.js';
import { MockHooks } from './mock-hooks.js';
import { MockRoutes } from './mock-routes.js';

export interface ClusterToolsParts {
  readonly cluster: Cluster;
  /** The cluster's. */
  readonly clock: ClusterClock;
  readonly directory: ClusterDirectory;
  /** Of the cluster, as YAML. */
  readonly kubeconfig: () => string;
  /** How `fake-node` runs pods. */
  readonly podRules: PodRules;
  /** Lets chance and time begin again. */
  readonly restart: () => void;
  /** Bounds waits on the journal: real time. */
  readonly pace: Clock;
  /** Entries that the journal holds. @default 10000 */
  readonly journalCapacity?: number;
  /** For rules with a probability. @default 0 */
  readonly seed?: number;
  /** In force from the start. */
  readonly rules?: readonly FaultRule[];
  /** There from the start. */
  readonly logs?: readonly LogEntry[];
}

export interface ClusterTools {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly control: ClusterControl;
  readonly hooks: ClusterHooks;
}

export function clusterTools(parts: ClusterToolsParts): ClusterTools {
  const { cluster, clock, pace, journalCapacity, seed, rules = [], logs = [] } = parts;
  const pages = new ListPages();
  const facts = { revision: () => cluster.store.revision, pageOf: (view: RequestView) => pages.pageOf(view) };
  const faults = new Faults({ clock, facts, ...(seed === undefined ? {} : { seed }) });
  const journal = new Journal({
    clock,
    pace,
    ...(journalCapacity === undefined ? {} : { capacity: journalCapacity }),
    realTime: pace,
  });
  const control = new ClusterControl({ cluster, faults, rules, logs, journal, restart: parts.restart });
  const { directory, kubeconfig, podRules } = parts;
  const routes = new MockRoutes({
    faults,
    journal,
    logs: cluster.logs,
    control,
    clock,
    podRules,
    directory,
    kubeconfig,
  });
  const hooks = new MockHooks({
    faults,
    journal,
    control,
    pages,
    own: (exchange, path, query) => routes.serve(exchange, path, query),
  });
  return { faults, journal, control, hooks };
}
