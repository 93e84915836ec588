/** `serve`: a server until somebody interrupts it. */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_FEATURES } from '../ground/features.js';
import { type MockServer, startMockServer } from '../facade/mock-server.js';
import { readFakeNodeOptions } from '../controllers/nodes/fake-node-options.js';
import { readLogEntries } from '../control/log-entries.js';
import { scenario } from '../facade/scenario.js';
import { readRuleText, type RuleFile } from '../faults/rule-reader.js';
import { durationMs } from '../facade/option-form.js';
import { type LineSettings, type ServerOptions } from '../facade/options.js';
import { writeKubeconfig } from '../facade/kubeconfig.js';
import { realClock } from '../ground/clock.js';
import { type AdmissionOption } from '../registry/admission-options.js';
import { type JournalFile, saveJournal } from '../observe/journal-text.js';
import { RequestLog } from '../observe/request-log.js';
import { LogSink, wantsColours } from './log-sink.js';

/** Of `serve` alone: what is started for a while takes a free port. */
export const USUAL_PORT = 8080;

export const LOOPBACK = '127.0.0.1';

/**
 * Shape: resolves with the exit code after SIGINT or SIGTERM.
 * Errors: an Error that says what is wrong with a file or why the address cannot be used.
 */
export async function serve(given: LineSettings): Promise<number> {
  const settings = { ...given, port: given.port ?? USUAL_PORT };
  const sink = new LogSink(process.stderr, realClock);
  const { server, journalFile } = await startedWith(settings, sink).catch((error: unknown) => {
    throw addressError(error, settings);
  });
  const path = settings.kubeconfig ?? join(tmpdir(), `kube-mockserver-${server.port}.kubeconfig`);
  writeKubeconfig(path, server.kubeconfig);
  process.stdout.write(`Serving Kubernetes on ${server.url}\nkubeconfig: ${path}\n`);
  await interrupted();
  await server.stop();
  await journalFile?.close();
  if (settings.kubeconfig === undefined) rmSync(path, { force: true });
  sink.flush();
  return 0;
}

/** A server as a command line asks for it, and the file that its journal goes to, which is to be closed after it has stopped. */
export interface Started {
  readonly server: MockServer;
  readonly journalFile: JournalFile | undefined;
}

/** Errors: those of `optionsOf`, of a server that cannot start, of a journal that cannot be opened; no server is left then. */
export async function startedWith(settings: LineSettings, sink: LogSink): Promise<Started> {
  const server = await startMockServer(optionsOf(settings, sink));
  try {
    const { journal: path } = settings;
    return { server, journalFile: path === undefined ? undefined : saveJournal(server.journal, path) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** What a command line asks of a server. Errors: an Error that says what is wrong with a file. */
export function optionsOf(settings: LineSettings, sink: LogSink): ServerOptions {
  const files = [...(settings.scenario ?? []).map(scenario), ...(settings.faults ?? []).map(ruleFile)];
  const faultSeed = settings.faultSeed ?? files.findLast(({ seed }) => seed !== undefined)?.seed;
  const { host, port, load, openapi, data, controllers, seed, startRevision, frozenAt, journalCapacity } =
    settings;
  const tokens =
    settings.tokenAuthFile === undefined ? undefined : readFileSync(settings.tokenAuthFile, 'utf8');
  const observer = settings.quiet === true ? undefined : requestLog(settings, sink);
  return given({
    faults: files.flatMap(({ rules }) => rules),
    faultSeed,
    host,
    port,
    load,
    openapi,
    data,
    controllers,
    seed,
    startRevision,
    frozenAt,
    journalCapacity,
    fakeNode: fakeNodeOf(settings),
    logs: settings.logs?.flatMap((path) => readLogEntries(readFileSync(path, 'utf8'), path)),
    tokens,
    observer,
    cluster: given({
      compactionIntervalMs: durationMs(settings.compactionInterval ?? ''),
      eventTtlMs: durationMs(settings.eventTtl ?? ''),
      features: { ...DEFAULT_FEATURES, ...settings.featureGates },
    }),
    admission: admissionOf(settings),
    tls: tlsOf(settings),
  });
}

/** Errors: DocumentError that names file, line and path. */
function fakeNodeOf({ fakeNode: path }: LineSettings): ServerOptions['fakeNode'] {
  return path === undefined ? undefined : readFakeNodeOptions(readFileSync(path, 'utf8'), path);
}

/** Those members that are given. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // as: what is left has no undefined members
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Errors: an Error when one of certificate and key is missing. */
function tlsOf({ tlsCertFile, tlsPrivateKeyFile }: LineSettings): ServerOptions['tls'] {
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined)
    throw new Error('--tls-cert-file and --tls-private-key-file go together');
  return { cert: readFileSync(tlsCertFile, 'utf8'), key: readFileSync(tlsPrivateKeyFile, 'utf8') };
}

function admissionOf(settings: LineSettings): AdmissionOption {
  const { enableAdmissionPlugins: enable = [], disableAdmissionPlugins: disable = [] } = settings;
  if (settings.admission !== 'none') return { enable, disable };
  if (enable.length > 0 || disable.length > 0)
    throw new Error('--admission none leaves no plugins to enable or disable');
  return 'none';
}

/** Errors: DocumentError that names file, line and path; what reading fails with. */
export const ruleFile = (path: string): RuleFile => readRuleText(readFileSync(path, 'utf8'), path);

/** Requests are logged on standard error: what scripts read is on standard output. */
const requestLog = ({ verbose = false }: LineSettings, { write }: LogSink): RequestLog =>
  new RequestLog({
    clock: realClock,
    write,
    colours: wantsColours(process.stderr.isTTY, process.env),
    verbose,
  });

function addressError(error: unknown, { host = LOOPBACK, port }: LineSettings): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'EADDRINUSE')
    return new Error(`${host}:${port} is in use by another program; --port 0 takes a free port`);
  if (error.code === 'EACCES') return new Error(`not allowed to listen on ${host}:${port}`);
  return error;
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
