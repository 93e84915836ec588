/** A server under named fault rules, and an unmodified client's program on it; what the client did is read from the journal. */
import { type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FaultRule,
  type JournalView,
  type MockServer,
  startMockServer,
} from '../../mockserver/index.js';
import { clientPaths, type Step } from '../../mockserver/observe/client-path.js';
import { startClient } from './client-program.js';
import { type Seen } from './seen.js';
import { stopProgram } from './server.js';

const MAPS = '/api/v1/namespaces/default/configmaps';

export class ScenarioRun {
  readonly server: MockServer;
  /** Path of a kubeconfig for the server: written before a program is started, and never again. */
  readonly kubeconfig: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-scenario-'));
  readonly #children: ChildProcess[] = [];

  private constructor(server: MockServer) {
    this.server = server;
    this.kubeconfig = join(this.#folder, 'kubeconfig');
    writeFileSync(this.kubeconfig, server.kubeconfig);
  }

  /** Runs `work` on a fresh server under the rules, and stops it and its programs whatever happens. */
  static async of(rules: readonly FaultRule[], work: (run: ScenarioRun) => Promise<void>): Promise<void> {
    const run = new ScenarioRun(await startMockServer({ faults: rules }));
    try {
      await work(run);
    } finally {
      await run.#stop();
    }
  }

  /** Starts a program that says a JSON object a line. Shape: what it says, as the texts that `read` makes of it. */
  start(
    command: string,
    args: readonly string[],
    how: { readonly env?: NodeJS.ProcessEnv; readonly read: (line: string) => string },
  ): Seen<string> {
    const { child, told } = startClient(command, args, how);
    this.#children.push(child);
    return told;
  }

  /** Writes as somebody else than the client. Errors: for an answer that is none of success. */
  async create(name: string, { path = MAPS, text }: { path?: string; text?: string } = {}): Promise<void> {
    const body = { metadata: { name }, ...(text === undefined ? {} : { data: { text } }) };
    await this.#ask('POST', path, JSON.stringify(body));
  }

  /** While the client's watch is stalled: writes far more than the watch's channel holds, then lets the watch go on. */
  async writeWhileStalled(): Promise<void> {
    const { journal, control } = this.server;
    await journal.first('the stall', ({ kind }) => kind === 'fault');
    for (let i = 0; i < 130; i++) await this.create(`w-${i}`);
    control.resume();
  }

  async remove(name: string): Promise<void> {
    await this.#ask('DELETE', `${MAPS}/${name}`);
  }

  /** As `create`, as often as it takes while connections are refused. */
  async createWhenBack(...what: Parameters<ScenarioRun['create']>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.create(...what);
        return;
      } catch (error) {
        if (tries === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** What concerns clients of that agent and resource. */
  seenOf(userAgent: RegExp, resource: string): JournalView {
    return this.server.journal.client(userAgent).where({ resource });
  }

  async #ask(method: string, path: string, body?: string): Promise<void> {
    const answer = await fetch(`${this.server.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'writer' },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  }

  async #stop(): Promise<void> {
    for (const child of this.#children) await stopProgram(child);
    await this.server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The rules of a scenario whose stalls last until they are let go: how long writing takes depends on the machine. */
export const withoutTime = (rules: readonly FaultRule[]): FaultRule[] =>
  rules.map((rule) => (rule.effect.kind === 'stall' ? { ...rule, effect: { kind: 'stall' } } : rule));

/** What one client did, a word or two for each request: `watch-list`, `list 504`, `page`, `watch ERROR 410`, `update reset`. */
export const sequenceOf = (view: JournalView): string[] =>
  clientPaths(view.entries).flatMap(({ steps }) => steps.map(wordsOf));

function wordsOf({ request, code, errorCode, lost }: Step): string {
  const { verb, watchList, continued } = request;
  const what = verb === 'watch' && watchList ? 'watch-list' : verb === 'list' && continued ? 'page' : verb;
  if (lost !== undefined) return `${what} ${lost}`;
  if (errorCode !== undefined) return `${what} ERROR ${errorCode}`;
  return code >= 400 ? `${what} ${code}` : what;
}
