/**
 * Every option, declared once: the types of the library, the options of the command line, what the environment and
 * configuration files may set, the checks of all of them and docs/options.md come from here.
 */
import { type Snapshot } from '../control/snapshot.js';
import { type FakeNodeOptions } from '../controllers/nodes/fake-node-options.js';
import { type FaultRule } from '../faults/rule.js';
import { type Clock } from '../ground/clock.js';
import { FEATURES, type FeatureName } from '../ground/features.js';
import { type JsonValue } from '../ground/json.js';
import { type Random } from '../ground/random.js';
import { type RequestObserver } from '../http/request-observer.js';
import { type AdmissionOption } from '../registry/admission-options.js';
import { type ClusterOptions } from '../registry/cluster-options.js';
import { type LogEntry } from '../registry/log-book.js';
import {
  duration,
  flag,
  fn,
  list,
  names,
  object,
  oneOf,
  type OptionForm,
  path,
  paths,
  someOf,
  switches,
  text,
  time,
  whole,
} from './option-form.js';

export interface Option<T> {
  readonly form: OptionForm<T>;
  /** What it is for, a clause without a full stop. */
  readonly says: string;
  /** What holds where it is not given, in words. Absent: nothing. */
  readonly otherwise?: string;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What can be given for options that are declared so. */
export type Given<O extends Options> = {
  readonly [K in keyof O]?: O[K] extends Option<infer T> ? T : never;
};

const option = <T>(form: OptionForm<T>, says: string, otherwise?: string): Option<T> => ({
  form,
  says,
  ...(otherwise === undefined ? {} : { otherwise }),
});

const SERVERS = "of a further cluster the server's";

const host = option(text('address'), 'address to listen on', '127.0.0.1');
const port = option(whole(0, 65_535), 'port to listen on; 0 takes a free one', '0; 8080 of serve');
const controllers = option(
  names('name'),
  'controllers to run, by the names that kube-controller-manager gives them; * for all there are, -name for all but one; fake-node, which runs pods, is not among *',
  "none; of a further cluster the server's",
);
const seed = option(whole(), 'fixes uids, generated names, and all else that chance decides', 'real chance');
const startRevision = option(whole(0), 'the revision that the first commit follows', '0');
const frozenAt = option(time, 'the clock of the cluster stands there until it is moved', 'it runs');
const faultSeed = option(whole(), 'for fault rules with a probability', 'seed, or 0');
const journalCapacity = option(
  whole(0),
  'entries that the journal holds',
  "10000; of a further cluster the server's",
);
const load = option(
  paths('path'),
  'YAML or JSON file, or a folder of them, whose objects are created at the start; may be repeated',
);
const openapi = option(
  text('where'),
  'serve the API of a real cluster: a folder that `kube-mockserver import` wrote, an OpenAPI document, or the URL of a document or of a cluster',
  'the API of a plain cluster',
);
const stored = option(
  path(),
  'file that keeps the cluster: what is written is in it before it is answered, and there again at the next start; load and objects are for a new one',
);
const tokens = option(
  text('text'),
  "content of a token file in kube-apiserver's form; without one everybody is kubernetes-admin",
  SERVERS,
);
const faults = option(list<FaultRule>(), 'fault rules in force from the start');
const logs = option(
  list<LogEntry>(),
  'lines that containers have written from the start, as `logs.add` takes them',
);
const fakeNode = option(
  object<FakeNodeOptions>(),
  'how fake-node runs pods',
  "they are ready at once; of a further cluster the server's",
);
const clusterName = option(
  text('name'),
  'its name in paths, /clusters/NAME: a DNS label',
  'one that is free',
);

const objects = option(
  list<JsonValue>(),
  'objects that are created at the start; those that wait for others of the list may stand before them',
);

/** Of a cluster that is made by a request: nothing that names a file of the machine it runs on. */
export const REQUEST_OPTIONS = {
  name: clusterName,
  tokens,
  seed,
  startRevision,
  frozenAt,
  objects,
  faults,
  faultSeed,
  logs,
  journalCapacity,
  controllers,
  fakeNode,
};

/** Of any cluster, also of the one that a server begins with. */
const ANY_CLUSTER = {
  cluster: option(
    object<Partial<ClusterOptions>>(),
    'caches, history, features and the rest; see below',
    SERVERS,
  ),
  admission: option<AdmissionOption>(
    {
      needed: "an object, or 'none'",
      holds: (value) => value === 'none' || (typeof value === 'object' && value !== null),
    },
    "short for cluster.admission, before which it goes: plugins to `enable` and `disable`, or 'none'",
    SERVERS,
  ),
  controllers,
  fakeNode,
  tokens,
  seed,
  startRevision,
  frozenAt,
  load,
  objects,
  data: stored,
  faults,
  faultSeed,
  logs,
  journalCapacity,
};

/** Of a further cluster. */
export const CLUSTER_OPTIONS = {
  name: clusterName,
  from: option(
    object<Snapshot>(),
    'what it begins with: a snapshot of any cluster of the same server',
    "a fresh cluster's objects",
  ),
  ...ANY_CLUSTER,
};

const TLS = 'certificate and key in PEM; given: HTTPS; `ca`: what signed it, for the kubeconfig';

/** Of a server; what is said of a cluster is said of its default one. */
export const SERVER_OPTIONS = {
  host,
  port,
  tls: option(
    object<{ readonly cert: string; readonly key: string; readonly ca?: string }>(),
    TLS,
    'plain HTTP',
  ),
  kubeconfigPath: option(path(), 'where to write a kubeconfig', 'nowhere'),
  openapi,
  ...ANY_CLUSTER,
  clock: option(object<Clock>(), 'what the clocks of clusters run with', 'real time'),
  random: option(object<Random>(), 'chance, where there is no seed', 'real chance'),
  onError: option(
    fn<(message: string, cause?: unknown) => void>(),
    'told of errors nobody expected',
    'they are written to standard error',
  ),
  observer: option(object<RequestObserver>(), 'told of every request and its answer', 'nobody'),
};

// as: the keys of the table of features
const FEATURE_NAMES = Object.keys(FEATURES) as FeatureName[];

/** Of the command line, the environment and configuration files. */
export const LINE_OPTIONS = {
  port,
  host,
  kubeconfig: option(path(), 'where to write a kubeconfig', 'a file in the temporary folder'),
  tokenAuthFile: option(
    path(),
    "users by bearer token, in kube-apiserver's form; without it everybody is kubernetes-admin",
  ),
  load,
  openapi,
  data: stored,
  compactionInterval: option(duration, 'how often history is compacted; 0 never', '5m'),
  eventTtl: option(
    duration,
    'how long Events stay after they were last written; 0: until they are deleted',
    '1h',
  ),
  featureGates: option(
    switches(FEATURE_NAMES),
    'features to switch, such as WatchCacheStallResume=false; may be repeated',
  ),
  admission: option(
    oneOf(['default', 'none']),
    'the plugins of admission: those of kube-apiserver, or none but NamespaceLifecycle',
    'default',
  ),
  enableAdmissionPlugins: option(
    names('name'),
    'plugins of admission besides, such as ServiceAccount; may be repeated',
  ),
  disableAdmissionPlugins: option(names('name'), 'plugins of admission that do not run; may be repeated'),
  tlsCertFile: option(path(), 'serve HTTPS with this certificate (PEM)', 'plain HTTP'),
  tlsPrivateKeyFile: option(path(), 'the key of the certificate (PEM)'),
  faults: option(paths('file'), 'YAML or JSON file of fault rules in force from the start; may be repeated'),
  scenario: option(names('name'), 'named fault rules that come with the package; may be repeated'),
  logs: option(paths('file'), 'YAML or JSON file of lines that containers have written; may be repeated'),
  controllers,
  fakeNode: option(path(), 'YAML or JSON file that says how fake-node runs pods', 'they are ready at once'),
  seed,
  startRevision,
  frozenAt,
  faultSeed,
  journalCapacity,
  journal: option(
    path(),
    'file, begun anew, that every entry of the journal of the first cluster is written to as it comes, one JSON document a line',
    'none is written',
  ),
  verbose: option(flag, 'log every watch, when it ends too, and the whole name of every client'),
  quiet: option(flag, 'log no requests'),
};

/** What a run can be made to fail on. */
export const FAILURES = ['hot-loop', 'unfired', 'relist-storm', 'stale-reads'] as const;

/** Of `exec`, besides. */
export const EXEC_OPTIONS = {
  report: option(path('folder'), 'where to write journal.jsonl, explain.txt, faults.json and timeline.html'),
  failOn: option(someOf(FAILURES), `fail with exit code 3 on any of ${FAILURES.join(', ')}`),
};

/** What a server can be told when it starts. Each option is described in docs/options.md. */
export type ServerOptions = Given<typeof SERVER_OPTIONS>;

/** What a further cluster can be told when it is made. Each option is described in docs/options.md. */
export type ClusterSettings = Given<typeof CLUSTER_OPTIONS>;

/** What a request can tell a cluster that it makes. */
export type RequestedSettings = Given<typeof REQUEST_OPTIONS>;

/** What a command line, the environment and a configuration file say together. */
export type LineSettings = Given<typeof LINE_OPTIONS>;

/** Of `exec`. */
export type ExecSettings = LineSettings & Given<typeof EXEC_OPTIONS>;
