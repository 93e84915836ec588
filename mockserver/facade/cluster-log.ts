/** A cluster that is kept in a file: what it was, and what signs its tokens. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { newKey, ServiceAccountTokens } from '../access/service-account-tokens.js';
import { type ClusterClock } from '../ground/cluster-clock.js';
import { ClusterImage } from '../registry/cluster-image.js';
import { LogFile } from '../store/log-file.js';

export interface ClusterLog {
  readonly file: LogFile;
  /** What the cluster was when it was last written. Shape: undefined for a new one. */
  readonly image: ClusterImage | undefined;
  /** Tokens of before stay good. */
  readonly tokens: ServiceAccountTokens;
}

interface Parts {
  readonly path: string;
  /** Goes on from where it stood when the last change was written, when that is later than now. */
  readonly clock: ClusterClock;
  readonly kubernetesVersion: string;
  readonly report: (message: string) => void;
}

/** Errors: as `LogFile.open`. */
export function openClusterLog({ path, clock, kubernetesVersion, report }: Parts): ClusterLog {
  const { log, state } = LogFile.open({ path, clock, kubernetesVersion, report });
  if (state !== undefined) goOnFrom(clock, state.timeMs);
  return {
    file: log,
    image: state && new ClusterImage(state.image, new Map()),
    tokens: new ServiceAccountTokens(() => signingKey(log, state?.kept.get(SIGNING_KEY))),
  };
}

const SIGNING_KEY = 'service account key';

function signingKey(log: LogFile, pem: string | undefined): KeyObject {
  if (pem !== undefined) return createPrivateKey(pem);
  const key = newKey();
  log.keep(SIGNING_KEY, key.export({ type: 'pkcs8', format: 'pem' }).toString());
  return key;
}

function goOnFrom(clock: ClusterClock, timeMs: number): void {
  if (timeMs <= clock.now()) return;
  const { frozen } = clock;
  clock.freeze(timeMs);
  if (!frozen) clock.run();
}
