/**
 * What each figure should reach. `least`: the figure or more; `most`: the figure or less.
 * "The limit" is limit-server.mjs: bare node:http that does as little as can be done for the same bytes.
 */
export const TARGETS = {
  'get.ratio': { least: 0.6, unit: 'of the limit' },
  'create.ratio': { least: 0.4, unit: 'of the limit' },
  'list.timeRatio': { most: 1.5, unit: 'times the limit' },
  'list.peakExtraShare': { most: 0.1, unit: 'of the body' },
  'table.timeRatio': { most: 2, unit: 'times the plain list' },
  'protobuf.get.ratio': { least: 1, unit: 'of JSON' },
  'protobuf.list.ratio': { most: 1, unit: 'times JSON' },
  'protobuf.watch.ratio': { least: 1, unit: 'of JSON' },
  'ownership.apply.timeRatio': { most: 20, unit: 'times parse and stringify' },
  'ownership.update.timeRatio': { most: 2, unit: 'times one without it' },
  'validation.deployment.us': { most: 50, unit: 'µs' },
  'validation.deployment.timeRatio': { most: 3, unit: 'times JSON.parse' },
  'custom.validation.us': { most: 100, unit: 'µs' },
  'custom.validation.timeRatio': { most: 6, unit: 'times JSON.parse' },
  'custom.registration.ms': { most: 20, unit: 'ms' },
  'custom.hundredDefinitions.ms': { most: 1000, unit: 'ms' },
  'custom.memoryRatio': { most: 3, unit: 'times their JSON' },
  'watchers.ratio': { least: 0.6, unit: 'of the limit' },
  'start.firstListMs': { most: 300, unit: 'ms' },
  'import.startMs': { most: 100, unit: 'ms' },
  'idle.rssMb': { most: 100, unit: 'MB' },
  'objects.rssMb': { most: 400, unit: 'MB' },
  'beside.creates.ratio': { least: 5, unit: 'times the real one' },
  'beside.gets.ratio': { least: 5, unit: 'times the real one' },
  'beside.list.timeRatio': { most: 0.333, unit: 'times the real one' },
  'beside.watchList.timeRatio': { most: 0.333, unit: 'times the real one' },
};
