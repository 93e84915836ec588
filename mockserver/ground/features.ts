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
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof FEATURES;
export type FeatureSet = Readonly<Record<FeatureName, boolean>>;

export const DEFAULT_FEATURES: FeatureSet = Object.freeze({ WatchList: FEATURES.WatchList.default });
