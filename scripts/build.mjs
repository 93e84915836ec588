// Builds dist/: compiled JavaScript with types, the data files beside their loader, and what users load in a few files.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeBundle } from './bundle.mjs';
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
await writeBundle(root);
await writeCommonJs(root);
cpSync(`${root}/fixtures/scenarios`, `${root}/dist/scenarios`, { recursive: true });
cpSync(`${root}/fixtures/simulations`, `${root}/dist/simulations`, { recursive: true });
