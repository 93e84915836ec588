/** Runs the blocks of one page in their order, in a folder of its own. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { transformSync } from 'esbuild';
import { parseAllDocuments } from 'yaml';
import { freePort, ROOT } from '../programs/server.mjs';
import { missingLine, sessionsOf } from './blocks.mjs';
import { startGroup } from './program-group.mjs';

const DEADLINE_MS = 400_000;
/** Of a program on the page. */
const PROGRAM_MS = 150_000;
/** Until a server has said what it is to say. */
const SERVING_MS = 60_000;
/** The port that pages show; it may be taken here. */
const SHOWN_PORT = '18080';
/** Commands of a session that go on until they are ended. */
const SERVE = /^kube-mockserver (?:serve|--)/;
/** What `serve` says first. */
const SERVING = /Serving Kubernetes on (\S+)\nkubeconfig: (\S+)\n/;
const COMPILER = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'],
  ...['--lib', 'es2023,esnext.disposable,dom', '--types', 'node'],
];

export class PageRun {
  #workspace;
  #folder;
  #verbose;
  /** What the page's servers set, and what ends them. */
  #environment;
  #servers = [];
  #started = 0;
  #port;
  /** Of the block before, for `text` blocks. */
  #printed = '';
  /** What the compiler has against the TypeScript of a line. */
  #refused = new Map();

  constructor(workspace, page, verbose) {
    this.#workspace = workspace;
    this.#folder = workspace.pageFolder(page);
    this.#verbose = verbose;
    this.#environment = workspace.environment();
  }

  /** Shape: for each block its line, `ran`, `failed`, `skipped` or `not run`, and why it did not run. */
  async run(blocks) {
    this.#port = await freePort();
    const outcomes = [];
    try {
      await this.#compile(blocks);
      for (const [i, block] of blocks.entries()) {
        const outcome =
          block.file !== undefined && !blocks.slice(i + 1).some(runs)
            ? { outcome: 'failed', why: `no block after it runs ${block.file}` }
            : await this.#outcome(block);
        outcomes.push({ line: block.line, ...outcome });
      }
    } finally {
      for (const { end, closed } of this.#servers) {
        end();
        await closed;
      }
    }
    return outcomes;
  }

  async #outcome(block) {
    const { notes } = block;
    if (notes['not-run'] !== undefined) return { outcome: 'not run', why: notes['not-run'] };
    if (notes.needs !== undefined && !this.#workspace.has(notes.needs))
      return { outcome: 'skipped', why: `${notes.needs} is not on PATH` };
    try {
      if (notes.beside !== undefined && this.#environment.URL === undefined)
        await this.#serve('kube-mockserver --quiet --port 0');
      if (notes.before !== undefined) await this.#shell(notes.before);
      await this.#run(block);
      if (this.#verbose) console.log(this.#printed);
      return { outcome: 'ran' };
    } catch (error) {
      return { outcome: 'failed', why: error.message };
    }
  }

  #run(block) {
    const { language, code, file, notes } = block;
    if (file !== undefined && language !== 'text') return this.#write(block);
    switch (language) {
      case 'sh':
      case 'bash':
        return notes.serves === undefined
          ? this.#expected(this.#here(code), notes)
          : this.#serve(this.#here(code));
      case 'console':
        return this.#session(code);
      case 'text':
        return this.#compare(code, this.#printed);
      case 'js':
      case 'ts':
        return this.#program(block);
      case 'yaml':
        return this.#yaml(code);
      case 'json':
        return void JSON.parse(code);
      case '':
        return undefined; // a drawing, or what something prints
      default:
        throw new Error(`nobody runs blocks of "${language}" without a file name`);
    }
  }

  /** A block that is a file: blocks after it use it. */
  #write({ file, language, code }) {
    this.#save(file, this.#here(code));
    if (language === 'yaml' && /^rules:/m.test(code) && /^\s+effect:/m.test(code))
      return this.#expected(`kube-mockserver explain ${file}`, {});
    return undefined;
  }

  #program({ language, code, line, notes }) {
    const file = `block-${line}.mjs`;
    if (language === 'js') this.#save(file, within(notes.within, this.#here(code)));
    else if (this.#refused.has(line)) throw new Error(this.#refused.get(line));
    return this.#expected(`node ${file}`, notes, PROGRAM_MS);
  }

  /** All TypeScript of the page at once, for a compiler takes seconds to start. */
  async #compile(blocks) {
    const typed = blocks.filter(
      ({ language, file, notes }) =>
        language === 'ts' && file === undefined && notes['not-run'] === undefined,
    );
    if (typed.length === 0) return;
    for (const { line, code, notes } of typed) {
      const text = within(notes.within, this.#here(code));
      this.#save(`block-${line}.mts`, text);
      this.#save(
        `block-${line}.mjs`,
        transformSync(text, { loader: 'ts', format: 'esm', target: 'node20' }).code,
      );
    }
    const files = typed.map(({ line }) => `block-${line}.mts`);
    const { printed } = await this.#shell(['tsc', ...COMPILER, ...files].join(' '));
    for (const [, line, why] of printed.matchAll(/^block-(\d+)\.mts(\([^]*?)(?=^block-|$(?![^]))/gm))
      this.#refused.set(Number(line), `${this.#refused.get(Number(line)) ?? ''}${why}`);
    if (printed !== '' && this.#refused.size === 0) throw new Error(printed);
  }

  #save(file, text) {
    const path = join(this.#folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Validated by the product: fault rules, scenarios of the simulator, objects, configurations. */
  #yaml(code) {
    const file = 'block.yaml';
    // A scenario is checked as a whole before it runs, and a second of it does not take minutes.
    this.#save(
      file,
      this.#here(code)
        .replace(/^seconds: \d+$/m, 'seconds: 1')
        .replace(/^measureFromMs: \d+/m, 'measureFromMs: 0'),
    );
    const documents = parseAllDocuments(code).map((one) => one.toJS());
    const [first] = documents;
    const command =
      first.rules !== undefined
        ? `kube-mockserver explain ${file}`
        : first.watchers !== undefined
          ? `kube-mockserver simulate ${file} --quiet`
          : first.apiVersion !== undefined
            ? `kube-mockserver exec --quiet --load ${file} -- node -e 0`
            : `kube-mockserver exec --quiet --config ${file} -- node -e 0`;
    return this.#expected(command, {});
  }

  async #session(code) {
    let printed = '';
    for (const { command, output } of sessionsOf(this.#here(code))) {
      const done = SERVE.test(command)
        ? await this.#servedUntil(command, (said) => missingLine(output, said) === undefined)
        : (await this.#shell(command)).printed;
      printed += done;
      this.#compare(output, done);
    }
    this.#printed = printed;
  }

  #compare(said, printed) {
    const missing = missingLine(this.#here(said), printed);
    if (missing !== undefined) throw new Error(`not printed: ${missing}\nprinted:\n${printed}`);
  }

  async #expected(text, { exits = '0' }, deadlineMs = DEADLINE_MS) {
    const { code, printed } = await this.#shell(text, deadlineMs);
    this.#printed = printed;
    if (String(code) !== exits) throw new Error(`ended with ${code}, not ${exits}:\n${printed}`);
  }

  /** Shape: the exit code or the signal, and what was printed: standard output, then standard error. */
  async #shell(text, deadlineMs = DEADLINE_MS) {
    const group = this.#start(text, ['ignore', 'pipe', 'pipe']);
    const late = setTimeout(() => group.end('SIGKILL'), deadlineMs);
    const [code, ...said] = await Promise.all([
      group.closed,
      textOf(group.child.stdout),
      textOf(group.child.stderr),
    ]);
    clearTimeout(late);
    return { code, printed: said.join('') };
  }

  /** Starts what serves until the page ends. Errors: an Error when it names no URL. */
  async #serve(text) {
    const server = this.#startServer(text);
    this.#servers.push(server);
    this.#printed = await server.until((said) => SERVING.test(said));
    const found = SERVING.exec(this.#printed);
    if (found === null) throw new Error(`serves nothing:\n${this.#printed}`);
    [, this.#environment.URL, this.#environment.KUBECONFIG] = found;
  }

  /** Shape: what a server printed that was ended when that was enough. */
  async #servedUntil(text, enough) {
    const server = this.#startServer(text);
    await server.until(enough);
    server.end();
    await server.closed;
    return server.said();
  }

  #startServer(text) {
    // A file takes what it says: nobody empties a pipe while other blocks run.
    const log = join(this.#folder, `served-${(this.#started += 1)}.log`);
    const output = openSync(log, 'w');
    const group = this.#start(text, ['ignore', output, output]);
    closeSync(output);
    const said = () => readFileSync(log, 'utf8');
    /** Shape: what it has said when that is enough, when it has ended, or when nobody waits any longer. */
    const until = async (enough) => {
      for (const end = Date.now() + SERVING_MS; ; await pause(50)) {
        const ended = group.ended() || Date.now() > end;
        const now = said();
        if (ended || enough(now)) return now;
      }
    };
    return { ...group, said, until };
  }

  #start(text, stdio) {
    return startGroup(text, { cwd: this.#folder, env: this.#environment, stdio });
  }

  /** The text with this machine's port, and with the tarball where the registry's package is installed. */
  #here(text) {
    return text
      .replaceAll(SHOWN_PORT, String(this.#port))
      .replaceAll(/(npm install\b[^\n]*?\s)kube-mockserver(?=\s|$)/gm, `$1${this.#workspace.tarball}`);
  }
}

/** Whether a block runs something, and may run the files before it. */
const runs = ({ language, file }) =>
  file === undefined && ['sh', 'bash', 'console', 'js', 'ts'].includes(language);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The code in the place that a file of test/docs/within keeps for it, its imports before everything else. */
function within(name, code) {
  if (name === undefined) return code;
  const path = join(ROOT, 'test/docs/within', `${name}.ts`);
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  const imports = [...code.matchAll(/^import [^]*?;$/gm)].map(([text]) => text);
  const rest = imports.reduce((left, one) => left.replace(one, ''), code);
  return `${imports.join('\n')}\n${readFileSync(path, 'utf8').replace('// the block', () => rest)}`;
}
