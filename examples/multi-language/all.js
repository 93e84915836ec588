// One server, and a program of each language beside it, where its tools are there. Each writes a greeting and reads those
// of all before it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockServer } from 'kube-mockserver';
import { ClusterClient } from 'kube-mockserver/client';

const folder = mkdtempSync(join(tmpdir(), 'multi-language-'));
const server = await startMockServer();
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, server.kubeconfig);

/** Runs a command beside the server. Shape: whether it ended well, and what it said. */
function run(command, args, cwd = '.') {
  const child = spawn(command, args, { cwd, env: { ...process.env, KUBECONFIG: kubeconfig } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ well: false, text: error.message }));
    child.once('close', (code) => resolve({ well: code === 0, text }));
  });
}

const isThere = (command, args) => spawnSync(command, args).status === 0;

/** A Python with the client; one that is installed will do, else a virtual environment gets it. */
async function python() {
  if (isThere('python3', ['-c', 'import kubernetes'])) return 'python3';
  const environment = process.env.PYTHON_ENVIRONMENT ?? join(folder, 'python');
  const own = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (existsSync(own) && isThere(own, ['-c', 'import kubernetes'])) return own;
  const made = await run('python3', ['-m', 'venv', environment]);
  const installed =
    made.well && (await run(own, ['-m', 'pip', 'install', '-q', '-r', 'python/requirements.txt']));
  return installed.well ? own : undefined;
}

const LANGUAGES = {
  kubectl: async () =>
    isThere('kubectl', ['version', '--client']) ? run('bash', ['kubectl/greeting.sh']) : undefined,
  Go: async () => (isThere('go', ['version']) ? run('go', ['run', '.'], 'go') : undefined),
  Python: async () => {
    const program = await python();
    return program === undefined ? undefined : run(program, ['-W', 'ignore', 'python/greeting.py']);
  },
};

const greeted = [];
try {
  for (const [language, greet] of Object.entries(LANGUAGES)) {
    const done = await greet();
    if (done === undefined) {
      console.log(`skipped: ${language}: its tools are not there`);
      continue;
    }
    assert.ok(done.well, `${language} failed:\n${done.text}`);
    greeted.push(`hello from ${language}`);
    for (const text of greeted)
      assert.ok(done.text.includes(text), `${language} did not see "${text}":\n${done.text}`);
    console.log(`${language} sees: ${greeted.join(', ')}`);
  }
  const stored = await new ClusterClient(server.url).list('ConfigMap', { labelSelector: 'greeting=yes' });
  assert.deepEqual(new Set(stored.map(({ data }) => data.text)), new Set(greeted));
} finally {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
}
