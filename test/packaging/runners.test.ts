/** Small projects of users, with every runner and every transformer, against the packed tarball. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { installedCopy, type Packed, root, run } from './installed.js';

let folder: string;
let packed: Packed;

beforeAll(() => {
  ({ folder, packed } = installedCopy(join(root, 'test/packaging/projects')));
}, 400_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const bin = (path: string): string => join(folder, 'node_modules', path);
const JEST = 'jest/bin/jest.js';

test.each([
  { project: 'jest-babel', what: 'CommonJS through babel', args: [JEST, '--testPathPatterns', 'cluster'] },
  { project: 'jest-swc', what: 'TypeScript through @swc/jest', args: [JEST] },
  { project: 'jest-ts-jest', what: 'TypeScript through ts-jest, types checked', args: [JEST] },
  { project: 'vitest', what: 'vitest', args: ['vitest/vitest.mjs', 'run'] },
])(
  'the tests of a project with $what pass',
  ({ project, args: [script = '', ...args] }) => {
    run(process.execPath, [bin(script), ...args], join(folder, project));
  },
  120_000,
);

test('the tests of a project with ESM in jest pass', () => {
  run(process.execPath, ['--experimental-vm-modules', bin(JEST)], join(folder, 'jest-esm'));
}, 120_000);

test('the tests of a project with node:test pass, ESM and CommonJS', () => {
  expect(run(process.execPath, ['--test'], join(folder, 'node-test'))).toMatch(/(?:#|ℹ) pass 4/);
}, 120_000);

test('the report of a test that fails tells what the clients did', () => {
  const failing = (): string =>
    run(process.execPath, [bin(JEST), '--testPathPatterns', 'failing'], join(folder, 'jest-babel'));
  expect(failing).toThrow(/what the clients did in cluster-\d+:\s+my-operator\/1 on pods/);
}, 120_000);

test('the types of every entrance are right for ESM and for CommonJS', () => {
  // Entrances that are ESM alone say so; node10 knows no exports at all.
  const settings = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--format', 'ascii'];
  run(process.execPath, [bin('@arethetypeswrong/cli/dist/index.js'), packed.filename, ...settings], folder);
}, 120_000);

test('publint has nothing against the package', () => {
  const said = run(process.execPath, [bin('publint/src/cli.js'), packed.filename, '--strict'], folder);
  expect(said).toContain('All good');
}, 120_000);

test('the tarball is small', () => {
  expect(packed.size).toBeLessThan(3_000_000);
});
