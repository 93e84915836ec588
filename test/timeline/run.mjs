#!/usr/bin/env node
/** Opens the timeline of a journal in a headless browser: no error on its console, every lane there, a screenshot. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { storyPage } from './story.mjs';

const { values } = parseArgs({ options: { screenshot: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(
    'usage: npm run timeline -- [--screenshot FILE]\nexit: 0 as it should be, or no chromium; 1 not',
  );
  process.exit(0);
}

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { timeout: 30_000 }).status === 0,
);
if (browser === undefined) {
  console.log('skipped: no chromium is on PATH');
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-timeline-'));
const screenshot = values.screenshot ?? join(folder, 'timeline.png');
mkdirSync(dirname(screenshot), { recursive: true });
try {
  const page = join(folder, 'timeline.html');
  const html = await storyPage();
  writeFileSync(page, html);
  const shown = open(page, '--dump-dom');
  open(page, '--hide-scrollbars', '--window-size=1300,900', `--screenshot=${screenshot}`);
  const count = (text, what) => text.split(what).length - 1;
  const same = (what) => count(shown.output, what) > 0 && count(shown.output, what) === count(html, what);
  const checks = {
    'no error on the console': !/CONSOLE|Uncaught|ERR_/.test(shown.errors),
    'a section for each client': count(shown.output, '<section>') === 4,
    'the title as text': shown.output.includes('<h1>A story &lt;of&gt; clients &amp; faults</h1>'),
    'every lane and request': same('<g>'),
    'watches that are synced': same('<rect class="synced"'),
    'watches that are behind': same('<rect class="unsynced"'),
    'watches that are stalled': same('<rect class="stalled"'),
    'lists from the beginning': same('<rect class="relist"'),
    events: same('<line class="event"'),
    'the end of initial events': same('<line class="marker"'),
    faults: same('<circle class="fault"'),
    'a screenshot': readFileSync(screenshot).subarray(1, 4).toString() === 'PNG',
  };
  const missing = Object.keys(checks).filter((what) => !checks[what]);
  for (const what of missing) console.log(`missing: ${what}`);
  console.log(
    `timeline: ${Object.keys(checks).length - missing.length} checks at or above their floor, ${missing.length} below`,
  );
  process.exitCode = missing.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Errors: an Error when the browser fails. */
function open(page, ...args) {
  const run = spawnSync(
    browser,
    // No sandbox: it needs more than a container allows, and the page is our own.
    ['--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', ...args, `file://${page}`],
    { encoding: 'utf8', timeout: 90_000, maxBuffer: 64 * 1024 * 1024 },
  );
  if (run.status !== 0) throw new Error(`${browser}: ${run.error?.message ?? run.stderr}`);
  return { output: run.stdout, errors: run.stderr };
}
