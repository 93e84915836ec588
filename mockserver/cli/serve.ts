/** `serve`: a server until somebody interrupts it. */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_FEATURES, type FeatureSet } from '../ground/features.js';
import { startMockServer } from '../facade/mock-server.js';
import { scenario } from '../facade/scenario.js';
import { readRuleText, type RuleFile } from '../faults/rule-reader.js';
import { type ServerOptions } from '../facade/server-options.js';
import { writeKubeconfig } from '../facade/kubeconfig.js';
import { realClock } from '../ground/clock.js';
import { type AdmissionOption } from '../registry/admission-options.js';
import { RequestLog } from '../observe/request-log.js';
import { LogSink, wantsColours } from './log-sink.js';

export interface ServeSettings {
  readonly port: number;
  readonly host: string;
  readonly kubeconfig?: string;
  readonly tokenAuthFile?: string;
  readonly load: readonly string[];
  readonly compactionInterval: number;
  readonly featureGates: Partial<FeatureSet>;
  readonly admission: 'default' | 'none';
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly faults: readonly string[];
  readonly scenario: readonly string[];
  readonly controllers: readonly string[];
  readonly verbose: boolean;
  readonly quiet: boolean;
}

/**
 * Shape: resolves with the exit code after SIGINT or SIGTERM.
 * Errors: an Error that says what is wrong with a file or why the address cannot be used.
 */
export async function serve(settings: ServeSettings): Promise<number> {
  const sink = new LogSink(process.stderr, realClock);
  const server = await startMockServer(optionsOf(settings, sink)).catch((error: unknown) => {
    throw addressError(error, settings);
  });
  const path = settings.kubeconfig ?? join(tmpdir(), `kube-mockserver-${server.port}.kubeconfig`);
  writeKubeconfig(path, server.kubeconfig);
  process.stdout.write(`Serving Kubernetes on ${server.url}\nkubeconfig: ${path}\n`);
  await interrupted();
  await server.stop();
  if (settings.kubeconfig === undefined) rmSync(path, { force: true });
  sink.flush();
  return 0;
}

/** What a command line asks of a server. Errors: an Error that says what is wrong with a file. */
export function optionsOf(settings: ServeSettings, sink: LogSink): ServerOptions {
  const { tlsCertFile, tlsPrivateKeyFile, tokenAuthFile } = settings;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    throw new Error('--tls-cert-file and --tls-private-key-file go together');
  }
  const files = [...settings.scenario.map(scenario), ...settings.faults.map(ruleFile)];
  const seed = files.findLast((file) => file.seed !== undefined)?.seed;
  return {
    faults: files.flatMap(({ rules }) => rules),
    ...(seed === undefined ? {} : { faultSeed: seed }),
    host: settings.host,
    port: settings.port,
    load: settings.load,
    controllers: settings.controllers,
    cluster: {
      compactionIntervalMs: settings.compactionInterval,
      features: { ...DEFAULT_FEATURES, ...settings.featureGates },
    },
    admission: admissionOf(settings),
    ...(settings.quiet ? {} : { observer: requestLog(settings, sink) }),
    ...(tokenAuthFile === undefined ? {} : { tokens: readFileSync(tokenAuthFile, 'utf8') }),
    ...(tlsCertFile === undefined || tlsPrivateKeyFile === undefined
      ? {}
      : { tls: { cert: readFileSync(tlsCertFile, 'utf8'), key: readFileSync(tlsPrivateKeyFile, 'utf8') } }),
  };
}

function admissionOf(settings: ServeSettings): AdmissionOption {
  const { enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = settings;
  if (settings.admission !== 'none') return { enable, disable };
  if (enable.length > 0 || disable.length > 0)
    throw new Error('--admission none leaves no plugins to enable or disable');
  return 'none';
}

/** Errors: DocumentError that names file, line and path; what reading fails with. */
export const ruleFile = (path: string): RuleFile => readRuleText(readFileSync(path, 'utf8'), path);

/** Requests are logged on standard error: what scripts read is on standard output. */
const requestLog = ({ verbose }: ServeSettings, { write }: LogSink): RequestLog =>
  new RequestLog({
    clock: realClock,
    write,
    colours: wantsColours(process.stderr.isTTY, process.env),
    verbose,
  });

function addressError(error: unknown, { host, port }: ServeSettings): unknown {
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
