/** A client's program: what it tells on its output, line by line, and how it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { lines } from './line-stream.js';
import { Seen } from './seen.js';

/** Of what a program says on standard error, so much is kept for the message of a failure. */
const KEPT_CHARACTERS = 4000;

export interface ClientProgram<T> {
  readonly child: ChildProcess;
  /** Waits end at once when the program does, and say with what. */
  readonly told: Seen<T>;
  /** Lines of standard error, as they come. */
  readonly log: Seen<string>;
}

/** Starts a program that tells something in each line; `read` gives what a line tells, or undefined for nothing. */
export function startClient<T>(
  command: string,
  args: readonly string[],
  { env = {}, read }: { readonly env?: NodeJS.ProcessEnv; readonly read: (line: string) => T | undefined },
): ClientProgram<T> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const told = new Seen<T>();
  const log = new Seen<string>();
  lines(child.stdout, (line) => {
    const one = read(line);
    if (one !== undefined) told.add(one);
  });
  lines(child.stderr, (line) => {
    log.add(line);
  });
  const end = (how: string): void => {
    const why = `${command} ${how}: ${log.all.join('\n').slice(-KEPT_CHARACTERS)}`;
    told.end(why);
    log.end(why);
  };
  child.once('error', ({ message }) => {
    end(message);
  });
  // Not `exit`: what it said last may still be in the pipe then.
  child.once('close', (code, signal) => {
    end(`ended with ${code ?? signal}`);
  });
  return { child, told, log };
}
