// What users load, in a few files: loading hundreds of modules takes longer than all else that a server does until it
// listens. All entrances are bundled at once and share their chunks, so that there is one of each class whichever of
// them a program comes through.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the file in dist/mockserver/bundle → its module, below dist/. */
const ENTRANCES = {
  main: 'mockserver/cli/main',
  index: 'mockserver/index',
  client: 'testkit/client/index',
  matchers: 'testkit/runners/matchers',
  jest: 'testkit/runners/jest',
  'jest-global-setup': 'testkit/runners/jest-global-setup',
  'jest-global-teardown': 'testkit/runners/jest-global-teardown',
  vitest: 'testkit/runners/vitest',
  'vitest-global-setup': 'testkit/runners/vitest-global-setup',
  'node-test': 'testkit/runners/node-test',
};

/** @param root of the package, with dist/ compiled */
export async function writeBundle(root) {
  const compiled = join(root, 'dist');
  // Modules that look for files of the package from where they lie know this place too.
  const outdir = join(compiled, 'mockserver/bundle');
  // Not at the top: an installed package is built already and has no bundler.
  const { build } = await import('esbuild');
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(ENTRANCES).map(([name, module]) => [name, join(compiled, `${module}.js`)]),
    ),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external', // they stay what they are
    logLevel: 'warning',
  });
  const main = join(compiled, 'mockserver/cli/main.js');
  writeFileSync(main, "#!/usr/bin/env node\nimport '../bundle/main.js';\n");
}
