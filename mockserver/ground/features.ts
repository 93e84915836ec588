/** Feature gates: behaviour that can be switched, with its default, its effect and its source. */

export interface Feature {
  readonly default: boolean;
  readonly effect: string;
  readonly source: string;
}

export const FEATURES = {
  WatchList: {
    default: true,
    effect: 'sendInitialEvents is served, and a watch without a version (or from 0) gets it by default',
    source: 'KEP-3157; beta and on in 1.36',
  },
  WatchCacheStallResume: {
    default: true,
    effect:
      'a watcher that cannot keep up catches up from the window on the same connection; off: the shared dispatch budget and the silent force-close of today',
    source: 'KEP-6268; alpha and off in kube-apiserver 1.38, on here since it is what this server is for',
  },
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof FEATURES;
export type FeatureSet = Readonly<Record<FeatureName, boolean>>;

export const DEFAULT_FEATURES: FeatureSet = Object.freeze({
  WatchList: FEATURES.WatchList.default,
  WatchCacheStallResume: FEATURES.WatchCacheStallResume.default,
});
