/** What a server can be told when it starts. */
import { type Clock } from '../ground/clock.js';
import { type ClusterSettings } from './cluster-settings.js';
import { type Random } from '../ground/random.js';
import { type RequestObserver } from '../http/request-observer.js';

/** What is said of a cluster is said of the default one; see ClusterSettings for what others have from it. */
export interface ServerOptions extends Omit<ClusterSettings, 'name' | 'from'> {
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free port. @default 0 */
  readonly port?: number;
  /** Certificate and key in PEM; present: HTTPS. `ca`: what signed it, for the kubeconfig. @default plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string };
  /** Where to write a kubeconfig. @default nowhere */
  readonly kubeconfigPath?: string;
  /** @default real time */
  readonly clock?: Clock;
  /** @default real chance */
  readonly random?: Random;
  /** Told of errors nobody expected. @default they are written to standard error */
  readonly onError?: (message: string, cause?: unknown) => void;
  /** Told of every request and its answer. @default nobody */
  readonly observer?: RequestObserver;
}
