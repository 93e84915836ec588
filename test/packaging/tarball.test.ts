/** The packed tarball, installed into an empty project: what its users get. Needs a built dist/ and a package registry. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pack, root, run } from './installed.js';

let project: string;
let packed: readonly string[];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'kube-mockserver-package-'));
  const tarball = pack(project);
  packed = tarball.files.map(({ path }) => path);
  writeFileSync(join(project, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball.filename}`], project);
}, 240_000);

/** What `exports` of a package says of one entrance: a file, or one for each condition. */
type Targets = string | { readonly [condition: string]: Targets };

const filesIn = (targets: Targets): readonly string[] =>
  typeof targets === 'string' ? [targets] : Object.values(targets).flatMap(filesIn);

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

test('the tarball holds the product and nothing of its making', () => {
  for (const needed of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'dist/mockserver/bundle/index.js',
    'dist/mockserver/index.d.ts',
    'dist/mockserver/cli/main.js',
  ]) {
    expect(packed).toContain(needed);
  }
  expect(
    packed.filter((path) => /^(test|fixtures|examples|mockserver|openapi|testkit|scripts|\.)/.test(path)),
  ).toEqual([]);
  expect(packed.filter((path) => /\.test\.|\.tsbuildinfo$|\.map$/.test(path))).toEqual([]);
  // Modules are in the bundle, which every entrance loads: a second copy beside it would be a second class of each name.
  expect(
    packed.filter((path) => /^dist\/(mockserver|testkit|openapi)\/(?!bundle\/).*\.js$/.test(path)),
  ).toEqual(['dist/mockserver/cli/main.js']);
});

test('every file the package names is in the tarball', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
    exports: Record<string, Targets>;
  };
  const named = [...Object.values(manifest.bin), ...Object.values(manifest.exports).flatMap(filesIn)].map(
    (path) => path.replace(/^\.\//, ''),
  );
  expect(named.filter((path) => !packed.includes(path))).toEqual([]);
});

test('an importing program starts a server, asks it and stops it', () => {
  writeFileSync(
    join(project, 'program.js'),
    `import { startMockServer } from 'kube-mockserver';
     const server = await startMockServer();
     const answer = await fetch(server.url + '/api/v1/namespaces');
     const list = await answer.json();
     await server.stop();
     console.log(JSON.stringify({ status: answer.status, kind: list.kind, names: list.items.map((one) => one.metadata.name) }));`,
  );
  // It ends by itself: a server that is stopped keeps nothing alive.
  expect(JSON.parse(run(process.execPath, ['program.js'], project))).toEqual({
    status: 200,
    kind: 'NamespaceList',
    names: ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
  });
}, 60_000);

test('the types are usable under strict settings', () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { startMockServer } from 'kube-mockserver';
     const server = await startMockServer();
     const url: string = server.url;
     const kubeconfig: string = server.kubeconfig;
     await server.stop();
     export { url, kubeconfig };`,
  );
  const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  const lib = [
    '--lib',
    'es2023,esnext.disposable',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ];
  expect(
    run(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...settings, ...lib, 'typed.ts'],
      project,
    ),
  ).toBe('');
}, 60_000);

test('the command serves until it is told to end', async () => {
  const kubeconfig = join(project, 'kubeconfig');
  const child = spawn(
    join(project, 'node_modules/.bin/kube-mockserver'),
    ['serve', '--port', '0', '--kubeconfig', kubeconfig],
    {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (found !== null) resolve(found[0]);
      });
      void ended.then((code) => {
        reject(new Error(`ended with ${String(code)} before it named its URL`));
      });
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(readFileSync(kubeconfig, 'utf8')).toContain(url);
  } finally {
    child.kill('SIGTERM');
  }
  await ended;
}, 60_000);

test('exec runs a command beside a server and ends with its code', () => {
  const asks = `const text = require('node:fs').readFileSync(process.env.KUBECONFIG, 'utf8');
    fetch(/server: *"?(http[^\\s"]+)/.exec(text)[1] + '/readyz').then((answer) => process.exit(answer.status === 200 ? 7 : 1));`;
  writeFileSync(join(project, 'asks.cjs'), asks);
  const bin = join(project, 'node_modules/.bin/kube-mockserver');
  expect(() => run(bin, ['exec', '--', process.execPath, 'asks.cjs'], project)).toThrow(
    expect.objectContaining({ status: 7 }) as Error,
  );
}, 60_000);

test('simulate finds the scenarios that come with the package', () => {
  const bin = join(project, 'node_modules/.bin/kube-mockserver');
  expect(run(bin, ['simulate', '--list'], project).split('\n')).toContain('benchmark-family');
  expect(run(bin, ['simulate', 'benchmark-family'], project)).toContain('20 unresponsive');
}, 60_000);
