/** Each folder of examples/, copied away, with the packed tarball installed: its own `npm test` passes. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, root, run } from '../packaging/installed.js';

const EXAMPLES = join(root, 'examples');
/** Kept between runs: making it takes longer than all else. */
const PYTHON_ENVIRONMENT = join(tmpdir(), 'kube-mockserver-clients', 'python-kubernetes-37');
const names = readdirSync(EXAMPLES);

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-examples-'));
  tarball = join(folder, pack(folder).filename);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('there is an example for each of what is promised', () => {
  expect(names.sort()).toEqual([
    'ci-fault-script',
    'informer-under-faults',
    'multi-language',
    'node-test',
    'operator-jest',
    'reflector-fallback',
    'vitest',
  ]);
});

test.each(names)('%s says what it is', (name) => {
  expect(existsSync(join(EXAMPLES, name, 'README.md'))).toBe(true);
  const { devDependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  expect(devDependencies).toHaveProperty('kube-mockserver');
});

test.each(names)(
  'the tests of %s pass with the packed tarball',
  (name) => {
    const project = join(folder, name);
    cpSync(join(EXAMPLES, name), project, {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--save-dev', tarball], project);
    const said = run('npm', ['test'], project, { PYTHON_ENVIRONMENT });
    for (const [line] of said.matchAll(/^.*skipped: .*$/gm)) process.stderr.write(`${name}: ${line}\n`);
  },
  300_000,
);
