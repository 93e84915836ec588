/** Runs one command against one server and tells what it said. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const LIMIT_MS = 30_000;
/** How long a watch is left alone before it is taken to have said all it will. */
const QUIET_MS = 700;

/** Words as a shell has them: blanks separate, quotes hold together. */
export function words(line) {
  const found = [];
  for (const [, double, single, bare] of line.matchAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"']|(?<=\S)["'][^"']*["'])+)/g,
  )) {
    found.push(double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare?.replaceAll(/["']/g, '') ?? '');
  }
  return found;
}

/**
 * @param {{ name: string, kubeconfig: string, home: string }} target `home` keeps its caches
 * @param {{ kubectl: string[], helm?: string[] }} programs
 * @param {{ run: string, stdin?: string, uidOf?: string, editor?: string, during?: string[], shows?: number }} command
 *   `uidOf`: whose uid stands for UID in `stdin`; `editor`: what `edit` runs on its file;
 *   `during`: commands that run while this one watches; it is then stopped; `shows`: lines to wait for before they run, 0 for one that is silent at first
 * Shape: `{ code, text }`: standard output, then standard error. A command that is stopped has the code `stopped`.
 */
export async function runCommand(target, programs, command) {
  if (!existsSync(target.home)) mkdirSync(target.home, { recursive: true });
  if (command.uidOf !== undefined)
    return runCommand(target, programs, await withUid(target, programs, command));
  if (command.during === undefined) return finished(begin(target, programs, command));
  const child = begin(target, programs, command);
  const lines = () => child.out.join('').split('\n').length - 1;
  if (command.shows === 0) await pause(QUIET_MS);
  else await until(() => child.ended || lines() >= (command.shows ?? 1), LIMIT_MS / 3);
  for (const run of command.during) await finished(begin(target, programs, { run }));
  let before = -1;
  while (!child.ended && before !== lines()) {
    before = lines();
    await pause(QUIET_MS);
  }
  child.stop();
  const { text } = await finished(child);
  return { code: 'stopped', text };
}

async function withUid(target, programs, { uidOf, stdin, ...command }) {
  const run = `get ${uidOf} -o jsonpath={.metadata.uid}`;
  const { text } = await finished(begin(target, programs, { run }));
  return { ...command, stdin: stdin.replaceAll('UID', text.trim()) };
}

function begin({ kubeconfig, home }, programs, { run, stdin, editor }) {
  const [first, ...rest] = words(run);
  const [file, ...args] =
    first === 'helm' ? [...programs.helm, ...rest] : [...programs.kubectl, first, ...rest];
  const child = spawn(file, args, {
    cwd: HERE,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      KUBECONFIG: kubeconfig,
      TMPDIR: join(home),
      KUBECTL_EXTERNAL_DIFF: 'diff -u -N --label live --label merged',
      ...(editor === undefined ? {} : { KUBE_EDITOR: editor }),
    },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  const running = { out: [], error: [], ended: false, stop };
  const deadline = setTimeout(stop, LIMIT_MS);
  running.done = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(deadline);
      process.off('exit', stop);
      running.ended = true;
      resolve(code ?? signal);
    });
  });
  child.stdout.on('data', (chunk) => running.out.push(chunk.toString()));
  child.stderr.on('data', (chunk) => running.error.push(chunk.toString()));
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  return running;
}

async function finished(running) {
  const code = await running.done;
  return { code, text: `${running.out.join('')}\n${running.error.join('')}`.trim() };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds, limitMs) {
  const begun = performance.now();
  while (!holds() && performance.now() - begun < limitMs) await pause(20);
}
