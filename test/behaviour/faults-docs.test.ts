/** Every block of docs/faults.md is run. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import * as library from '../../mockserver/index.js';
import { reference } from '../../mockserver/faults/reference.js';
import { readRuleText } from '../../mockserver/faults/rule-reader.js';

const run = promisify(execFile);
const text = readFileSync(fileURLToPath(new URL('../../docs/faults.md', import.meta.url)), 'utf8');
const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = ''], i) => ({
  number: i + 1,
  language,
  code,
  firstLine: code.split('\n').find((line) => line !== '' && !line.startsWith('import')) ?? '',
}));

let server: library.MockServer;
beforeAll(async () => {
  server = await library.startMockServer();
});
afterEach(() => server.faults.reset());
afterAll(() => server.stop());

test('the page has blocks of each language', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['ts', 'yaml', 'sh']));
});

test.each(blocks)('block $number ($language) runs: $firstLine', async ({ language, code }) => {
  switch (language) {
    case 'yaml':
      expect(readRuleText(code).rules.length).toBeGreaterThan(0);
      return;
    case 'sh':
      await run('bash', ['-euc', code], { env: { ...process.env, URL: server.url } });
      return;
    case 'ts':
      await runScript(code.replace(/^import .*$/gm, ''));
      return;
    default:
      throw new Error(`nobody runs blocks of ${language}`);
  }
});

async function runScript(code: string): Promise<void> {
  const { code: body } = transformSync(`async function run() {${code}}\nawait run();`, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    isModule: true,
  });
  const names = { ...library, expect, ...(body.includes('startMockServer()') ? {} : { server }) };
  // The constructor of async functions has no name of its own; what it makes is called with the names above.
  const AsyncFunction = (async () => Promise.resolve()).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<unknown>;
  await new AsyncFunction(...Object.keys(names), body)(...Object.values(names));
}

test('the reference is what is declared', () => {
  const written = /<!-- reference -->\n([^]*?)<!-- \/reference -->/.exec(text)?.[1]?.trim();
  expect(written).toBe(reference());
});

test('every scenario has a recipe', () => {
  for (const name of library.scenarioNames()) expect(text).toContain(`scenario('${name}')`);
});
