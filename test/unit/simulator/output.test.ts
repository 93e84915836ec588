/** The result as text and as a page. */
import { DEFAULT_COSTS } from '../../../mockserver/simulator/costs.js';
import { page } from '../../../mockserver/simulator/page.js';
import { plot } from '../../../mockserver/simulator/plots.js';
import { type SimulationResult } from '../../../mockserver/simulator/result.js';
import { resultText } from '../../../mockserver/simulator/table.js';
import { runsOf } from './scenarios.js';

const RESULT: SimulationResult = {
  description: 'Two <kinds> & more\nand what they meet',
  seed: 1,
  costs: DEFAULT_COSTS,
  costsFrom: 'made up',
  runs: runsOf(`
seconds: 2
objects: { count: 0 }
writes: { creates: { perSecond: 100, what: create } }
watchers:
  healthy: {}
  stalled: { link: { socketBytes: 0 }, reads: { stall: { fromMs: 0 } } }
sweep: { watchers.stalled.count: [0, 2] }
variants: { gate on: {}, gate off: { stallResume: false } }
`),
};

test('the text has a line for each population of each run, and one for each run, and says where its costs are from', () => {
  const lines = resultText(RESULT).split('\n');
  expect(lines.filter((line) => line.includes(' healthy (1) '))).toHaveLength(4);
  expect(lines.filter((line) => line.includes(' stalled (2) '))).toHaveLength(2);
  expect(lines.filter((line) => /\| [1-9]\d* unresponsive /.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^\| (0|2) +\| gate (on|off) /.test(line))).toHaveLength(4 + 2 + 4);
  expect(lines).toContain('Costs: made up.');
});

describe('the page', () => {
  const html = page(RESULT);

  test('needs nothing from elsewhere', () => {
    expect(html).not.toMatch(/\b(src|href)=|@import|url\(/);
  });

  test('shows what the scenario says as text, whatever it says', () => {
    expect(html).toContain('<title>Two &lt;kinds&gt; &amp; more</title>');
    expect(html).not.toContain('<kinds>');
  });

  test('has plots of delivery, lag, passes and terminations where there are any', () => {
    expect(html.match(/<figcaption>Delivery/g)).toHaveLength(2);
    for (const title of ['Lag of the furthest', 'Watchers that are behind', 'Passes: time', 'Watches ended'])
      expect(html.includes(title)).toBe(true);
  });

  test('closes what it opens', () => {
    const open: string[] = [];
    for (const [, slash, name = '', rest = ''] of html.matchAll(/<(\/?)([a-z0-9]+)((?:"[^"]*"|[^">])*)>/g)) {
      if (slash === '/') expect(open.pop()).toBe(name);
      else if (!rest.endsWith('/') && !['meta', 'br'].includes(name)) open.push(name);
    }
    expect(open).toEqual([]);
  });
});

test('a plot of nothing is not drawn, and of one point is', () => {
  expect(plot({ title: 'a', x: 'x', y: 'y', lines: [{ name: 'empty', points: [] }] })).toBe('');
  expect(plot({ title: 'a', x: 'x', y: 'y', lines: [{ name: 'one', points: [[3, 4]] }] })).not.toContain(
    'NaN',
  );
});
