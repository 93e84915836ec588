#!/usr/bin/env node
/** The command line. */
import { run } from './program.js';

// `serve --help | head`: what nobody reads is not written, and nothing is wrong.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const code = await run(process.argv.slice(2));
// Lines of the log that nobody reads must not keep the program.
if (process.stderr.writableLength > 0) process.exit(code);
process.exitCode = code;
