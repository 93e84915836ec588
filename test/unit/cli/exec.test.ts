/** A command beside a server: its exit code, its report, and what it is made to fail on. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from '../../../mockserver/cli/exec.js';
import { explain } from '../../../mockserver/cli/explain.js';
import { type ExecSettings } from '../../../mockserver/facade/options.js';

const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-exec-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = join(folder, 'plan.yaml');
writeFileSync(
  plan,
  'description: Lists fail once.\nrules:\n- name: busy\n  match: {verb: list, resource: configmaps}\n  effect: {kind: status, code: 503}\n  times: 1\n',
);

const settings = (more: ExecSettings): ExecSettings => ({ faults: [plan], quiet: true, ...more });

/** A program that asks for ConfigMaps so many times. */
const asking = (times: number): readonly string[] => [
  '-e',
  `const url = require('node:fs').readFileSync(process.env.KUBECONFIG, 'utf8').match(/server: "?([^"\\n]+)/)[1];
   (async () => { for (let i = 0; i < ${times}; i++) await fetch(url + '/api/v1/configmaps'); })();`,
];

test('a report says what happened', async () => {
  const report = join(folder, 'out');
  expect(await exec(settings({ report }), process.execPath, asking(2))).toBe(0);
  expect(readdirSync(report).sort()).toEqual([
    'explain.txt',
    'faults.json',
    'journal.jsonl',
    'timeline.html',
  ]);
  expect(readFileSync(join(report, 'explain.txt'), 'utf8')).toContain('1. lists; answered 503; faults: busy');
  expect(JSON.parse(readFileSync(join(report, 'faults.json'), 'utf8'))).toMatchObject({
    rules: [{ name: 'busy', fired: 1 }],
    unfired: [],
  });
});

test.each<{ name: string; asked: number; failOn: NonNullable<ExecSettings['failOn']>; code: number }>([
  { name: 'nothing', asked: 2, failOn: ['unfired', 'hot-loop'], code: 0 },
  { name: 'a rule that never fired', asked: 0, failOn: ['unfired'], code: 3 },
  { name: 'a hot loop', asked: 30, failOn: ['hot-loop'], code: 3 },
  { name: 'a hot loop, which nobody minds', asked: 30, failOn: ['unfired'], code: 0 },
])('it fails on what it is told to: $name', async ({ asked, failOn, code }) => {
  expect(await exec(settings({ failOn }), process.execPath, asking(asked))).toBe(code);
});

test('every entry of the journal is in a file, whether or not the journal holds it', async () => {
  const journal = join(folder, 'all.jsonl');
  expect(await exec(settings({ journal, journalCapacity: 0 }), process.execPath, asking(2))).toBe(0);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const codes = lines.map((line) => JSON.parse(line) as { kind: string; code?: number }); // as JournalEntry says
  expect(codes.filter(({ kind }) => kind === 'response').map(({ code }) => code)).toEqual([503, 200]);
});

test('a journal that cannot be written is told before the command is run', async () => {
  const journal = join(folder, 'missing', 'all.jsonl');
  await expect(exec(settings({ journal }), process.execPath, asking(1))).rejects.toThrow(/ENOENT/);
});

test("a command's own failure comes first", async () => {
  expect(await exec(settings({ failOn: ['unfired'] }), process.execPath, ['-e', 'process.exit(7)'])).toBe(7);
});

test('a plan is explained in words', () => {
  expect(explain(plan)).toBe(
    'Lists fail once.\n\n1. busy\n   At each list of configmaps, once: answers 503.',
  );
  expect(explain('lost-answer')).toContain(
    'At each update of leases, once: commits and loses the answer (reset).',
  );
});
