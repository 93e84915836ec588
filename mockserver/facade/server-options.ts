/** What a server can be told when it starts. */
import { type Clock } from '../ground/clock.js';
import { type FaultRule } from '../faults/rule.js';
import { type Random } from '../ground/random.js';
import { type RequestObserver } from '../http/request-observer.js';
import { type ClusterOptions } from '../registry/cluster-options.js';

export interface ServerOptions {
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free port. @default 0 */
  readonly port?: number;
  /** Certificate and key in PEM; present: HTTPS. `ca`: what signed it, for the kubeconfig. @default plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string };
  /** Content of a token file in kube-apiserver's form. @default everybody is kubernetes-admin */
  readonly tokens?: string;
  /** Where to write a kubeconfig. @default nowhere */
  readonly kubeconfigPath?: string;
  /** YAML or JSON files, or folders of them, whose objects are created at the start. @default none */
  readonly load?: readonly string[];
  /** @default real time */
  readonly clock?: Clock;
  /** @default real chance */
  readonly random?: Random;
  /** Told of errors nobody expected. @default they are written to standard error */
  readonly onError?: (message: string, cause?: unknown) => void;
  /** Fault rules in force from the start. @default none */
  readonly faults?: readonly FaultRule[];
  /** For fault rules with a probability. @default 0 */
  readonly faultSeed?: number;
  /** Entries that the journal holds. @default 10000 */
  readonly journalCapacity?: number;
  /** Told of every request and its answer. @default nobody */
  readonly observer?: RequestObserver;
  /**
   * Controllers that run in the cluster, by the names that kube-controller-manager gives them; `*` stands for all there
   * are, `-name` takes one away. With serviceaccount-controller pods need a service account, as on a real server.
   * @default none
   */
  readonly controllers?: readonly string[];
  readonly cluster?: Partial<ClusterOptions>;
}
