import { Histogram, Numbers } from '../../../mockserver/observe/series.js';
import { WatchSeries } from '../../../mockserver/observe/watch-series.js';

const counter = (name: string): Numbers =>
  new Numbers('counter', { name, help: 'What it counts.', stability: 'ALPHA' });

test('a family without a series is not shown', () => {
  expect(counter('a_total').text()).toEqual([]);
});

test('labels stand in the order of their names, with their values escaped', () => {
  const family = counter('a_total');
  family.add({ resource: 'pods', group: '' });
  family.add({ resource: 'a"b\\c\nd', group: 'x' }, 2);
  family.add({ resource: 'pods', group: '' });
  expect(family.text()).toEqual([
    '# HELP a_total [ALPHA] What it counts.',
    '# TYPE a_total counter',
    'a_total{group="",resource="pods"} 2',
    'a_total{group="x",resource="a\\"b\\\\c\\nd"} 2',
  ]);
});

test('the buckets of a histogram hold what is at or below their bounds', () => {
  const family = new Histogram([1, 4], { name: 'h', help: 'Sizes.', stability: 'BETA' });
  for (const value of [1, 2, 4, 5]) family.observe({ resource: 'pods' }, value);
  expect(family.text()).toEqual([
    '# HELP h [BETA] Sizes.',
    '# TYPE h histogram',
    'h_bucket{resource="pods",le="1"} 1',
    'h_bucket{resource="pods",le="4"} 3',
    'h_bucket{resource="pods",le="+Inf"} 4',
    'h_sum{resource="pods"} 12',
    'h_count{resource="pods"} 4',
  ]);
});

test('caches that share a series each add their own part and take it back', () => {
  const series = new WatchSeries();
  const [first, second] = [0, 1].map(() => series.of({ group: 'ex.io', resource: 'widgets' }));
  const behind = (): string | undefined =>
    series
      .families([])
      .flatMap((family) => family.text())
      .find((line) => line.startsWith('apiserver_watch_cache_stalled_watchers{'));
  first?.unsynced(3);
  second?.unsynced(2);
  first?.unsynced(1);
  expect(behind()).toBe('apiserver_watch_cache_stalled_watchers{group="ex.io",resource="widgets"} 3');
  first?.unsynced(0);
  second?.unsynced(0);
  expect(behind()).toBe('apiserver_watch_cache_stalled_watchers{group="ex.io",resource="widgets"} 0');
});
