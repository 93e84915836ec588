import { jest } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProgressBar } from '../../../mockserver/cli/progress-bar.js';
import { readChecked } from '../../../mockserver/ground/checked-document.js';
import { DEFAULT_COSTS } from '../../../mockserver/simulator/costs.js';
import { SCENARIO } from '../../../mockserver/simulator/scenario-schema.js';
import { run } from '../../../mockserver/cli/program.js';

const folder = mkdtempSync(join(tmpdir(), 'simulate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

/** The exit code and what was written. */
async function outcome(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const out = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => ((written.out += String(text)), true));
  const err = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => ((written.err += String(text)), true));
  try {
    return { code: await run(['simulate', ...args]), ...written };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

test('a scenario file gives tables, JSON and a page', async () => {
  writeFileSync(
    path('a.yaml'),
    'seconds: 1\nwrites: {u: {perSecond: 10}}\nwatchers: {healthy: {}}\nvariants: {gate on: {}}\n',
  );
  const { code, out } = await outcome(path('a.yaml'), '--json', path('a.json'), '--html', path('a.html'));
  expect(code).toBe(0);
  expect(out).toContain('healthy (1)');
  expect(JSON.parse(readFileSync(path('a.json'), 'utf8'))).toMatchObject({
    costsFrom: 'the defaults of the package',
    runs: [{ variant: 'gate on', populations: [{ name: 'healthy', latency: { count: 9 } }] }],
  });
  expect(readFileSync(path('a.html'), 'utf8')).toContain('<svg');
});

test('a scenario that cannot be used is told with file and line', async () => {
  writeFileSync(path('b.yaml'), 'seconds: 1\nwrites: {}\n');
  const { code, err } = await outcome(path('b.yaml'));
  expect(code).toBe(1);
  expect(err).toContain(`${path('b.yaml')}:1: watchers: is required`);
});

test('a name that nobody knows is told with the names there are', async () => {
  const { code, err } = await outcome('no-such-thing');
  expect(code).toBe(1);
  expect(err).toContain('benchmark-family, burst-512');
});

test('the list and the schema are printed', async () => {
  expect((await outcome('--list')).out.split('\n')).toContain('benchmark-family');
  expect(JSON.parse((await outcome('--schema')).out)).toMatchObject({
    required: ['seconds', 'writes', 'watchers'],
  });
});

test('what calibrating prints may stand in a scenario file', async () => {
  const { code, out } = await outcome('--calibrate');
  expect(code).toBe(0);
  const text = `seconds: 1\nwrites: {}\nwatchers: {a: {}}\n${out}`;
  const { costs = {} } = readChecked(text, 'a.yaml', SCENARIO);
  expect(Object.keys(costs)).toEqual(Object.keys(DEFAULT_COSTS));
  expect(Math.min(...Object.values(costs))).toBeGreaterThan(0);
}, 60_000);

test('a progress bar shows itself when something takes long, and goes away', () => {
  let now = 0;
  let written = '';
  const bar = new ProgressBar({ write: (text) => (written += text), writableLength: 0 }, () => now);
  bar.show(0.1, 'run 1 of 2');
  expect(written).toBe('');
  now = 1000;
  bar.show(0.5, 'run 1 of 2');
  expect(written).toContain('50 % run 1 of 2, 1 s left');
  bar.clear();
  expect(written.endsWith('\r\x1b[K')).toBe(true);
});
