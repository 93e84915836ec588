// What CommonJS test files load: one file for each entrance, with types of its own. The server stays ESM: it is loaded
// by import() where it is needed at all.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Name of the CommonJS file → its module, below testkit/. */
const ENTRANCES = {
  client: 'client/index',
  matchers: 'runners/matchers',
  jest: 'runners/jest',
  'jest-global-setup': 'runners/jest-global-setup',
  'jest-global-teardown': 'runners/jest-global-teardown',
  'node-test': 'runners/node-test',
};

/** @param root of the package, with dist/ compiled */
export async function writeCommonJs(root) {
  const modules = join(root, 'dist/testkit');
  const outdir = join(root, 'dist/cjs');
  const { build } = await import('esbuild');
  const server = {
    name: 'server-stays-esm',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/mockserver\/facade\// }, () => ({
        path: '../mockserver/bundle/index.js',
        external: true,
      })),
  };
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(ENTRANCES).map(([name, module]) => [name, join(modules, `${module}.js`)]),
    ),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [server],
    logLevel: 'warning',
  });
  copyTypes(root, Object.values(ENTRANCES));
}

/** Declarations count as CommonJS where the nearest package.json says so. */
function copyTypes(root, entrances) {
  const into = join(root, 'dist/cjs-types');
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, 'package.json'), '{ "type": "commonjs" }\n');
  const left = entrances.map((module) => join(root, 'dist/testkit', `${module}.d.ts`));
  const seen = new Set(left);
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const target = join(into, relative(join(root, 'dist'), file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g)) {
      const next = resolve(dirname(file), `${path}.d.ts`);
      if (!seen.has(next)) left.push(next);
      seen.add(next);
    }
  }
}
