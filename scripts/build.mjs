// Builds dist/: compiled JavaScript with types, the data files beside their loader, and the command line in one file.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCommonJs } from './common-js.mjs';
import { writeDescriptions } from './descriptions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// `npm install` of the packed tarball finds dist/ ready and no compiler: nothing to do there.
if (!existsSync(`${root}/tsconfig.build.json`)) process.exit(0);
rmSync(`${root}/dist`, { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', `${root}/tsconfig.build.json`],
  {
    stdio: 'inherit',
  },
);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
for (const version of ['1.36']) {
  cpSync(`${root}/openapi/${version}`, `${root}/dist/openapi/${version}`, { recursive: true });
  if (writeDescriptions({ root, version, into: `${root}/dist/openapi/${version}` }) === 0) {
    console.warn('client-node-2 is not installed: the API is served without descriptions');
  }
}
await bundleCommandLine(`${root}dist/mockserver/cli/main.js`);
await writeCommonJs(root);

// Loading hundreds of modules takes longer than all else that a server does until it listens, so the command line is
// one. Packages stay what they are, and so do the modules of openapi/, which find their data by where they lie.
async function bundleCommandLine(main) {
  // Not at the top: an installed package is built already and has no bundler.
  const { build } = await import('esbuild');
  const dataModules = {
    name: 'data-modules',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/openapi\/[^/]+\.js$/ }, ({ path, resolveDir }) => {
        const target = resolve(resolveDir, path);
        if (dirname(target) !== join(root, 'dist/openapi')) return undefined;
        return { path: relative(dirname(main), target), external: true };
      }),
  };
  await build({
    entryPoints: [main],
    outfile: main,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [dataModules],
    logLevel: 'warning',
  });
}
cpSync(`${root}/fixtures/scenarios`, `${root}/dist/scenarios`, { recursive: true });
cpSync(`${root}/fixtures/simulations`, `${root}/dist/simulations`, { recursive: true });
