/**
 * What each figure should reach. `least`: the figure or more; `most`: the figure or less.
 * A provisional target is shown with a `~`: a first estimate, to be replaced when it has been decided.
 */
export const TARGETS = {
  'get.ratio': { least: 0.5, unit: 'of the limit', provisional: true },
  'create.ratio': { least: 0.3, unit: 'of the limit', provisional: true },
  'list.timeRatio': { most: 2, unit: 'times the limit', provisional: true },
  'list.peakExtraMb': { most: 64, unit: 'MB', provisional: true },
  'watchers.ratio': { least: 0.5, unit: 'of the limit', provisional: true },
  'start.firstListMs': { most: 500, unit: 'ms', provisional: true },
  'import.startMs': { most: 50, unit: 'ms', provisional: true },
  'idle.rssMb': { most: 120, unit: 'MB', provisional: true },
  'objects.rssMb': { most: 700, unit: 'MB', provisional: true },
};
