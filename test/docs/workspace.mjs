/** A folder in which the packed tarball is installed, beside what a reader's project has. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '../programs/server.mjs';

const SETTINGS = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error'];
const INSTALLED = {
  '@kubernetes/client-node': '^1.4.0',
  '@types/node': '^20.19.43',
  expect: '^30.5.0',
  jest: '^30.5.0',
  typescript: '~5.9.3',
};

/** It is there until this script ends. Errors: those of npm, with what it said. */
export function installWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-docs-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8' });
  const [{ filename }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT),
  );
  const tarball = join(folder, filename);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'docs', private: true, type: 'module', devDependencies: INSTALLED }),
  );
  npm(['install', ...SETTINGS, tarball], folder);
  return {
    folder,
    tarball,
    /** What commands find. Shape: environment variables. */
    environment: () => ({
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
      PATH: [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      NO_COLOR: '1',
      // The usual one may be taken here.
      KUBE_MOCKSERVER_PORT: '0',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    }),
    /** A folder of a page of its own. */
    pageFolder: (page) => {
      const own = join(folder, page.replaceAll(/[^\w]+/g, '-'));
      mkdirSync(own, { recursive: true });
      return own;
    },
    has: (tool) => spawnSync(tool, ['--version']).error === undefined,
  };
}
